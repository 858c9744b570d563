import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { NotFound } from '../../errors.ts';
import { formatOf } from '../../formats/all-formats.ts';
import { confine, withDirectory } from '../../paths/confine.ts';
import { statAll } from '../../paths/stat-all.ts';
import { isTempName } from '../../paths/temp-name.ts';
import { sweepUnfinished } from '../../paths/unfinished.ts';
import { type IgnoreRules, isIgnored, isSkippedName, readRules } from './ignore-rules.ts';

/** A file that belongs in the index, as a stat shows it. */
export interface WalkedFile {
  path: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

const MAX_DEPTH = 100;
/** The mark of a Python virtual environment: other people's packages. */
const VIRTUAL_ENVIRONMENT = 'pyvenv.cfg';
/** Folders being read at once. */
const FOLDERS_AT_ONCE = 16;

export interface Walk {
  files: WalkedFile[];
  /** Folders and files that could not be looked at, for whatever reason but that they are gone. */
  unreadable: string[];
}

interface Folder {
  path: string;
  above: IgnoreRules | undefined;
}

/**
 * The files below a folder that belong in the index: by extension, less what ignore files and custom leave out. Links
 * are not followed: what they lead to is indexed where it lies, and outside the workspace not at all.
 */
export async function walk(root: string, folder = ''): Promise<Walk> {
  const found: Walk = { files: [], unreadable: [] };
  let level: Folder[] = [{ path: folder, above: await rulesAbove(root, folder) }];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const below: Folder[] = [];
    for (let start = 0; start < level.length; start += FOLDERS_AT_ONCE) {
      const some = level.slice(start, start + FOLDERS_AT_ONCE);
      below.push(...(await Promise.all(some.map((each) => walkFolder(root, each, found)))).flat());
    }
    level = below;
  }
  return found;
}

const NOTHING: Walk = { files: [], unreadable: [] };

/** What the walk of the workspace would find below a path; what lies behind a link is found where it really is. */
export async function presentBelow(realRoot: string, path: string): Promise<Walk> {
  const location = await confine(realRoot, path).catch(() => undefined);
  if (location === undefined) return NOTHING;
  const real = relative(realRoot, location);
  const stats = await lstat(location).catch(() => undefined);
  if (stats?.isDirectory()) return (await isWalkedFolder(realRoot, real)) ? walk(realRoot, real) : NOTHING;
  if (!stats?.isFile() || !(await isWalked(realRoot, real))) return NOTHING;
  const { size, mtimeMs, ctimeMs } = stats;
  return { files: [{ path: real, size, mtimeMs, ctimeMs }], unreadable: [] };
}

/** Whether the walk of the whole workspace would come by this file. */
export async function isWalked(root: string, path: string): Promise<boolean> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!isWanted(name, path, await rulesAbove(root, path))) return false;
  return isWalkedFolder(root, path.split('/').slice(0, -1).join('/'));
}

/** Whether it would enter this folder. */
export async function isWalkedFolder(root: string, path: string): Promise<boolean> {
  if (path === '') return true;
  const segments = path.split('/');
  if (segments.some((segment) => isSkippedName(segment, true))) return false;
  const rules = await rulesAbove(root, path);
  const folders = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  if (folders.some((folder) => isIgnored(rules, `${folder}/`))) return false;
  const marks = await statAll(folders.map((folder) => join(root, folder, VIRTUAL_ENVIRONMENT)));
  return marks.every((mark) => mark === undefined);
}

/** Whether the path is one of these or lies below one. */
export function isBelowAny(path: string, folders: string[]): boolean {
  return folders.some((folder) => folder === '' || path === folder || path.startsWith(`${folder}/`));
}

/** The rules that hold for what lies in `path`, from the root down to its parent. */
async function rulesAbove(root: string, path: string): Promise<IgnoreRules | undefined> {
  const segments = path.split('/').slice(0, -1);
  const folders = ['', ...segments.map((_, index) => segments.slice(0, index + 1).join('/'))];
  if (path === '') return undefined;
  let rules: IgnoreRules | undefined;
  for (const folder of folders)
    rules = await readRules(root, folder, new Set(['.gitignore', '.wrsignore']), rules);
  return rules;
}

/** Puts the folder's own files into `found`; answers the folders in it that are to be walked. */
async function walkFolder(root: string, { path, above }: Folder, found: Walk): Promise<Folder[]> {
  try {
    const walked = (directory: string) => walkOpen(root, { path, above }, directory, found);
    return await withDirectory(root, join(root, path), walked);
  } catch (error) {
    // Only a folder that is gone is an empty one: any other trouble must not look as if its files were removed.
    if (!isGone(error)) found.unreadable.push(path);
    return [];
  }
}

/** `directory` is the folder held open: a link that comes into its place leads the walk nowhere. */
async function walkOpen(
  root: string,
  { path: folder, above }: Folder,
  directory: string,
  found: Walk,
): Promise<Folder[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  if (names.has(VIRTUAL_ENVIRONMENT)) return [];
  const rules = await readRules(root, folder, names, above);
  const prefix = folder === '' ? '' : `${folder}/`;
  const files: string[] = [];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const path = prefix + entry.name;
    if (isTempName(entry.name)) await sweepUnfinished(`${directory}/${entry.name}`).catch(() => {});
    else if (entry.isDirectory() && !isSkippedName(entry.name, true) && !isIgnored(rules, `${path}/`)) {
      folders.push({ path, above: rules });
    } else if (entry.isFile() && isWanted(entry.name, path, rules)) files.push(path);
  }
  await describeFiles(directory, files, found);
  return folders;
}

function isGone(error: unknown): boolean {
  return (
    error instanceof NotFound || ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
  );
}

function isWanted(name: string, path: string, rules: IgnoreRules | undefined): boolean {
  return !isSkippedName(name, false) && formatOf(path) !== undefined && !isIgnored(rules, path);
}

async function describeFiles(directory: string, paths: string[], { files, unreadable }: Walk): Promise<void> {
  const places = paths.map((path) => `${directory}/${path.slice(path.lastIndexOf('/') + 1)}`);
  const stats = await statAll(places);
  for (const [index, path] of paths.entries()) {
    const own = stats[index];
    if (own?.isFile()) files.push({ path, size: own.size, mtimeMs: own.mtimeMs, ctimeMs: own.ctimeMs });
    else if (own === undefined && (await isHidden(places[index] ?? ''))) unreadable.push(path);
  }
}

/** A stat failed: because the file went meanwhile, or because its folder may be listed but not entered. */
async function isHidden(location: string): Promise<boolean> {
  return lstat(location).then(
    () => false,
    (error: unknown) => !isGone(error),
  );
}
