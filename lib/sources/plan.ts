import { createHash } from 'node:crypto';
import { SOURCES_FOLDER } from '../documents/provenance.ts';
import { factText } from '../formats/stated-facts.ts';
import { entryName, foldersOf, foldPath } from '../paths/entry-path.ts';
import type { SourceFacts, SourceFile } from '../ports/file-source.ts';
import { beginning } from '../text/cut-text.ts';
import { toFileName } from '../text/file-name.ts';
import type { SourceReason, StoredSourceFile } from './schema.ts';

/** UTF-16 units of a name, which are at most 210 bytes, so that two suffixes fit in 255. */
const MAX_NAME = 70;
/** Levels of folders, so that a path fits in 4,096 bytes. Files of deeper ones are in the deepest. */
const MAX_LEVELS = 15;
/** Days for which removed files are kept in the trash. */
const TRASH_DAYS = 30;
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
  return `${folder}/.trash/${id}/${entryName(path)}`;
}

/** Returns the place of the source's version next to a file that was changed here. */
export function besideOf(path: string): string {
  return withSuffix(path, ' (source)');
}

/** Gives each file a path below the folder. Files with names that some systems can't tell apart get their IDs. */
export function placeFiles(folder: string, files: SourceFile[]): PlacedFile[] {
  const placed = files.map((file) => {
    const folders = file.folders.slice(0, MAX_LEVELS).map(cleanName);
    const path = [folder, ...folders, cleanFileName(file.name)].join('/');
    const facts = cleanFacts(file.facts);
    return { ...file, facts, path, factsHash: digest(facts) };
  });
  const folders = new Set(placed.flatMap(({ path }) => foldersOf(foldPath(path))));
  const groups = Map.groupBy(placed, ({ path }) => foldPath(path));
  return [...groups].flatMap(([path, group]) =>
    group.length === 1 && !folders.has(path)
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
  return `${beginning(cleanName(stem), MAX_NAME - extension.length).trim()}${extension.toLowerCase()}`;
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

export interface SyncLimits {
  maxFiles: number;
  maxBytes: number;
  now: number;
}

/**
 * Compares the source with what the latest sync wrote. The files in the workspace are compared when a step is carried
 * out. Steps that make room are first. Beyond the limit, new files are left out.
 */
export function planSync(files: PlacedFile[], known: StoredSourceFile[], limits: SyncLimits): SyncStep[] {
  const byId = new Map(known.map((file) => [file.id, file]));
  const isNew = ({ id }: PlacedFile) => byId.get(id) === undefined || byId.get(id)?.state === 'trashed';
  const usable = files.filter(({ problem }) => problem === undefined);
  const oldFirst = [...usable.filter((file) => !isNew(file)), ...usable.filter(isNew)];
  const wanted = new Set(oldFirst.slice(0, limits.maxFiles).map(({ id }) => id));
  const there = new Set(files.map(({ id }) => id));
  return [
    ...purgeSteps(
      known.filter(({ id }) => !there.has(id)),
      limits,
    ),
    ...known.flatMap((file) => stepForKnown(file, there)),
    ...usable.filter(({ id }) => wanted.has(id)).flatMap((file) => stepsFor(file, byId.get(file.id))),
    ...files.filter(({ id }) => !wanted.has(id)).map((file) => skip(file)),
  ];
}

/** Empties the trash: of files older than 30 days, and of the oldest ones beyond the limits of the source. */
export function purgeSteps(known: StoredSourceFile[], { maxFiles, maxBytes, now }: SyncLimits): SyncStep[] {
  const trashed = known
    .filter(({ state }) => state === 'trashed')
    .map((file) => ({ file, at: Date.parse(file.trashedAt ?? '') }))
    .sort((one, other) => other.at - one.at);
  let [count, bytes] = [0, 0];
  const isOver = ({ file, at }: (typeof trashed)[number]) => {
    count++;
    bytes += file.size;
    return at + TRASH_DAYS * DAY_MS <= now || count > maxFiles || bytes > maxBytes;
  };
  return trashed.filter(isOver).map(({ file: known }) => ({ action: 'purge', known }));
}

function skip(file: PlacedFile): SyncStep {
  return { action: 'skip', file, reason: file.problem ?? 'quota' };
}

function stepForKnown(known: StoredSourceFile, there: Set<string>): SyncStep[] {
  if (known.state === 'trashed') return [];
  const settle: SyncStep[] = known.state === 'conflict' ? [{ action: 'settle', known }] : [];
  return there.has(known.id) ? settle : [{ action: 'trash', known }];
}

function stepsFor(file: PlacedFile, known: StoredSourceFile | undefined): SyncStep[] {
  if (known === undefined || known.state === 'trashed') return [{ action: 'add', file, known }];
  const isGone = known.state === 'gone';
  const move: SyncStep[] = known.path === file.path || isGone ? [] : [{ action: 'move', file, known }];
  if (known.version !== file.version) return [...move, { action: 'update', file, known }];
  if (isGone || move.length > 0) return move;
  return known.factsHash === file.factsHash ? [] : [{ action: 'facts', file, known }];
}
