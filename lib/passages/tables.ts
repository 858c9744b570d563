import * as z from 'zod';
import { newId } from '../identifiers.ts';
import type { Records } from '../ports/records.ts';
import type { Vectors } from '../ports/vectors.ts';
import { collection } from '../records/collection.ts';

/** The id of a table that was made before tables had ids, and of its files. */
export const NO_ID = '';

/**
 * Which table a space has. Whoever makes one gives it an id first: files that are indexed in a table that was lost are told
 * by it from those of the one in its place.
 */
export const passageTables = collection({
  kind: 'passage-table',
  schema: z.object({ workspaceId: z.string(), space: z.string(), id: z.string() }),
  key: ({ workspaceId, space }: { workspaceId: string; space: string }) => ({
    partition: tablesPartition(workspaceId),
    sort: space,
  }),
});

export function tablesPartition(workspaceId: string): string {
  return `TABLES#${workspaceId}`;
}

/** Where tables are looked for; none is opened. */
export interface TablePorts {
  records: Records;
  vectors: Pick<Vectors, 'has'>;
}

interface Space {
  workspaceId: string;
  space: string;
}

/** The id of the table that is there; undefined where there is none. One of before gets a record, so that its loss shows. */
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
 * For the one writer, before the first row. The id comes first: killed anywhere it leaves no table under the id of another,
 * but at most one under an id that no file has, whose files are read again.
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

/** Its table was made, and is not there any more. */
export async function isLost(
  { records, vectors }: TablePorts,
  { workspaceId, space }: Space,
): Promise<boolean> {
  const made = await passageTables.get(records, { workspaceId, space });
  return made !== undefined && !(await vectors.has(workspaceId, space));
}
