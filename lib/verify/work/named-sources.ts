import { entriesOfDocuments } from '../../documents/references.ts';
import type { Records } from '../../ports/records.ts';
import type { ScoredPassage, SearchScope } from '../../ports/vectors.ts';
import { lettersOf } from '../../text/paper-identifiers.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { DraftText } from '../draft/draft.ts';
import { authorsIn, keysIn, NAMED_FILE, NUMBERS, referenceNumbers } from '../references.ts';
import { listedSources, type SourceEntry } from '../source-list.ts';
import type { Candidate, NamedFinding } from './candidate.ts';

/** A source that a sentence names, in the draft's words. */
interface NamedSource {
  label: string;
  /** The first author's family name, the year, and the title, as far as the draft has them. */
  author?: string | undefined;
  year?: string | undefined;
  title?: string | undefined;
  /** A file that the sentence names. */
  file?: string | undefined;
}

const FILES = new RegExp(String.raw`(?<![\p{L}\p{N}/._-])${NAMED_FILE}`, 'giu');
const MAX_NAMED = 3;
const MAX_TITLE = 300;
/** The minimum number of letters in a title. A shorter title occurs in texts by chance. */
const MIN_TITLE_LETTERS = 16;
const MIN_TITLE_HAN = 6;

/**
 * Returns the sources that a sentence names: files, authors with a year, and numbers in the draft's list of
 * sources.
 */
function namedIn(sentence: string, listed: SourceEntry[]): NamedSource[] {
  const files = [...sentence.matchAll(FILES)].map(([file]) => ({ label: file, file }));
  const numbered = [...sentence.matchAll(NUMBERS)].slice(0, MAX_NAMED).flatMap(([, numbers = '']) => {
    const first = /^\d+/.exec(numbers)?.[0];
    const entry = listed.findLast(({ number }) => number === first);
    return entry === undefined ? [] : [{ label: `[${numbers}]`, ...describeEntry(entry.text) }];
  });
  const authored = authorsIn(sentence)
    .slice(0, MAX_NAMED)
    .map(({ author, year }) => {
      const entry = listed.find(({ text }) => text.includes(author) && text.includes(year));
      const title = entry === undefined ? undefined : describeEntry(entry.text).title;
      return { label: `${author} ${year}`, author, year, title };
    });
  return [...files, ...numbered, ...authored].slice(0, MAX_NAMED);
}

