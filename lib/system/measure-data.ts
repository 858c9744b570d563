import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { statAll } from '../paths/stat-all.ts';
import type { DataPart, DataUse } from './schema.ts';

/** Milliseconds for which a measurement is cached. */
const CACHE_MS = 60_000;
/** Maximum entries read in all folders together, which takes about two seconds on a slow disk. */
const MAX_ENTRIES = 100_000;

export interface DataFolder {
  dataDir: string;
  /** The folders of each part, relative to the data folder. Files outside these folders count as `other`. */
  folders: [DataPart, string[]][];
  /** Bytes of the database file by their use. */
  measureDatabase(): Partial<Record<DataPart, number>>;
  /**
   * Bytes of the tables' current versions, which count as `index` rather than `versions`; undefined if
   * unknown.
   */
  measureTables(): Promise<number | undefined>;
  /** Names in the data folder that are part of the database's size. */
  databaseFiles: string[];
}

/** Measures disk usage in a data folder, at most once per minute, however many callers ask. */
export function dataMeter(data: DataFolder, now = () => performance.now()): () => Promise<DataUse> {
  let latest: { at: number; use: Promise<DataUse> } | undefined;
  return () => {
    if (latest === undefined || now() - latest.at >= CACHE_MS) latest = { at: now(), use: measure(data) };
    return latest.use;
  };
}

async function measure(data: DataFolder): Promise<DataUse> {
  const { dataDir, folders, measureDatabase, measureTables, databaseFiles } = data;
  const budget = { entries: MAX_ENTRIES };
  const all = new Set(folders.flatMap(([, paths]) => paths.map((path) => join(dataDir, path))));
  const parts = new Map(Object.entries(measureDatabase()) as [DataPart, number][]);
  const measureAll = async (part: DataPart, path: string, leaveOut: Set<string>) =>
    parts.set(part, (parts.get(part) ?? 0) + (await bytesBelow(path, leaveOut, budget)));
  for (const [part, paths] of folders)
    for (const path of paths) await measureAll(part, join(dataDir, path), all);
  moveCurrent(parts, await measureTables());
  const left = [...all, ...databaseFiles.map((name) => join(dataDir, name))];
  await measureAll('other', dataDir, new Set(left));
  return { parts: [...parts].map(([name, bytes]) => ({ name, bytes })), isComplete: budget.entries > 0 };
}

/** If the current versions are unknown, everything counts as current. */
function moveCurrent(parts: Map<DataPart, number>, current = Number.POSITIVE_INFINITY): void {
  const [index = 0, tables = 0] = [parts.get('index'), parts.get('versions')];
  const moved = Math.min(tables, current);
  parts.set('index', index + moved).set('versions', tables - moved);
}

/**
 * Returns the disk space that stored files take. Doesn't follow links. `leaveOut` names entries that are
 * measured elsewhere.
 */
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
