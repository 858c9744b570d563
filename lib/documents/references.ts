import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { addFactSource, type FactSources } from './fact-sources.ts';

/** The maximum number of bibliographies of a workspace that are listed. */
const MAX_BIBLIOGRAPHIES = 100;

/** A file of the workspace whose entries describe other files. */
const bibliographies = collection({
  kind: 'bibliography',
  schema: z.object({ workspaceId: z.string(), path: z.string() }),
  key: ({ workspaceId, path }: { workspaceId: string; path: string }) => ({
    partition: bibliographiesPartition(workspaceId),
    sort: path,
  }),
});

export function bibliographiesPartition(workspaceId: string): string {
  return `BIBLIOGRAPHIES#${workspaceId}`;
}

/** What a bibliography says about a document, as an entry of a person. */
export const documentReferences = collection({
  kind: 'document-reference',
  schema: z.object({
    workspaceId: z.string(),
    path: z.string(),
    /** The ID of the entry in its bibliography. */
    entry: z.string(),
    key: z.string().optional(),
    title: z.string().optional(),
    authors: z.array(z.string()).optional(),
    year: z.number().optional(),
    doi: z.string().optional(),
  }),
  key: ({ workspaceId, path }: { workspaceId: string; path: string }) => ({
    partition: documentReferencesPartition(workspaceId),
    sort: path,
  }),
});
export type DocumentReference = NonNullable<Awaited<ReturnType<typeof documentReferences.get>>>;

export function documentReferencesPartition(workspaceId: string): string {
  return `DOCUMENT_REFERENCES#${workspaceId}`;
}

export async function bibliographyPaths(records: Records, workspaceId: string): Promise<string[]> {
  const query = { partition: bibliographiesPartition(workspaceId), limit: MAX_BIBLIOGRAPHIES };
  return (await bibliographies.list(records, query)).items.map(({ path }) => path);
}

/** Stores which of the changed files are bibliographies. */
export async function keepBibliographies(
  records: Records,
  workspace: FactSources,
  { added, removed }: { added: string[]; removed: string[] },
): Promise<void> {
  const { id: workspaceId } = workspace;
  await addFactSource(records, workspace, 'hasBibliographies');
  const toId = (path: string) => ({ workspaceId, path });
  await bibliographies.putMany(records, added.map(toId));
  await bibliographies.deleteMany(records, removed.map(toId));
}

/** The maximum number of documents whose entries are listed. */
const MAX_LISTED = 20_000;

/** Returns the documents of a workspace that have an entry. */
export async function entriesOfDocuments(
  records: Records,
  workspaceId: string,
): Promise<DocumentReference[]> {
  const found: DocumentReference[] = [];
  for await (const one of documentReferences.all(records, {
    partition: documentReferencesPartition(workspaceId),
  })) {
    found.push(one);
    if (found.length === MAX_LISTED) break;
  }
  return found;
}
