import type { Schemas } from '../../lib/api-contract/schema.ts';
import { FILE_KINDS, type FileKind } from '../search/queries.ts';

type File = Pick<Schemas['ListedFile'], 'path' | 'title'>;

/** A question to start with: its text in the languages (`chat.begin.…`), and the files that it names. */
export interface Starter {
  key: 'changed' | 'compare' | 'conclude' | 'table' | 'code' | 'overview' | 'disagree' | 'missing';
  name?: string;
  other?: string;
}

const SHOWN = 3;
/** A longer one makes no question that is read at a glance. */
const MAX_NAME = 48;

const EXTENSIONS = new Map(
  Object.entries(FILE_KINDS).flatMap(([kind, list]) =>
    list.split(',').map((extension) => [extension, kind as FileKind] as const),
  ),
);

/** Questions about the files of a workspace by their names and kinds: a pair, a text, a table, code; then about all of them. */
export function startersOf(files: readonly File[]): Starter[] {
  const named = files.map(({ path }) => path).filter((path) => nameOf(path).length <= MAX_NAME);
  const ofKind = (...kinds: FileKind[]) => named.filter((path) => kinds.includes(kindOf(path) as FileKind));
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

/** Words that search finds: headings of the texts. */
export function searchStarters(files: readonly File[]): string[] {
  const titles = files.flatMap(({ path, title = '' }) =>
    kindOf(path) !== 'code' && /\p{L}{4}|\p{Script=Han}{2}/u.test(title) && title.length <= MAX_NAME
      ? [title]
      : [],
  );
  return [...new Set(titles)].slice(0, SHOWN);
}

interface Pair {
  key: 'changed' | 'compare';
  paths: [string, string];
}

/** Two texts of a folder: those whose names differ by a number alone, else the first two. */
function pairOf(paths: readonly string[]): Pair | undefined {
  for (const alike of Map.groupBy(paths, (path) => path.replace(/\d+/g, '0')).values()) {
    const [one, other] = alike.slice(-2);
    if (one !== undefined && other !== undefined) return { key: 'changed', paths: [one, other] };
  }
  for (const near of Map.groupBy(paths, folderOf).values()) {
    const [one, other] = near;
    if (one !== undefined && other !== undefined) return { key: 'compare', paths: [one, other] };
  }
  return undefined;
}

function kindOf(path: string): FileKind | undefined {
  return EXTENSIONS.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
