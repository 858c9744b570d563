import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { NotFound } from '../../errors.ts';
import { formatOf, isPicture } from '../../formats/all-formats.ts';
import { confine, withDirectory } from '../../paths/confine.ts';
import { childOf, entryFolder, entryName } from '../../paths/entry-path.ts';
import { sweepUnfinished } from '../../paths/stale-temp-files.ts';
import { statAll } from '../../paths/stat-all.ts';
import { isTempName } from '../../paths/temp-name.ts';
import { type IgnoreRules, isIgnored, isSkippedName, readRules } from './ignore-rules.ts';
import { isSubmodule, oddEntryAt, oddReason, type SkippedFile, unspeakableNames } from './odd-entries.ts';
import { RULE_FILES, VIRTUAL_ENVIRONMENT } from './rule-files.ts';

/** A file that belongs in the index, with its stat. */
export interface WalkedFile {
  path: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

const MAX_DEPTH = 100;
/** The number of folders read at once. */
const FOLDERS_AT_ONCE = 16;

export interface Walk {
  files: WalkedFile[];
  skipped: SkippedFile[];
  /**
   * Existing folders and files that couldn't be read, for any reason. They are also among the skipped files.
   */
  unreadable: string[];
}

/** Omits images without an OCR engine, unless `isKept`. */
export function leaveOutPictures(walked: Walk, isKept: (path: string) => boolean): Walk {
  const isLeft = ({ path }: WalkedFile) => isPicture(path) && !isKept(path);
  const left = walked.files.filter(isLeft);
  if (left.length === 0) return walked;
  const skipped = left.map(({ path, size }) => ({ path, size, reason: 'no_text' as const, folder: false }));
  return {
    ...walked,
    files: walked.files.filter((file) => !isLeft(file)),
    skipped: [...walked.skipped, ...skipped],
  };
}

interface Folder {
  path: string;
  above: IgnoreRules | undefined;
}

/**
 * Returns the files below a folder that belong in the index by their extension, except those that ignore
 * files or conventions exclude. Doesn't follow symlinks: their targets are indexed in their own place, and
 * never outside the workspace.
 */
export async function walk(root: string, folder = ''): Promise<Walk> {
  const found: Walk = { files: [], skipped: [], unreadable: [] };
  let level: Folder[] = [{ path: folder, above: await rulesAbove(root, folder) }];
  for (let depth = depthOf(folder); depth <= MAX_DEPTH && level.length > 0; depth++) {
    const below: Folder[] = [];
    for (let start = 0; start < level.length; start += FOLDERS_AT_ONCE) {
      const some = level.slice(start, start + FOLDERS_AT_ONCE);
      below.push(...(await Promise.all(some.map((each) => walkFolder(root, each, found)))).flat());
    }
    level = below;
  }
  found.skipped.push(...level.map(({ path }) => skippedFolder(path, 'depth')));
  return found;
}

/**
 * Visits each folder, at and below this one, that a walk of the workspace would enter, before listing it.
 * Doesn't check files. A virtual environment is recognized by its contents, so it is visited too.
 */
export async function visitFolders(
  root: string,
  folder: string,
  visit: (folder: string) => void,
): Promise<void> {
  if ((await closedFolder(root, folder)) !== undefined) return;
  let level: Folder[] = [{ path: folder, above: await rulesAbove(root, folder) }];
  for (let depth = depthOf(folder); depth <= MAX_DEPTH && level.length > 0; depth++) {
    const below: Folder[] = [];
    for (let start = 0; start < level.length; start += FOLDERS_AT_ONCE) {
      const some = level.slice(start, start + FOLDERS_AT_ONCE);
      for (const { path } of some) visit(path);
      below.push(...(await Promise.all(some.map((each) => openFoldersOf(root, each)))).flat());
    }
    level = below;
  }
}

/** Returns a folder's depth below the root, wherever the walk started; 0 for the root. */
function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

/** Returns the subfolders to walk, which are unknown if the folder is unreadable. */
async function openFoldersOf(root: string, folder: Folder): Promise<Folder[]> {
  const listed = (directory: string) => list(root, folder, directory);
  const { open, rules } = await withDirectory(root, join(root, folder.path), listed).catch(() => NO_ENTRIES);
  return open.map((path) => ({ path, above: rules }));
}

const NOTHING: Walk = { files: [], skipped: [], unreadable: [] };

/**
 * Returns the files below a path that a walk of the workspace would find. A file behind a symlink is found at
 * its real path.
 */
export async function presentBelow(realRoot: string, path: string): Promise<Walk> {
  const [found, odd] = await Promise.all([walkBelow(realRoot, path), oddEntryAt(realRoot, path)]);
  if (odd === undefined) return found;
  const { path: place, folder, reason } = odd;
  if ((await closedFolder(realRoot, entryFolder(place))) !== undefined) return found;
  const { skip } = seeFile(folder ? `${place}/` : place, await rulesAbove(realRoot, place));
  const entry: SkippedFile = { ...odd, reason: skip === 'ignored' ? skip : reason };
  return reason === 'name'
    ? { ...NOTHING, skipped: [entry] }
    : { ...found, skipped: [...found.skipped, entry] };
}

async function walkBelow(realRoot: string, path: string): Promise<Walk> {
  const location = await confine(realRoot, path).catch(() => undefined);
  if (location === undefined) return NOTHING;
  const real = relative(realRoot, location);
  const stats = await lstat(location).catch(() => undefined);
  if (!stats?.isDirectory() && !stats?.isFile()) return NOTHING;
  const closed = await closedFolder(realRoot, stats.isDirectory() ? real : entryFolder(real));
  if (closed !== undefined) return { ...NOTHING, skipped: [skippedFolder(closed)] };
  if (stats.isDirectory()) return walk(realRoot, real);
  const found: Walk = { files: [], skipped: [], unreadable: [] };
  addFile(seeFile(real, await rulesAbove(realRoot, real)), stats, found);
  return found;
}

function skippedFolder(path: string, reason: SkippedFile['reason'] = 'ignored'): SkippedFile {
  return { path, size: 0, reason, folder: true };
}

function addUnreadable(path: string, folder: boolean, found: Walk): void {
  found.unreadable.push(path);
  found.skipped.push({ path, size: 0, reason: 'unreadable', folder });
}

/** Returns the first folder on the way to this one that a walk doesn't enter. */
async function closedFolder(root: string, path: string): Promise<string | undefined> {
  if (path === '') return undefined;
  const segments = path.split('/');
  const folders = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  const rules = await rulesAbove(root, path);
  const marks = await statAll(folders.map((folder) => join(root, folder, VIRTUAL_ENVIRONMENT)));
  return folders.find(
    (folder, index) =>
      isSkippedName(entryName(folder), true) || isIgnored(rules, `${folder}/`) || marks[index] !== undefined,
  );
}

/** Returns true if the path is one of these, or below one. */
export function isBelowAny(path: string, folders: string[]): boolean {
  return folders.some((folder) => folder === '' || path === folder || path.startsWith(`${folder}/`));
}

/** Returns the rules that apply to the contents of `path`, from the root down to its parent. */
async function rulesAbove(root: string, path: string): Promise<IgnoreRules | undefined> {
  const segments = path.split('/').slice(0, -1);
  const folders = ['', ...segments.map((_, index) => segments.slice(0, index + 1).join('/'))];
  if (path === '') return undefined;
  let rules: IgnoreRules | undefined;
  for (const folder of folders) rules = await readRules(root, folder, new Set(RULE_FILES), rules);
  return rules;
}

/** Adds the folder's own files to `found`; returns its subfolders to walk. */
async function walkFolder(root: string, { path, above }: Folder, found: Walk): Promise<Folder[]> {
  try {
    const walked = (directory: string) => walkOpen(root, { path, above }, directory, found);
    return await withDirectory(root, join(root, path), walked);
  } catch (error) {
    // Only a deleted folder counts as empty. After any other error, its files must not count as removed.
    if (!isGone(error)) addUnreadable(path, true, found);
    return [];
  }
}

/**
 * `directory` is the open handle of the folder, so that a link that replaces the folder can't redirect the
 * walk.
 */
async function walkOpen(
  root: string,
  { path: folder, above }: Folder,
  directory: string,
  found: Walk,
): Promise<Folder[]> {
  const entries = await list(root, { path: folder, above }, directory);
  const { isEmpty, isEnvironment, unfinished, files, open, closed, odd, rules } = entries;
  if (isEnvironment && folder !== '') found.skipped.push(skippedFolder(folder));
  if (isEmpty && folder !== '' && (await isSubmodule(root, folder)))
    found.skipped.push(skippedFolder(folder, 'submodule'));
  for (const name of unfinished) await sweepUnfinished(`${directory}/${name}`).catch(() => {});
  await describeFiles(
    directory,
    files.map((path) => seeFile(path, rules)),
    found,
  );
  found.skipped.push(...closed.map((path) => skippedFolder(path)));
  for (const entry of odd) {
    const { path, skip } = seeFile(childOf(folder, entry.name), rules);
    const isFolder = entry.isDirectory();
    const own = isFolder || entry.isFile() ? 'name' : await oddReason(root, path, entry);
    found.skipped.push({ path, size: 0, reason: skip === 'ignored' ? skip : own, folder: isFolder });
  }
  return open.map((path) => ({ path, above: rules }));
}

/**
 * A folder's contents: paths of files, of folders that the walk enters (`open`), and of other folders; and entries of
 * other kinds.
 */
interface Entries {
  isEmpty: boolean;
  isEnvironment: boolean;
  unfinished: string[];
  files: string[];
  open: string[];
  closed: string[];
  odd: Dirent[];
  rules: IgnoreRules | undefined;
}

const NO_ENTRIES: Entries = {
  isEmpty: false,
  isEnvironment: false,
  unfinished: [],
  files: [],
  open: [],
  closed: [],
  odd: [],
  rules: undefined,
};

async function list(root: string, { path: folder, above }: Folder, directory: string): Promise<Entries> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  if (names.has(VIRTUAL_ENVIRONMENT)) return { ...NO_ENTRIES, isEnvironment: true };
  const rules = await readRules(root, folder, names, above);
  const prefix = folder === '' ? '' : `${folder}/`;
  const unfinished = entries.map(({ name }) => name).filter(isTempName);
  const unspeakable = await unspeakableNames(directory, [...names]);
  const isPlain = (entry: Dirent) => (entry.isFile() || entry.isDirectory()) && !unspeakable.has(entry.name);
  const others = entries.filter(({ name }) => !isTempName(name));
  const shown = others.filter(isPlain);
  const odd = others.filter((entry) => !isPlain(entry));
  const isEmpty = entries.every(({ name }) => name === '.git');
  const files = shown.filter((entry) => entry.isFile()).map(({ name }) => prefix + name);
  const folders = shown.filter((entry) => entry.isDirectory()).map(({ name }) => prefix + name);
  const isClosed = (path: string) => isSkippedName(entryName(path), true) || isIgnored(rules, `${path}/`);
  const { open = [], closed = [] } = Object.groupBy(folders, (path) => (isClosed(path) ? 'closed' : 'open'));
  return { isEmpty, isEnvironment: false, unfinished, files, open, closed, odd, rules };
}

