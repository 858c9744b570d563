import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { addFactSource, type FactSources } from './fact-sources.ts';

/** The folder of a workspace for files from outside: of sources, saved pages, and papers. */
export const SOURCES_FOLDER = 'sources';
/** The folder of a workspace in which web pages are saved. */
export const PAGES_FOLDER = `${SOURCES_FOLDER}/web`;

const originShape = {
  url: z.string().describe('URL from which the contents of the file were fetched.'),
  fetchedAt: z.string().describe('Time of the fetch, in ISO 8601.'),
};
export const originSchema = z.strictObject(originShape).meta({ id: 'FileOrigin' });
export type FileOrigin = z.infer<typeof originSchema>;

const line = z.string();
/** The facts of a document that its source states. */
const sourceFactsShape = {
  title: line.optional(),
  authors: z.array(line).optional(),
  year: z.number().optional(),
  doi: line.optional(),
  tags: z.array(line).optional(),
};
/** The source that keeps a file up to date. */
const ofSourceShape = { sourceId: line.optional(), kind: line.optional(), etag: line.optional() };

export const provenanceSchema = z
  .strictObject({
    ...originShape,
    sourceId: z.string().nullable().describe('ID of the source. Null for a page or paper that was saved.'),
    kind: z
      .string()
      .describe('Kind of the source, such as `zotero`. `web` for a page or paper that was saved.'),
    etag: z.string().optional().describe('Version of the contents at the source.'),
    title: z.string().optional().describe('Title of the document, as the source states it.'),
    authors: z.array(z.string()).optional().describe('Authors of the document, as the source states them.'),
  })
  .meta({ id: 'FileProvenance' });
export type ShownProvenance = z.infer<typeof provenanceSchema>;

/**
 * Where the contents of a file came from. Identified by their hash, so that the origin stays known if the file is
 * renamed, and no longer applies if it is edited.
 */
const provenances = collection({
  kind: 'file-provenance',
  schema: z.object({
    ...{ workspaceId: z.string(), hash: z.string() },
    ...{ ...originShape, ...ofSourceShape, ...sourceFactsShape },
  }),
  key: ({ workspaceId, hash }: { workspaceId: string; hash: string }) => ({
    partition: partitionOf(workspaceId),
    sort: hash,
  }),
});

function partitionOf(workspaceId: string): string {
  return `PROVENANCE#${workspaceId}`;
}

export type Provenance = NonNullable<Awaited<ReturnType<typeof provenances.get>>>;

/** Stores where contents came from. `details` are those of a source that keeps them up to date. */
export async function storeOrigin(
  records: Records,
  workspace: FactSources,
  hash: string,
  { url, fetchedAt }: FileOrigin,
  details: Omit<Provenance, 'workspaceId' | 'hash' | keyof FileOrigin> = {},
): Promise<void> {
  await addFactSource(records, workspace, 'hasWebPages');
  await provenances.put(records, { workspaceId: workspace.id, hash, url, fetchedAt, ...details });
}

/**
 * Returns where contents came from, by their hashes; those of a person's files are missing. The workspace may have been
 * read before its first page was saved, so pages in their folder are always looked up.
 */
export async function provenancesOf(
  records: Records,
  { id: workspaceId, hasWebPages }: FactSources,
  files: { path: string; fileHash?: string | undefined }[],
): Promise<Map<string, Provenance>> {
  const possible = files.filter(({ path }) => hasWebPages || path.startsWith(`${PAGES_FOLDER}/`));
  const hashes = new Set(possible.flatMap(({ fileHash }) => fileHash ?? []));
  const ids = [...hashes].map((hash) => ({ workspaceId, hash }));
  return new Map((await provenances.getMany(records, ids)).map((one) => [one.hash, one]));
}

/** Returns where contents came from; undefined if it isn't known. */
export function provenanceOf(
  records: Records,
  workspaceId: string,
  hash: string,
): Promise<Provenance | undefined> {
  return provenances.get(records, { workspaceId, hash });
}

/** Returns the origin of contents as the API shows it; undefined if none is known. */
export async function shownProvenance(
  records: Records,
  workspaceId: string,
  hash: string,
): Promise<ShownProvenance | undefined> {
  const found = await provenanceOf(records, workspaceId, hash);
  if (found === undefined) return undefined;
  const { url, fetchedAt, sourceId = null, kind = 'web', etag, title, authors } = found;
  return {
    ...{ url, fetchedAt, sourceId, kind },
    ...(etag && { etag }),
    ...(title !== undefined && { title }),
    ...(authors !== undefined && { authors }),
  };
}

/** The maximum number of contents whose origins are listed. */
const MAX_LISTED = 50_000;

/** Returns the origins of all contents of a workspace, by their hashes. */
export async function allProvenances(
  records: Records,
  workspaceId: string,
): Promise<Map<string, Provenance>> {
  const found = new Map<string, Provenance>();
  for await (const one of provenances.all(records, { partition: partitionOf(workspaceId) })) {
    found.set(one.hash, one);
    if (found.size === MAX_LISTED) break;
  }
  return found;
}

export function dropProvenance(records: Records, workspaceId: string): Promise<void> {
  return dropPartition(records, partitionOf(workspaceId));
}
