import { shareThread } from '../async/share-thread.ts';
import { factText } from '../formats/stated-facts.ts';
import { arxivIdOf, doiOf, lettersOf } from '../text/paper-identifiers.ts';
import { type BibEntry, personNamesIn, plainText } from './bib-file.ts';

/** An entry of a `.bib` file of the workspace, prepared for matching and display. */
export interface Reference {
  key: string;
  type: string;
  title: string;
  authors: string[];
  year?: number;
  date?: string;
  venue?: string;
  doi?: string;
  arxivId?: string;
  url?: string;
  /** True if it has an ISBN, like a book. */
  isbn?: true;
  /** The files that the entry names, with `/` between folders. */
  files: string[];
  /** The folder of the `.bib` file, such as '' or `papers`. */
  folder: string;
}

const MAX_AUTHORS = 100;

export function toReference({ key, type, fields }: BibEntry, folder: string): Reference {
  const text = (...names: string[]) =>
    names.map((name) => shortText(fields.get(name) ?? '')).find((one) => one !== '') ?? '';
  const doi = doiOf(text('doi')) ?? doiOf(text('url'));
  const arxivId = arxivOf(text('eprint'), text('archiveprefix', 'eprinttype'), text('url'), doi);
  const venue = text('journal', 'journaltitle', 'booktitle', 'maintitle');
  return {
    ...{ key: factText(key), type, title: text('title'), folder, files: filesOf(fields.get('file') ?? '') },
    authors: personNamesIn(fields.get('author') ?? fields.get('editor') ?? '')
      .slice(0, MAX_AUTHORS)
      .map(factText),
    ...dateOf(text('date', 'year')),
    ...(venue !== '' && { venue }),
    ...(doi !== null && { doi }),
    ...(arxivId !== null && { arxivId }),
    ...(text('url') !== '' && { url: text('url') }),
    ...(text('isbn') !== '' && { isbn: true as const }),
  };
}

function shortText(value: string): string {
  return factText(plainText(value.slice(0, 5000)));
}

function dateOf(written: string): Pick<Reference, 'year' | 'date'> {
  const [year = ''] = /^\d{4}/.exec(written) ?? [];
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(Date.parse(written));
  return { ...(year !== '' && { year: Number(year) }), ...(isDate && { date: written }) };
}

function arxivOf(eprint: string, archive: string, url: string, doi: string | null): string | null {
  const own = /^(arxiv)?$/i.test(archive) ? arxivIdOf(eprint) : null;
  return own ?? (/arxiv\.org|huggingface\.co/i.test(url) ? arxivIdOf(url) : null) ?? arxivIdOf(doi);
}

/**
 * Reads a `file` field: a path, or several as in JabRef, Zotero, and Mendeley, `Full
 * text:/home/me/x.pdf:application/pdf;…`, where `\:` and `C:\` are parts of a path.
 */
function filesOf(field: string): string[] {
  const paths = field
    .slice(0, 5000)
    .replace(/\{?\\(?:textbackslash|backslash)\}?(?:\{\})?/g, '/')
    .replace(/\$\/\$/g, '/')
    .replace(/\\([:;_&%#{}])/g, (_, sign: string) =>
      sign === ':' ? '\u0001' : sign === ';' ? '\u0002' : sign,
    )
    .replace(/\\+/g, '/')
    .split(';')
    .flatMap((one) => one.replace(/(^|:)([A-Za-z]):(?=\/)/g, '$1$2\u0001').split(':'))
    .map((one) => one.replaceAll('\u0001', ':').replaceAll('\u0002', ';').trim())
    .filter((one) => /[^/.][^/]*\.[A-Za-z0-9]{1,8}$/.test(one));
  return [...new Set(paths)].slice(0, 20);
}

/** The known data of a file, to find its entry. */
interface Known {
  path: string;
  doi?: string | undefined;
  arxivId?: string | undefined;
  title?: string | undefined;
}

/** Finds the entry of a file. */
export type FindReference = (known: Known) => Reference | undefined;

/**
 * Returns a function that finds entries. If several entries have the same DOI, the first is used. If several
 * have the same file, the function returns none of them.
 */
export async function referenceFinder(references: Reference[]): Promise<FindReference> {
  const byDoi = new Map<string, Reference>();
  const byArxiv = new Map<string, Reference>();
  const byTitle = new Map<string, Reference | undefined>();
  const byFile = new Map<string, Reference | undefined>();
  const add = (found: Map<string, Reference | undefined>, key: string, one: Reference) =>
    found.set(key, found.has(key) && !isSame(found.get(key), one) ? undefined : (found.get(key) ?? one));
  const share = shareThread();
  for (const one of references) {
    await share();
    if (one.doi !== undefined && !byDoi.has(one.doi)) byDoi.set(one.doi, one);
    if (one.arxivId !== undefined && !byArxiv.has(one.arxivId)) byArxiv.set(one.arxivId, one);
    const title = lettersOf(one.title);
    if (title.length >= MIN_TITLE) add(byTitle, title, one);
    for (const place of new Set(one.files.flatMap((file) => placesOf(file, one.folder))))
      add(byFile, place, one);
  }
  return ({ path, doi, arxivId, title }) =>
    byDoi.get(doi?.toLowerCase() ?? '') ??
    byArxiv.get(arxivId ?? '') ??
    placesOf(path, '')
      .map((place) => byFile.get(place))
      .find((one) => one !== undefined) ??
    byTitle.get(lettersOf(title ?? ''));
}

function isSame(one: Reference | undefined, other: Reference): boolean {
  return one?.key === other.key && one.title === other.title;
}

/** The minimum number of letters in a title, because many papers are called `Introduction`. */
const MIN_TITLE = 15;
/** The minimum number of characters in a name without the extension, because many files are called `paper.pdf`. */
const MIN_NAME = 8;

/**
 * Returns the keys of a path: the full path from the workspace's folder, its last two segments, and its name if that is
 * long enough to be specific. The paths in a library come from its owner's computer.
 */
function placesOf(path: string, folder: string): string[] {
  const isAbsolute = /^(?:\/|[A-Za-z]:\/|~\/)/.test(path);
  const steps = (isAbsolute ? path : `${folder}/${path}`)
    .split('/')
    .filter((step) => step !== '' && step !== '.');
  const inside: string[] = [];
  for (const step of steps) {
    if (step === '..') inside.pop();
    else inside.push(step.normalize('NFC'));
  }
  const name = inside.at(-1) ?? '';
  return [
    ...(isAbsolute ? [] : [`/${inside.join('/')}`]),
    ...(inside.length > 1 ? [inside.slice(-2).join('/')] : []),
    ...(name.replace(/\.[^.]*$/, '').length >= MIN_NAME ? [name] : []),
  ];
}
