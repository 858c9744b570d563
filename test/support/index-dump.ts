import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { filesPartition, indexedFiles } from '../../lib/indexing/schema.ts';
import { readSearchSpace } from '../../lib/passages/search-space.ts';
import type { Records } from '../../lib/ports/records.ts';

export interface IndexDump {
  files: unknown[];
  rows: unknown[];
}

/** Returns everything in the index of a workspace, in a comparable form: no times, no IDs. */
export async function dumpIndex(
  dataDir: string,
  workspaceId: string,
  tables = `${dataDir}/vectors`,
): Promise<IndexDump> {
  const database = openDatabase(dataDir);
  try {
    return await dumpIndexOf(sqliteRecords(database), tables, workspaceId);
  } finally {
    database.close();
  }
}

/** The same for records elsewhere. `tables` is the folder of the vectors. */
export async function dumpIndexOf(records: Records, tables: string, workspaceId: string): Promise<IndexDump> {
  const files = [];
  for await (const file of indexedFiles.all(records, { partition: filesPartition(workspaceId) })) {
    const { path, hash, chunks, space, embedded, error, size } = file;
    files.push({ path, hash, chunks, space, embedded, error, size });
  }
  const space = await readSearchSpace(records, workspaceId);
  return { files, rows: space === undefined ? [] : await readRows(tables, workspaceId, space) };
}

/** Reads the table directly, without the adapter, which might hide duplicate rows. */
async function readRows(tables: string, workspaceId: string, space: string): Promise<unknown[]> {
  const { connect } = await import('@lancedb/lancedb');
  const connection = await connect(`${tables}/${workspaceId}`);
  const table = await connection.openTable(space);
  const rows = (await table.query().toArray()) as { id: string; vector?: Iterable<number> | null }[];
  const plain = rows.map((row) => ({ ...row, vector: row.vector ? Array.from(row.vector) : null }));
  return plain.sort((a, b) => (a.id < b.id ? -1 : 1));
}
