import * as z from 'zod';
import { entryId } from '../../bibliography/list-entries.ts';
import type { Reference } from '../../bibliography/match-entry.ts';
import { readLibrary } from '../../bibliography/workspace-library.ts';
import { describedAt, mayBeIndexed } from '../../documents/described-files.ts';
import { documentsAt } from '../../documents/documents.ts';
import { type Provenance, provenancesOf } from '../../documents/provenance.ts';
import { type DocumentReference, documentReferences } from '../../documents/references.ts';
import type { Document } from '../../documents/schema.ts';
import type { Records } from '../../ports/records.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { itemsWithKeys } from '../result/csl-json.ts';
import type { Source } from '../schema.ts';

/** The maximum number of documents. An answer cites fewer. */
const MAX_PATHS = 200;
const MAX_PATH = 4096;

export const citeBody = z
  .strictObject({
    paths: z
      .array(z.string().max(MAX_PATH))
      .min(1)
      .max(MAX_PATHS)
      .describe('Paths of the documents to cite, at most 200.'),
  })
  .meta({ id: 'CiteRequest' });

const text = z.string();
const nameSchema = z
  .strictObject({ family: text, given: text, suffix: text, literal: text })
  .partial()
  .meta({ title: 'CslName' });
const dateSchema = z
  .strictObject({
    'date-parts': z.array(z.array(z.int())).describe('Year, month, and day, as far as known.'),
  })
  .meta({ title: 'CslDate' });

const cslItemSchema = z
  .strictObject({
    id: text.describe('Key with which a text cites the item: `[@id]`.'),
    type: text.describe('Type of the item, such as `article-journal`.'),
    title: text,
    author: z.array(nameSchema).optional(),
    issued: dateSchema.optional(),
    'container-title': text.optional(),
    accessed: dateSchema.optional(),
    DOI: text.optional(),
    URL: text.optional(),
    archive: text.optional(),
    number: text.optional(),
    note: text.optional(),
  })
  .meta({ id: 'CslItem', description: 'Item in CSL-JSON, which citation managers and Pandoc read.' });

export const citedDocumentSchema = z
  .strictObject({
    path: text.describe('Path of the document.'),
    item: cslItemSchema,
  })
  .meta({ id: 'CitedDocument' });
export type CitedDocument = z.infer<typeof citedDocumentSchema>;

/**
 * Returns the items with which texts cite documents, in the order of the paths. Each has another key: its own, or one made
 * from its author, year, and title. Paths that the index doesn't know are missing.
 */
export async function citeDocuments(
  records: Records,
  workspace: Workspace,
  paths: string[],
): Promise<CitedDocument[]> {
  const unique = [...new Set(paths)].filter(mayBeIndexed);
  const ids = unique.map((path) => ({ workspaceId: workspace.id, path }));
  const [documents, files, linked] = await Promise.all([
    documentsAt(records, workspace, unique),
    describedAt(records, workspace.id, unique),
    workspace.hasBibliographies ? documentReferences.getMany(records, ids) : [],
  ]);
  const origins = await provenancesOf(
    records,
    workspace,
    files.map(({ path, hash }) => ({ path, fileHash: hash })),
  );
  const entries = await entriesOf(records, workspace, linked);
  const known = new Map(files.map((file) => [file.path, file]));
  const cited = unique.flatMap((path) => {
    const [document, file] = [documents.get(path), known.get(path)];
    if (document === undefined || file === undefined) return [];
    const arxivId = file.document?.arxivId;
    return [
      {
        path,
        source: sourceOf(document, { arxivId, origin: origins.get(file.hash), entry: entries.get(path) }),
      },
    ];
  });
  return itemsWithKeys(cited).map((item, at) => ({ path: cited[at]?.path ?? '', item }));
}

/** Returns the entries of bibliographies, by the paths of their documents. They have the venue and the type. */
async function entriesOf(
  records: Records,
  workspace: Workspace,
  linked: DocumentReference[],
): Promise<Map<string, Reference>> {
  if (linked.length === 0) return new Map();
  const known = new Map((await readLibrary(records, workspace)).map((one) => [entryId(one), one]));
  return new Map(
    linked.flatMap(({ path, entry }) => {
      const reference = known.get(entry);
      return reference === undefined ? [] : [[path, reference]];
    }),
  );
}

interface Known {
  arxivId: string | undefined;
  origin: Provenance | undefined;
  entry: Reference | undefined;
}

function sourceOf(document: Document, { arxivId, origin, entry }: Known): Source {
  const { title, authors, year, doi, citeKey } = document;
  const page = origin?.sourceId === undefined ? origin : undefined;
  return {
    kind: doi !== null || arxivId !== undefined ? 'paper' : page === undefined ? 'file' : 'web',
    title,
    ...(authors.length > 0 && { authors }),
    ...(year !== null && { year }),
    ...(doi !== null && { doi }),
    ...(arxivId !== undefined && { arxivId }),
    ...(page !== undefined && { url: page.url, retrievedAt: page.fetchedAt }),
    ...(entry !== undefined && ofEntry(entry, year)),
    ...(citeKey !== null && { citationKey: citeKey }),
  };
}

/** Returns what only an entry has. Its date counts if its year wasn't corrected. */
function ofEntry({ type, venue, date, year }: Reference, known: number | null): Partial<Source> {
  return {
    entryType: type,
    ...(venue !== undefined && { venue }),
    ...(date !== undefined && year === known && { publishedDate: date }),
  };
}
