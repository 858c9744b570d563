import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { statAll } from '../paths/stat-all.ts';
import type { DataPart, DataUse } from './schema.ts';

/** How long a measurement is answered again. */
const KEPT_MS = 60_000;
/** Entries looked at in all folders together: some two seconds of a slow disk. */
const MAX_ENTRIES = 100_000;

export interface DataFolder {
  dataDir: string;
  /** The folders of each part, relative to it. What lies in none of them is `other`. */
  folders: [DataPart, string[]][];
  /** Bytes of the database's file by what takes them. */
  measureDatabase(): Partial<Record<DataPart, number>>;
  /** Names in it that the database answers for. */
  databaseFiles: string[];
}

/** What takes the room in a data folder. Looked at once a minute at most, however many ask. */
export function dataMeter(data: DataFolder, now = () => performance.now()): () => Promise<DataUse> {
  let latest: { at: number; use: Promise<DataUse> } | undefined;
  return () => {
    if (latest === undefined || now() - latest.at >= KEPT_MS) latest = { at: now(), use: measure(data) };
    return latest.use;
  };
}

async function measure({ dataDir, folders, measureDatabase, databaseFiles }: DataFolder): Promise<DataUse> {
  const budget = { entries: MAX_ENTRIES };
  const all = new Set(folders.flatMap(([, paths]) => paths.map((path) => join(dataDir, path))));
  const parts = new Map(Object.entries(measureDatabase()) as [DataPart, number][]);
  const measureAll = async (part: DataPart, path: string, leaveOut: Set<string>) =>
    parts.set(part, (parts.get(part) ?? 0) + (await bytesBelow(path, leaveOut, budget)));
  for (const [part, paths] of folders)
    for (const path of paths) await measureAll(part, join(dataDir, path), all);
  const left = [...all, ...databaseFiles.map((name) => join(dataDir, name))];
  await measureAll('other', dataDir, new Set(left));
  return { parts: [...parts].map(([name, bytes]) => ({ name, bytes })), isComplete: budget.entries > 0 };
}

/** Room on the disk, of files as they lie there. Links are not followed; `leaveOut` names what is measured elsewhere. */
async function bytesBelow(
  folder: string,
  leaveOut: Set<string>,
  budget: { entries: number },
): Promise<number> {
  let bytes = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && budget.entries > 0; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    budget.entries -= entries.length;
    const paths = entries.map(({ name }) => join(next as string, name)).filter((path) => !leaveOut.has(path));
    for (const [index, stats] of (await statAll(paths)).entries()) {
      bytes += (stats?.blocks ?? 0) * 512;
      if (stats?.isDirectory()) waiting.push(paths[index] ?? '');
    }
  }
  return bytes;
}
