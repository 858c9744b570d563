import type { Dirent } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import {
  currentFormat,
  dataFormatOf,
  isOpenElsewhere,
  newerFormat,
} from '../../lib/adapters/sqlite/database.ts';
import type { Config } from '../../lib/config.ts';
import { noneIfMissing } from '../../lib/paths/file-errors.ts';
import { systemClock, timestamp } from '../../lib/ports/clock.ts';
import { BEFORE_UPGRADE, backUpAtRest } from './backup.ts';
import { BackupError } from './manifest.ts';

/** Bytes that stay free next to the backup for the upgrade itself. */
const RESERVE_BYTES = 100_000_000;

/**
 * Backs up a data folder of an earlier format, which this release is about to change, and returns the backup's folder,
 * or undefined if nothing changes. Throws BackupError if the disk is too full, if another process still works on the
 * folder, or if a newer release wrote it.
 */
export async function backUpBeforeUpgrade({
  dataDir,
  upgradesWithoutBackup,
}: Pick<Config, 'dataDir' | 'upgradesWithoutBackup'>): Promise<string | undefined> {
  const format = dataFormatOf(dataDir);
  if (format === undefined || format === currentFormat()) return undefined;
  if (format > currentFormat()) throw new BackupError(newerFormat(format));
  if (isOpenElsewhere(dataDir))
    throw new BackupError(
      `An earlier release of the service is still running on ${dataDir}. Stop it, then start this one.`,
    );
  if (upgradesWithoutBackup) return undefined;
  await requireRoom(dataDir);
  const day = timestamp(systemClock).replaceAll(/[:.]/g, '-');
  const target = join(dataDir, BEFORE_UPGRADE, `format-${format}-${day}`);
  await backUpAtRest({ dataDir, target, signal: new AbortController().signal, tell: () => {} });
  return target;
}

async function requireRoom(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const [free, needed] = [bavail * bsize, (await bytesBelow(dataDir)) + RESERVE_BYTES];
  if (free >= needed) return;
  const [need, have] = [needed, free].map((bytes) => `${Math.ceil(bytes / 1e6)} MB`);
  throw new BackupError(
    `The backup before the upgrade of the data folder needs ${need}, and ${have} are free. Free some space, or make your own backup and set UPGRADE_WITHOUT_BACKUP=true.`,
  );
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(noneIfMissing)) ?? [];
  let sum = 0;
  for (const entry of entries) if (entry.name !== BEFORE_UPGRADE) sum += await bytesOf(folder, entry);
  return sum;
}

async function bytesOf(folder: string, entry: Dirent): Promise<number> {
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return bytesBelow(path);
  return entry.isFile() ? ((await stat(path).catch(noneIfMissing))?.size ?? 0) : 0;
}
