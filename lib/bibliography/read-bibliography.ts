import * as z from 'zod';
import { InvalidInput } from '../errors.ts';
import { factText } from '../formats/stated-facts.ts';
import { arxivIdOf, doiOf } from '../text/paper-identifiers.ts';
import { requireBoundedJson } from '../validation/bounded-json.ts';
import { readBibFile } from './bib-file.ts';
import { type Reference, toReference } from './match-entry.ts';

const MAX_ENTRIES = 20_000;
const MAX_VALUES = 1_000_000;
const MAX_AUTHORS = 100;

/** Returns whether a file is a bibliography, by its name or, for CSL-JSON, by its beginning. */
export function isBibliography(path: string, text: string): boolean {
  return /\.(?:bib|ris)$/i.test(path) || (/\.json$/i.test(path) && isCslJson(text));
}

/** Fields with these names are only in CSL-JSON. */
const CSL_FIELDS = /"(?:date-parts|container-title|citation-key)"\s*:/;
const BEGINNING = 20_000;

function isCslJson(text: string): boolean {
  const beginning = text.slice(0, BEGINNING);
  return /^\uFEFF?\s*\[\s*\{/.test(beginning) && /"type"\s*:/.test(beginning) && CSL_FIELDS.test(beginning);
}

/**
 * Yields the entries of a BibTeX, RIS, or CSL-JSON file, because thousands of them take seconds. What can't be read is
 * skipped.
 */
export function readBibliography(path: string, text: string): Iterable<Reference> {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  if (/\.ris$/i.test(path)) return readRis(text, folder);
  if (/\.json$/i.test(path)) return readCslJson(text, folder);
  return readBibFile(text).map((entry) => toReference(entry, folder));
}

interface Fields {
  key: string;
  type: string;
  title?: string | undefined;
  authors: string[];
  date?: string | undefined;
  venue?: string | undefined;
  doi?: string | undefined;
  url?: string | undefined;
  isbn?: boolean;
  files?: string[];
  folder: string;
}

function referenceOf({
  key,
  type,
  title = '',
  authors,
  date = '',
  folder,
  files = [],
  ...found
}: Fields): Reference {
  const { venue, doi = null, url = null, isbn = false } = found;
  const year = Number(/\d{4}/.exec(date)?.[0]);
  const known = { doi: doiOf(doi) ?? doiOf(url), arxivId: arxivIdOf(url) ?? arxivIdOf(doi) };
  return {
    ...{ key: factText(key), type: factText(type), title: factText(title), folder, files },
    authors: authors.slice(0, MAX_AUTHORS).map(factText),
    ...(!Number.isNaN(year) && { year }),
    ...(venue !== undefined && { venue: factText(venue) }),
    ...(known.doi !== null && { doi: known.doi }),
    ...(known.arxivId !== null && { arxivId: known.arxivId }),
    ...(url !== null && { url: factText(url) }),
    ...(isbn && { isbn: true as const }),
  };
}

const RIS_LINE = /^([A-Z][A-Z0-9]) {1,3}-(?: (.*))?$/;

/** RIS: lines with a two-letter tag, from `TY` to `ER`. */
function* readRis(text: string, folder: string): Generator<Reference> {
  let count = 0;
  let tags: Tags = new Map();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, tag = '', value = ''] = RIS_LINE.exec(line.slice(0, 10_000)) ?? [];
    if (tag === 'ER' && tags.has('TY')) {
      yield ofTags(tags, folder);
      count += 1;
    }
    if (count === MAX_ENTRIES) return;
    if (tag === 'TY' || tag === 'ER') tags = new Map();
    addTag(tags, tag, value.trim());
  }
}

function addTag(tags: Tags, tag: string, value: string): void {
  const before = tags.get(tag) ?? [];
  if (tag !== '' && before.length < MAX_AUTHORS) tags.set(tag, [...before, value]);
}

type Tags = Map<string, string[]>;

function ofTags(tags: Tags, folder: string): Reference {
  const all = (...names: string[]) =>
    names.flatMap((name) => tags.get(name) ?? []).filter((value) => value !== '');
  const one = (...names: string[]) => all(...names)[0];
  return referenceOf({
    ...{ key: one('ID', 'LB') ?? '', type: one('TY') ?? '', title: one('TI', 'T1', 'CT'), folder },
    ...{ authors: all('AU', 'A1'), date: one('PY', 'Y1', 'DA'), venue: one('T2', 'JO', 'JF', 'JA', 'PB') },
    ...{ doi: one('DO'), url: one('UR', 'L2'), isbn: one('TY') === 'BOOK' && one('SN') !== undefined },
    files: all('L1', 'LK').map((path) => path.replace(/^file:\/\//, '')),
  });
}

const text = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
const personSchema = z.object({ family: text, given: text, literal: text });
const cslSchema = z.object({
  ...{
    id: text,
    'citation-key': text,
    type: text,
    title: text,
    'container-title': text,
    DOI: text,
    URL: text,
  },
  ...{ ISBN: text, publisher: text },
  author: z.array(personSchema).optional().catch(undefined),
  issued: z
    .object({ 'date-parts': z.array(z.array(text)).optional().catch(undefined), raw: text, literal: text })
    .optional()
    .catch(undefined),
});

function* readCslJson(source: string, folder: string): Generator<Reference> {
  const items = z.array(z.unknown()).safeParse(parsed(source));
  for (const value of items.data?.slice(0, MAX_ENTRIES) ?? []) {
    const item = cslSchema.safeParse(value);
    if (item.success) yield ofCsl(item.data, folder);
  }
}

function parsed(source: string): unknown {
  try {
    requireBoundedJson(source, 'The bibliography', MAX_VALUES);
    return JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof InvalidInput || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function ofCsl(item: z.infer<typeof cslSchema>, folder: string): Reference {
  const { issued, author = [], ISBN: isbn, 'container-title': venue } = item;
  return referenceOf({
    ...{ key: item['citation-key'] ?? item.id ?? '', type: item.type ?? '', title: item.title, folder },
    authors: author.flatMap(
      ({ family, given, literal }) => literal ?? ([family, given].filter(Boolean).join(', ') || []),
    ),
    date: issued?.['date-parts']?.[0]?.[0] ?? issued?.raw ?? issued?.literal,
    ...{ venue: venue ?? item.publisher, doi: item.DOI, url: item.URL, isbn: isbn !== undefined },
  });
}