/** Matches text after which numbers in brackets may be an interval, such as `95 % CI [12, 45]`. */
const OF_INTERVAL = /(?:\bCI|intervals?|ranges?|区间|范围|[=:∈%‰])[\s(（]*$/iu;
/**
 * Returns the reference numbers in a sentence that have no entry. Empty if the draft has no numbered list,
 * because its list may be elsewhere.
 */
function unlistedIn(sentence: string, listed: ReadonlySet<number>): string[] {
  if (listed.size === 0) return [];
  const named = [...sentence.matchAll(NUMBERS)].flatMap(({ 1: numbers = '', index }) => {
    const isInterval = numbers.length > 3 && OF_INTERVAL.test(sentence.slice(Math.max(0, index - 20), index));
    return isInterval ? [] : referenceNumbers(numbers);
  });
  const unlisted = [...new Set(named)].filter((number) => !listed.has(number));
  return unlisted.slice(0, MAX_NAMED).map((number) => `[${number}]`);
}

/** For example, `Smith, J. (2020). Owls hunt at night. Journal of Birds.` */
function describeEntry(entry: string): Pick<NamedSource, 'author' | 'year' | 'title'> {
  const author = /^(?:[A-Z]\.\s*)*(\p{Lu}[\p{L}'’-]+|\p{Script=Han}{2,4})/u.exec(entry)?.[1];
  const year = /(?:1[5-9]|20)\d\d/.exec(entry)?.[0];
  const quoted = /["“”«「《]([^"“”»」》]{8,300})[,.]?["“”»」》]/u.exec(entry)?.[1];
  const after = /(?:1[5-9]|20)\d\d[a-z]?[)）]?[.,:]?\s+([^.。]{8,300})/u.exec(entry)?.[1];
  const longest = entry.split(/[.。]\s*/).toSorted((one, other) => other.length - one.length)[0];
  return { author, year, title: (quoted ?? after ?? longest)?.slice(0, MAX_TITLE).trim() };
}

/** Returns whether a passage is from the source, because of the name or the title of its file. */
function isOfSource(
  { author, year, title, file }: NamedSource,
  { path, text, context = '', startChar }: ScoredPassage,
): boolean {
  if (file !== undefined) return path === file || path.endsWith(`/${file}`);
  const name = lettersOf(path.slice(path.lastIndexOf('/') + 1));
  if (author !== undefined && year !== undefined && name.includes(lettersOf(author)) && name.includes(year))
    return true;
  const letters = lettersOf(title ?? '');
  const least = /\p{Script=Han}/u.test(letters) ? MIN_TITLE_HAN : MIN_TITLE_LETTERS;
  if (letters.length < least) return false;
  return name.includes(letters) || isTitled(context, letters) || (startChar === 0 && isTitled(text, letters));
}

const BEGINNING = 500;
const LABEL = /^[\s#*_"']*(?:title|titel|题目|标题|题名)\s*[:：]/iu;

/**
 * Returns whether one of the first lines starts with the title. A title within a line may be in a list of
 * sources, or in a sentence.
 */
function isTitled(text: string, letters: string): boolean {
  const beginning = text.slice(0, BEGINNING);
  return [...beginning.matchAll(/^(?=.)/gmu)].some(({ index }) =>
    lettersOf(beginning.slice(index).replace(LABEL, '')).startsWith(letters),
  );
}

/** Finds sources among the files of the workspaces. */
interface SourceFinder {
  workspaces: Workspace[];
  /** The documents that drafts cite by their keys. */
  byKey: DocumentsByKey;
  search(workspace: Workspace, query: string): Promise<ScoredPassage[]>;
}

/** Looks for places of a claim in some files. */
type FindIn = (workspace: Workspace, scope: SearchScope) => Promise<Candidate[]>;

interface FoundFile {
  workspace: Workspace;
  path: string;
}

/** Documents by the key of their entry in a bibliography of the workspaces. */
export type DocumentsByKey = ReadonlyMap<string, FoundFile>;

/** Reads the documents of the keys. Only for drafts that cite by key, because it reads every linked document. */
export async function documentsByKey(records: Records, workspaces: Workspace[]): Promise<DocumentsByKey> {
  const found = new Map<string, FoundFile>();
  for (const workspace of workspaces)
    for (const { key, path } of await entriesOfDocuments(records, workspace.id))
      if (key !== undefined && !found.has(key)) found.set(key, { workspace, path });
  return found;
}

export type NamedSources = ReturnType<typeof openNamedSources>;

export function openNamedSources(draft: DraftText) {
  const { entries, numbers } = listedSources(draft);
  const known = new Map<string, Promise<FoundFile | undefined>>();
  async function fileOf(finder: SourceFinder, source: NamedSource): Promise<FoundFile | undefined> {
    const { author, year, title, file } = source;
    const query = [file, author, year, title].filter((part) => part !== undefined).join(' ');
    for (const workspace of finder.workspaces) {
      const passages = await finder.search(workspace, query);
      const found = passages.find((passage) => isOfSource(source, passage));
      if (found !== undefined) return { workspace, path: found.path };
    }
    return undefined;
  }
  function once(finder: SourceFinder, source: NamedSource): Promise<FoundFile | undefined> {
    const key = JSON.stringify(source);
    const finding = known.get(key) ?? fileOf(finder, source);
    known.set(key, finding);
    return finding;
  }
  return {
    /** Returns the numbered references that the draft's list of sources lacks: `[9]`. */
    unlistedIn: (sentence: string) => unlistedIn(sentence, numbers),
    /** Undefined for a sentence that names no source. */
    async find(finder: SourceFinder, sentence: string, findIn: FindIn): Promise<NamedFinding | undefined> {
      const keyed = keysIn(sentence).flatMap((key) => {
        const file = finder.byKey.get(key);
        return file === undefined ? [] : [{ label: `@${key}`, found: file }];
      });
      const named: (NamedSource & { found?: FoundFile })[] = [...keyed, ...namedIn(sentence, entries)];
      const [first] = named;
      if (first === undefined) return undefined;
      const found = await Promise.all(named.map((source) => source.found ?? once(finder, source)));
      const at = found.findIndex((file) => file !== undefined);
      const file = found[at];
      if (file === undefined) return { label: first.label, path: undefined, candidates: [] };
      const candidates = await findIn(file.workspace, { paths: [file.path] });
      const absent = named.find((_, place) => found[place] === undefined)?.label;
      return { label: named[at]?.label ?? first.label, path: file.path, absent, candidates };
    },
  };
}
