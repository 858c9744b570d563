import { createHash } from 'node:crypto';
import { SOURCES_FOLDER } from '../documents/provenance.ts';
import { factText } from '../formats/stated-facts.ts';
import type { SourceFacts, SourceFile } from '../ports/file-source.ts';
import { toFileName } from '../text/file-name.ts';
import type { SourceReason, StoredSourceFile } from './schema.ts';

/** UTF-16 units of a name, which are at most 240 bytes, so that a suffix fits in 255. */
const MAX_NAME = 80;
/** Days for which removed files are kept in the trash. */
export const TRASH_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** A file of the source with its path in the workspace. */
export interface PlacedFile extends SourceFile {
  path: string;
  factsHash: string;
}

/** A step for a file that exists at the source. */
export interface FileStep {
  action: 'add' | 'update' | 'move' | 'facts';
  file: PlacedFile;
  known?: StoredSourceFile | undefined;
}

export type SyncStep =
  | FileStep
  | { action: 'trash' | 'purge' | 'settle'; known: StoredSourceFile }
  | { action: 'skip'; file: PlacedFile; reason: SourceReason };

export function sourceFolder(name: string): string {
  return `${SOURCES_FOLDER}/${name}`;
}

/** Returns a hidden place, which the index skips. The ID makes it unique, so that an interrupted move is found again. */
export function trashPathOf(folder: string, { id, path }: Pick<StoredSourceFile, 'id' | 'path'>): string {
  return `${folder}/.trash/${id}/${path.slice(path.lastIndexOf('/') + 1)}`;
}

/** Returns the place of the source's version next to a file that was changed here. */
export function besideOf(path: string): string {
  return withSuffix(path, ' (source)');
}

/** Gives each file a path below the folder. Files with names that some systems can't tell apart get their IDs. */
export function placeFiles(folder: string, files: SourceFile[]): PlacedFile[] {
  const placed = files.map((file) => {
    const path = [folder, ...file.folders.map(cleanName), cleanFileName(file.name)].join('/');
    const facts = cleanFacts(file.facts);
    return { ...file, facts, path, factsHash: digest(facts) };
  });
  const groups = Map.groupBy(placed, ({ path }) => path.normalize('NFC').toLowerCase());
  return [...groups.values()].flatMap((group) =>
    group.length === 1
      ? group
      : group.map((file) => ({ ...file, path: withSuffix(file.path, ` ${file.id}`) })),
  );
}

/** Returns a name without characters that are special to any file system, and without a dot that would hide it. */
function cleanName(name: string): string {
  return toFileName(name.slice(0, 1000), MAX_NAME).replace(/^[.\s]+|[.\s]+$/g, '') || '_';
}

function cleanFileName(name: string): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[A-Za-z0-9]{1,10})?$/s.exec(name) ?? [];
  return `${cleanName(stem)
    .slice(0, MAX_NAME - extension.length)
    .trim()}${extension.toLowerCase()}`;
}

function withSuffix(path: string, suffix: string): string {
  const dot = /\.[a-z0-9]{1,10}$/.exec(path)?.index ?? path.length;
  return `${path.slice(0, dot)}${suffix}${path.slice(dot)}`;
}

/** Returns the facts as single lines, because they are shown next to file names. */
function cleanFacts({ url, title, authors, year, doi, tags }: SourceFacts): SourceFacts {
  const named = factText(title ?? '');
  return {
    url: url.slice(0, 2000),
    ...(named !== '' && { title: named }),
    authors: authors.map(factText).filter(Boolean).slice(0, 100),
    ...(year !== undefined && { year }),
    ...(doi !== undefined && { doi: factText(doi) }),
    tags: tags.map(factText).filter(Boolean).slice(0, 50),
  };
}

function digest(facts: SourceFacts): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/**
 * Compares the source with what the latest sync wrote. The files in the workspace are compared when a step is carried
 * out. Steps that make room are first.
 */
export function planSync(
  files: PlacedFile[],
  known: StoredSourceFile[],
  { maxFiles, now }: { maxFiles: number; now: number },
): SyncStep[] {
  const byId = new Map(known.map((file) => [file.id, file]));
  const usable = files.filter(({ problem }) => problem === undefined);
  const wanted = new Set(usable.slice(0, maxFiles).map(({ id }) => id));
  const there = new Set(files.map(({ id }) => id));
  return [
    ...known.flatMap((file) => stepForKnown(file, there, now)),
    ...usable.filter(({ id }) => wanted.has(id)).flatMap((file) => stepFor(file, byId.get(file.id))),
    ...files.filter(({ id }) => !wanted.has(id)).map((file) => skip(file)),
  ];
}

function skip(file: PlacedFile): SyncStep {
  return { action: 'skip', file, reason: file.problem ?? 'quota' };
}

function stepForKnown(known: StoredSourceFile, there: Set<string>, now: number): SyncStep[] {
  const isOld = known.trashedAt !== null && Date.parse(known.trashedAt) + TRASH_DAYS * DAY_MS <= now;
  if (known.state === 'trashed') return isOld && !there.has(known.id) ? [{ action: 'purge', known }] : [];
  const settle: SyncStep[] = known.state === 'conflict' ? [{ action: 'settle', known }] : [];
  return there.has(known.id) ? settle : [{ action: 'trash', known }];
}

function stepFor(file: PlacedFile, known: StoredSourceFile | undefined): SyncStep[] {
  if (known === undefined || known.state === 'trashed') return [{ action: 'add', file, known }];
  if (known.version !== file.version) return [{ action: 'update', file, known }];
  if (known.state === 'gone') return [];
  if (known.path !== file.path) return [{ action: 'move', file, known }];
  return known.factsHash === file.factsHash ? [] : [{ action: 'facts', file, known }];
}
