import * as z from 'zod';
import { newId } from '../identifiers.ts';
import type { Records } from '../ports/records.ts';
import type { Vectors } from '../ports/vectors.ts';
import { collection } from '../records/collection.ts';

/** The ID of tables without a record, and of their files. */
export const NO_ID = '';

/**
 * The table of a space. It gets its ID before it is created, to distinguish files that were indexed in a lost
 * table from those of its replacement.
 */
export const passageTables = collection({
  kind: 'passage-table',
  schema: z.object({
    workspaceId: z.string(),
    space: z.string(),
    id: z.string(),
    /**
     * A text, with the length and the largest components of its vector. It shows whether the embedding
     * service still has this model.
     */
    sample: z
      .object({ text: z.string(), dimensions: z.int(), parts: z.array(z.tuple([z.int(), z.number()])) })
      .optional(),
  }),
  key: ({ workspaceId, space }: { workspaceId: string; space: string }) => ({
    partition: tablesPartition(workspaceId),
    sort: space,
  }),
});

export function tablesPartition(workspaceId: string): string {
  return `TABLES#${workspaceId}`;
}

/** The stores in which tables are looked up. This opens no table. */
export interface TablePorts {
  records: Records;
  vectors: Pick<Vectors, 'has'>;
}

interface Space {
  workspaceId: string;
  space: string;
}

/**
 * Returns the ID of the existing table; undefined if there is no table. A table without a record gets one, so
 * that its loss will be noticed.
 */
export async function readTableId(
  { records, vectors }: TablePorts,
  { workspaceId, space }: Space,
): Promise<string | undefined> {
  const [isThere, made] = await Promise.all([
    vectors.has(workspaceId, space),
    passageTables.get(records, { workspaceId, space }),
  ]);
  if (!isThere) return undefined;
  if (made === undefined) await passageTables.create(records, { workspaceId, space, id: NO_ID });
  return made?.id ?? NO_ID;
}

/**
 * For the only writer, before the first row: writes the ID before the table. After a crash at any point, no
 * table has another table's ID. At most, a table has an ID that no file has, and its files are indexed again.
 */
export async function prepareTable(
  { records, vectors }: { records: Records; vectors: Vectors },
  { workspaceId, space }: Space,
): Promise<string> {
  const before = await passageTables.get(records, { workspaceId, space });
  const id = newId();
  await passageTables.put(records, { workspaceId, space, id });
  if (await vectors.clear(workspaceId, space)) return id;
  const there = before?.id ?? NO_ID;
  await passageTables.put(records, { workspaceId, space, id: there });
  return there;
}

/** Returns true if a table was created and no longer exists. */
export async function isLost(
  { records, vectors }: TablePorts,
  { workspaceId, space }: Space,
): Promise<boolean> {
  const made = await passageTables.get(records, { workspaceId, space });
  return made !== undefined && !(await vectors.has(workspaceId, space));
}
