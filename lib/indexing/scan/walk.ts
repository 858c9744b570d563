import type { Dirent } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { formatOf } from '../../formats/all-formats.ts';
import { confine } from '../../paths/confine.ts';
import { statAll } from '../../paths/stat-all.ts';
import { isTempName } from '../../paths/temp-name.ts';
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
/** A file that was being written this long ago belongs to a writer that died. */
const ABANDONED_MS = 60 * 60 * 1000;

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
async function walkFolder(root: string, { path: folder, above }: Folder, found: Walk): Promise<Folder[]> {
  const entries = await readEntries(root, folder, found);
  const names = new Set(entries.map(({ name }) => name));
  if (names.has(VIRTUAL_ENVIRONMENT)) return [];
  const rules = await readRules(root, folder, names, above);
  const prefix = folder === '' ? '' : `${folder}/`;
  const files: string[] = [];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const path = prefix + entry.name;
    if (isTempName(entry.name)) await sweep(join(root, path));
    else if (entry.isDirectory() && !isSkippedName(entry.name, true) && !isIgnored(rules, `${path}/`)) {
      folders.push({ path, above: rules });
    } else if (entry.isFile() && isWanted(entry.name, path, rules)) files.push(path);
  }
  await describeFiles(root, files, found);
  return folders;
}

/** Only a folder that is gone is an empty one: any other trouble must not look as if its files were removed. */
async function readEntries(root: string, folder: string, { unreadable }: Walk): Promise<Dirent[]> {
  try {
    return await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (!isGone(error)) unreadable.push(folder);
    return [];
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function isWanted(name: string, path: string, rules: IgnoreRules | undefined): boolean {
  return !isSkippedName(name, false) && formatOf(path) !== undefined && !isIgnored(rules, path);
}

async function describeFiles(root: string, paths: string[], { files, unreadable }: Walk): Promise<void> {
  const stats = await statAll(paths.map((path) => `${root}/${path}`));
  for (const [index, path] of paths.entries()) {
    const own = stats[index];
    if (own?.isFile()) files.push({ path, size: own.size, mtimeMs: own.mtimeMs, ctimeMs: own.ctimeMs });
    else if (own === undefined && (await isHidden(`${root}/${path}`))) unreadable.push(path);
  }
}

/** A stat failed: because the file went meanwhile, or because its folder may be listed but not entered. */
async function isHidden(location: string): Promise<boolean> {
  return lstat(location).then(
    () => false,
    (error: unknown) => !isGone(error),
  );
}

async function sweep(location: string): Promise<void> {
  const stats = await lstat(location).catch(() => undefined);
  if (stats !== undefined && Date.now() - stats.ctimeMs > ABANDONED_MS) {
    await rm(location, { recursive: true, force: true }).catch(() => {});
  }
}
