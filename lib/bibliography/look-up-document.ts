import * as z from 'zod';
import { describedAt } from '../documents/described-files.ts';
import { documentAt } from '../documents/documents.ts';
import { type Document, documentSchema } from '../documents/schema.ts';
import { InvalidInput } from '../errors.ts';
import type { Papers } from '../ports/papers.ts';
import type { Records } from '../ports/records.ts';
import { arxivIdOf, doiOf } from '../text/paper-identifiers.ts';
import { type FoundEntry, findPaper, openCatalogs } from './check-entry.ts';
import type { ReferenceEntry } from './entry.ts';
import { checkedEntryShape } from './schema.ts';

const MAX_IDENTIFIER = 500;
/** Milliseconds for a lookup by identifier, and for one by title. Together less than the time of a request. */
const LOOK_UP_MS = 40_000;
const NEVER = new AbortController().signal;

export const lookUpBody = z
  .strictObject({
    identifier: z
      .string()
      .max(MAX_IDENTIFIER)
      .optional()
      .describe(
        'DOI or arXiv ID, also as a URL. By default, those of the document are looked up, then its title.',
      ),
  })
  .meta({ id: 'DocumentLookupRequest' });

const { title, authors, year, doi } = documentSchema.shape;

export const lookUpSchema = z
  .strictObject({
    state: z
      .enum(['found', 'retracted', 'not_found', 'not_checked'])
      .meta({ title: 'DocumentLookupState' })
      .describe(
        'State of the lookup: `found`, `retracted`, `not_found` if every catalog answered and none has the paper, or `not_checked`.',
      ),
    record: z
      .strictObject({
        ...{ title, authors, year, doi },
        arxivId: z
          .string()
          .nullable()
          .describe('ID on arXiv, such as `2005.11401`. Null if it is not known.'),
        venue: z.string().nullable().describe('Journal, proceedings, or publisher. Null if it is not known.'),
        url: z.string().describe('URL of the page of the paper.'),
        source: z.string().describe('Catalog that has the record, such as `crossref`.'),
      })
      .meta({ title: 'DocumentRecord' })
      .nullable()
      .describe('Facts of the paper that was found. Null if none was.'),
    unavailable: checkedEntryShape.unavailable,
  })
  .meta({ id: 'DocumentLookup' });
export type DocumentLookup = z.infer<typeof lookUpSchema>;

interface Ports {
  records: Records;
  papers: Pick<Papers, 'lookUp' | 'retracted'>;
}

/**
 * Looks up the paper of a document: by the identifier, otherwise by the identifiers of the document, then by its title.
 * Changes nothing. Throws NotFound, InvalidInput.
 */
export async function lookUpDocument(
  { records, papers }: Ports,
  id: { workspaceId: string; path: string },
  identifier: string | undefined,
): Promise<DocumentLookup> {
  const catalogs = openCatalogs(papers);
  const find = (entry: ReferenceEntry) => findPaper(catalogs, entry, NEVER, LOOK_UP_MS);
  const document = await documentAt(records, id);
  const asked = identifier?.trim();
  if (asked) return toLookup(await find(identified(asked)));
  const [file] = await describedAt(records, id.workspaceId, [id.path]);
  const known = entryOf({ doi: document.doi ?? undefined, arxivId: file?.document?.arxivId });
  const found = await find(known);
  if (found.paper !== undefined) return toLookup(found);
  return toLookup(await find(titled(document)));
}

/** An entry without a title, because that of the document may be wrong, and its identifier decides then. */
function entryOf(known: { doi?: string | undefined; arxivId?: string | undefined }): ReferenceEntry {
  const { doi, arxivId } = known;
  return {
    ...{ text: '', names: '', isFielded: true, isOutside: false },
    ...(doi !== undefined && { doi: doi.toLowerCase() }),
    ...(arxivId !== undefined && { arxivId }),
  };
}

function identified(identifier: string): ReferenceEntry {
  const arxivId = arxivIdOf(identifier) ?? undefined;
  const doi = doiOf(identifier) ?? undefined;
  if (arxivId === undefined && doi === undefined)
    throw new InvalidInput('invalid_value', '`identifier` must be a DOI or an arXiv ID.', {
      field: 'identifier',
    });
  return entryOf({ doi, arxivId });
}

/** The name of the file isn't a title. */
function titled({ path, title, authors }: Document): ReferenceEntry {
  const entry = { ...entryOf({}), names: authors.join('; ') };
  if (path.endsWith(title)) return entry;
  return { ...entry, title, text: [title, ...authors.slice(0, 3)].join('. ') };
}

function toLookup({ checked, paper }: FoundEntry): DocumentLookup {
  const { state, record, unavailable } = checked;
  if (record === undefined || paper === undefined)
    return { state: state === 'not_found' ? state : 'not_checked', record: null, unavailable };
  const [year] = [...(paper.details?.years ?? []), Number(paper.publishedDate?.slice(0, 4))].filter(Boolean);
  const { doi, arxivId, venue, url, source } = record;
  return {
    state: state === 'retracted' ? state : 'found',
    record: {
      title: paper.title,
      authors: paper.authors,
      year: year ?? null,
      doi,
      arxivId,
      venue,
      url,
      source,
    },
    unavailable,
  };
}
