import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { dropPartition } from '../records/drop-partition.ts';

const originShape = {
  url: z.string().describe('URL from which the contents of the file were fetched.'),
  fetchedAt: z.string().describe('Time of the fetch, in ISO 8601.'),
};
export const originSchema = z.strictObject(originShape).meta({ id: 'FileOrigin' });
export type FileOrigin = z.infer<typeof originSchema>;

/**
 * Where the contents of a file came from. Identified by their hash, so that the origin stays known if the file is
 * renamed, and no longer applies if it is edited.
 */
const provenances = collection({
  kind: 'file-provenance',
  schema: z.object({ workspaceId: z.string(), hash: z.string(), ...originShape }),
  key: ({ workspaceId, hash }: { workspaceId: string; hash: string }) => ({
    partition: partitionOf(workspaceId),
    sort: hash,
  }),
});

function partitionOf(workspaceId: string): string {
  return `PROVENANCE#${workspaceId}`;
}

export async function storeOrigin(
  records: Records,
  file: { workspaceId: string; hash: string },
  { url, fetchedAt }: FileOrigin,
): Promise<void> {
  await provenances.put(records, { ...file, url, fetchedAt });
}

/** Returns the origins of contents by their hashes; those of a person's files are missing. */
export async function originsOf(
  records: Records,
  workspaceId: string,
  hashes: string[],
): Promise<Map<string, FileOrigin>> {
  const ids = [...new Set(hashes)].map((hash) => ({ workspaceId, hash }));
  const found = await provenances.getMany(records, ids);
  return new Map(found.map(({ hash, url, fetchedAt }) => [hash, { url, fetchedAt }]));
}

export function dropProvenance(records: Records, workspaceId: string): Promise<void> {
  return dropPartition(records, partitionOf(workspaceId));
}
