import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { statAll } from '../files/stat-all.ts';
import { isTempName } from '../files/temp-name.ts';
import { fileKind } from './file-kinds.ts';
import { type IgnoreRules, isIgnored, isSkippedName, readRules } from './ignore-rules.ts';

/** A file that belongs in the index, as a stat shows it. */
export interface WalkedFile {
  path: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

const MAX_DEPTH = 100;
/** A file that was being written this long ago belongs to a writer that died. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * The files below a folder that belong in the index: by extension, less what ignore files and custom leave out. Links
 * are not followed: what they lead to is indexed where it lies, and outside the workspace not at all.
 */
export async function walk(root: string, folder = ''): Promise<WalkedFile[]> {
  const found: WalkedFile[] = [];
  await walkFolder(root, folder, await rulesAbove(root, folder), found, 0);
  return found;
}

/** Whether the walk of the whole workspace would come by this file. */
export async function isWalked(root: string, path: string): Promise<boolean> {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  if (fileKind(path) === undefined || isSkippedName(name, false)) return false;
  if (segments.some((segment) => isSkippedName(segment, true))) return false;
  const rules = await rulesAbove(root, path);
  return (
    !segments.some((_, index) => isIgnored(rules, `${segments.slice(0, index + 1).join('/')}/`)) &&
    !isIgnored(rules, path)
  );
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

async function walkFolder(
  root: string,
  folder: string,
  above: IgnoreRules | undefined,
  found: WalkedFile[],
  depth: number,
): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const names = new Set(entries.map(({ name }) => name));
  if (depth > MAX_DEPTH || names.has('pyvenv.cfg')) return;
  const rules = await readRules(root, folder, names, above);
  const prefix = folder === '' ? '' : `${folder}/`;
  const files: string[] = [];
  for (const entry of entries) {
    const path = prefix + entry.name;
    if (isTempName(entry.name)) await sweep(join(root, path));
    else if (entry.isDirectory() && !isSkippedName(entry.name, true) && !isIgnored(rules, `${path}/`)) {
      await walkFolder(root, path, rules, found, depth + 1);
    } else if (entry.isFile() && isWanted(entry.name, path, rules)) files.push(path);
  }
  await describeFiles(root, files, found);
}

function isWanted(name: string, path: string, rules: IgnoreRules | undefined): boolean {
  return !isSkippedName(name, false) && fileKind(path) !== undefined && !isIgnored(rules, path);
}

async function describeFiles(root: string, paths: string[], found: WalkedFile[]): Promise<void> {
  const stats = await statAll(paths.map((path) => `${root}/${path}`));
  for (const [index, path] of paths.entries()) {
    const own = stats[index];
    if (own?.isFile()) found.push({ path, size: own.size, mtimeMs: own.mtimeMs, ctimeMs: own.ctimeMs });
  }
}

async function sweep(location: string): Promise<void> {
  const stats = await lstat(location).catch(() => undefined);
  if (stats !== undefined && Date.now() - stats.ctimeMs > ABANDONED_MS) {
    await rm(location, { recursive: true, force: true }).catch(() => {});
  }
}