function isGone(error: unknown): boolean {
  return (
    error instanceof NotFound || ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
  );
}

/** A file by name, with the reason if the walk skips it. */
interface SeenEntry {
  path: string;
  skip: SkippedFile['reason'] | undefined;
}

function seeFile(path: string, rules: IgnoreRules | undefined): SeenEntry {
  if (isSkippedName(entryName(path), false) || isIgnored(rules, path)) return { path, skip: 'ignored' };
  return { path, skip: formatOf(path) === undefined ? 'kind' : undefined };
}

async function describeFiles(directory: string, entries: SeenEntry[], found: Walk): Promise<void> {
  const places = entries.map(({ path }) => `${directory}/${entryName(path)}`);
  const stats = await statAll(places);
  for (const [index, entry] of entries.entries()) {
    const own = stats[index];
    if (own?.isFile()) addFile(entry, own, found);
    else if (own === undefined && entry.skip === undefined && (await isHidden(places[index] ?? '')))
      addUnreadable(entry.path, false, found);
  }
}

function addFile({ path, skip }: SeenEntry, { size, mtimeMs, ctimeMs }: Stats, found: Walk): void {
  if (skip === undefined) found.files.push({ path, size, mtimeMs, ctimeMs });
  else found.skipped.push({ path, size, reason: skip, folder: false });
}

/**
 * Returns true if a stat failed because the file was deleted in the meantime, or because its folder can be
 * listed but not entered.
 */
async function isHidden(location: string): Promise<boolean> {
  return lstat(location).then(
    () => false,
    (error: unknown) => !isGone(error),
  );
}
