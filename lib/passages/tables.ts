import * as z from 'zod';
import { newId } from '../identifiers.ts';
import type { Records } from '../ports/records.ts';
import type { Vectors } from '../ports/vectors.ts';
import { collection } from '../records/collection.ts';

/** Of a table that was made before they had ids, and of files in it. */
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

/** For the one writer, before the first row: so no table is ever there under the id of another. */
export async function prepareTable(
  { records, vectors }: { records: Records; vectors: Vectors },
  { workspaceId, space }: Space,
): Promise<string> {
  if (!(await vectors.clear(workspaceId, space)))
    return (await passageTables.get(records, { workspaceId, space }))?.id ?? NO_ID;
  const id = newId();
  await passageTables.put(records, { workspaceId, space, id });
  return id;
}

/** Its table was made, and is not there any more. */
export async function isLost(
  { records, vectors }: TablePorts,
  { workspaceId, space }: Space,
): Promise<boolean> {
  const made = await passageTables.get(records, { workspaceId, space });
  return made !== undefined && !(await vectors.has(workspaceId, space));
}
