import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noneIfMissing } from '../paths/file-errors.ts';
import { writeThenRename } from '../paths/replace-file.ts';

/**
 * A file in the data folder with the time of its latest complete backup. Not a record, because a backup
 * changes no records.
 */
export const LAST_BACKUP = '.last-backup';

export async function noteBackup(dataDir: string, madeAt: string): Promise<void> {
  const file = join(dataDir, LAST_BACKUP);
  await writeThenRename(`${file}.${process.pid}.tmp`, file, Buffer.from(madeAt), { mode: 0o600 });
}

/** Returns the time of the latest backup in milliseconds since the epoch; undefined if there is none. */
export async function readLastBackup(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, LAST_BACKUP), 'utf8').catch(noneIfMissing);
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : at;
}
