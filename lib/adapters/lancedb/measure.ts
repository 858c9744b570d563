import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadLance } from './load.ts';

/** The time limit in milliseconds. Opening a table takes about one. */
const LIMIT_MS = 5000;

/**
 * Returns the bytes of the current versions of all tables in a folder, as their manifests state them. That
 * omits the small files that list deleted rows. Undefined if a table can't be read, or there are too many.
 */
export async function measureTables(folder: string): Promise<number | undefined> {
  const until = performance.now() + LIMIT_MS;
  let bytes = 0;
  try {
    for (const name of await readdir(folder).catch(() => [])) {
      if (performance.now() > until) return undefined;
      bytes += await bytesOfCurrent(join(folder, name));
    }
  } catch {
    return undefined; // the table was dropped or damaged just now
  }
  return bytes;
}

async function bytesOfCurrent(folder: string): Promise<number> {
  const connection = await (await loadLance()).connect(folder);
  let bytes = 0;
  try {
    for (const name of await connection.tableNames()) {
      const table = await connection.openTable(name);
      bytes += (await table.stats()).totalBytes;
      table.close();
    }
  } finally {
    connection.close();
  }
  return bytes;
}
