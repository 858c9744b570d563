import * as z from 'zod';
import { entriesOfDocuments } from '../documents/references.ts';
import type { Records } from '../ports/records.ts';
import { invalidCursor } from '../records/cursor.ts';
import type { PageQuery } from '../records/page.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { readLibrary } from './workspace-library.ts';

const MAX_AUTHORS = 10;

export const bibliographyEntrySchema = z
  .strictObject({
    key: z.string().describe('Key with which texts cite the entry. Empty if the entry has no key.'),
    type: z.string().describe('Type of the entry, as its file names it.'),
    title: z.string(),
    authors: z.array(z.string()).describe('Authors as in the entry, at most 10.'),
    year: z.int().nullable().describe('Year of publication. Null if it is unknown.'),
    venue: z.string().nullable().describe('Journal, proceedings, or book. Null if it is unknown.'),
    doi: z.string().nullable().describe('DOI, without a URL. Null if it is unknown.'),
    arxivId: z.string().nullable().describe('ID on arXiv, such as `2005.11401`. Null if it is unknown.'),
    documents: z.array(z.string()).describe('Paths of the files that the entry describes.'),
  })
  .meta({ id: 'BibliographyEntry' });
type BibliographyEntry = z.infer<typeof bibliographyEntrySchema>;

/** Lists the entries of the workspace's bibliographies, in the order of their files, with the documents of each. */
export async function listEntries(
  records: Records,
  workspace: Pick<Workspace, 'id' | 'rootPath'>,
  { limit, cursor = '0' }: PageQuery,
): Promise<{ items: BibliographyEntry[]; cursor?: string }> {
  if (!/^\d{1,7}$/.test(cursor)) throw invalidCursor();
  const from = Number(cursor);
  const [references, linked] = await Promise.all([
    readLibrary(records, workspace),
    entriesOfDocuments(records, workspace.id),
  ]);
  const paths = Map.groupBy(linked, ({ entry }) => entry);
  const items = references.slice(from, from + limit).map((reference) => {
    const { key, type, title, authors, year = null, venue = null, doi = null, arxivId = null } = reference;
    const documents = (paths.get(entryId(reference)) ?? []).map(({ path }) => path);
    return { key, type, title, authors: authors.slice(0, MAX_AUTHORS), year, venue, doi, arxivId, documents };
  });
  return { items, ...(from + limit < references.length && { cursor: String(from + limit) }) };
}

/** Returns what identifies an entry among those of a workspace, because keys may be missing or repeated. */
export function entryId({ key, title }: { key: string; title: string }): string {
  return `${key}\n${title}`;
}
