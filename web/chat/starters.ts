import { type SearchKind, searchKindOf } from '../../lib/api-contract/file-kinds.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';

type File = Pick<Schemas['ListedFile'], 'path' | 'title'>;

/** A suggested question: its key in the translations (`chat.begin.…`), and the files that it names. */
export interface Starter {
  key: 'changed' | 'compare' | 'conclude' | 'table' | 'code' | 'overview' | 'disagree' | 'missing';
  name?: string;
  other?: string;
}

const SHOWN = 3;
/** Maximum characters of a file name. A longer one makes the question too long to read at a glance. */
const MAX_NAME = 48;

/**
 * Returns questions about the files of a workspace by name and kind: about a pair of files, a text, a table,
 * and code, then about all files.
 */
export function startersOf(files: readonly File[]): Starter[] {
  const named = largestFolders(files)
    .flat()
    .map(({ path }) => path)
    .filter((path) => nameOf(path).length <= MAX_NAME);
  const ofKind = (...kinds: SearchKind[]) =>
    named.filter((path) => kinds.includes(searchKindOf(path) as SearchKind));
  const texts = ofKind('pdf', 'documents', 'notes');
  const pair = pairOf(texts);
  const text = texts.find((path) => !pair?.paths.includes(path));
  const [table] = ofKind('tables');
  const [code] = ofKind('code');
  const about: Starter[] = [
    ...(pair ? [{ key: pair.key, name: nameOf(pair.paths[0]), other: nameOf(pair.paths[1]) }] : []),
    ...(text ? [{ key: 'conclude' as const, name: nameOf(text) }] : []),
    ...(table ? [{ key: 'table' as const, name: nameOf(table) }] : []),
    ...(code ? [{ key: 'code' as const, name: nameOf(code) }] : []),
  ];
  const all: Starter['key'][] =
    files.length > 1 ? ['overview', 'disagree', 'missing'] : ['overview', 'missing'];
  return [...about, ...all.map((key) => ({ key }))].slice(0, SHOWN);
}

/** Returns words for which a search finds something: headings of the texts, the first one per folder. */
export function searchStarters(files: readonly File[]): string[] {
  const titles = largestFolders(files.filter(isTitled)).map((folder) =>
    folder.map(({ title }) => title ?? ''),
  );
  const firsts = titles.flatMap((folder) => folder.slice(0, 1));
  return [...new Set([...firsts, ...titles.flat()])].slice(0, SHOWN);
}

function isTitled({ path, title = '' }: File): boolean {
  return (
    searchKindOf(path) !== 'code' && /\p{L}{4}|\p{Script=Han}{2}/u.test(title) && title.length <= MAX_NAME
  );
}

/**
 * Groups files by folder, largest first, because a workspace is more likely about these files than about the
 * alphabetically first.
 */
function largestFolders(files: readonly File[]): File[][] {
  const folders = [...Map.groupBy(files, ({ path }) => folderOf(path)).values()];
  return folders.toSorted((one, other) => other.length - one.length);
}

interface Pair {
  key: 'changed' | 'compare';
  paths: [string, string];
}

/** Matches `v2`, `version 2.1`, `draft-3`, `第2版`, or a year, month, or day. Other numbers aren't versions. */
const VERSION =
  /(?<!\p{L})(?:v|ver|version|rev|revision|draft)[ ._-]?\d{1,9}(?:\.\d{1,9}){0,9}(?![\p{L}\d])|第?(?<!\d)\d{1,9}(?:版|稿)|(?<!\d)(?:19|20)\d\d(?:([-_.]?)(?:0[1-9]|1[0-2])(?:\1(?:0[1-9]|[12]\d|3[01]))?)?(?!\d)/giu;

/** Returns two texts of a folder: the last two versions of one text, otherwise the first two texts. */
function pairOf(paths: readonly string[]): Pair | undefined {
  for (const [name, alike] of Map.groupBy(paths, nameWithoutVersion)) {
    const [one, other] = alike.slice(-2);
    if (name === undefined) continue;
    if (one !== undefined && other !== undefined) return { key: 'changed', paths: [one, other] };
  }
  for (const near of Map.groupBy(paths, folderOf).values()) {
    const [one, other] = near;
    if (one !== undefined && other !== undefined) return { key: 'compare', paths: [one, other] };
  }
  return undefined;
}

/**
 * Returns a file's name without its version. Undefined if it has no version, or nothing else, because the
 * days of a diary aren't versions.
 */
function nameWithoutVersion(path: string): string | undefined {
  const name = nameOf(path);
  const without = name.replace(VERSION, '');
  const isNamed = /\p{L}/u.test(without.replace(/\.[^.]*$/, ''));
  return without !== name && isNamed ? folderOf(path) + without : undefined;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
