import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { addFactSource, type FactSources } from './fact-sources.ts';

/** The folder of a workspace in which web pages are saved. */
export const PAGES_FOLDER = 'sources/web';

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
  workspace: FactSources,
  hash: string,
  { url, fetchedAt }: FileOrigin,
): Promise<void> {
  await addFactSource(records, workspace, 'hasWebPages');
  await provenances.put(records, { workspaceId: workspace.id, hash, url, fetchedAt });
}

/**
 * Returns the origins of contents by their hashes; those of a person's files are missing. The workspace may have been
 * read before its first page was saved, so pages in their folder are always looked up.
 */
export async function originsOf(
  records: Records,
  { id: workspaceId, hasWebPages }: FactSources,
  files: { path: string; fileHash?: string | undefined }[],
): Promise<Map<string, FileOrigin>> {
  const possible = files.filter(({ path }) => hasWebPages || path.startsWith(`${PAGES_FOLDER}/`));
  const hashes = new Set(possible.flatMap(({ fileHash }) => fileHash ?? []));
  const ids = [...hashes].map((hash) => ({ workspaceId, hash }));
  const found = await provenances.getMany(records, ids);
  return new Map(found.map(({ hash, url, fetchedAt }) => [hash, { url, fetchedAt }]));
}

export function dropProvenance(records: Records, workspaceId: string): Promise<void> {
  return dropPartition(records, partitionOf(workspaceId));
}
