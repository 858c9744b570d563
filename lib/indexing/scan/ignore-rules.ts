import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { openInside } from '../../paths/confine.ts';
import { readAtMost } from '../../paths/read-at-most.ts';

/** Folders of tools, packages and build outputs: never a person's own words. Hidden folders are skipped anyway. */
const SKIPPED_FOLDERS = new Set(
  'node_modules bower_components __pycache__ venv site-packages dist build target coverage __MACOSX'.split(
    ' ',
  ),
);
const RULE_FILES = ['.gitignore', '.wrsignore'];
const MAX_RULE_BYTES = 1024 * 1024;

/** The ignore files of a folder and of those above it. */
export interface IgnoreRules {
  base: string;
  rules: Ignore;
  above?: IgnoreRules;
}

/** Dot-names may hold secrets (`.env`, `.ssh`) and are never indexed. */
export function isSkippedName(name: string, isDirectory: boolean): boolean {
  return name.startsWith('.') || (isDirectory && SKIPPED_FOLDERS.has(name));
}

/** The rules in a folder, on top of those above. `names` are the folder's entries. */
export async function readRules(
  root: string,
  folder: string,
  names: Set<string>,
  above?: IgnoreRules,
): Promise<IgnoreRules | undefined> {
  const files = RULE_FILES.filter((name) => names.has(name));
  if (files.length === 0) return above;
  const texts = await Promise.all(files.map((name) => readRuleFile(root, join(folder, name))));
  const rules = ignore({ ignorecase: false });
  for (const text of texts) rules.add(text);
  return { base: folder === '' ? '' : `${folder}/`, rules, above };
}

/** Only a regular file, as git has it: a link could lead to /dev/zero, and a FIFO never ends. */
async function readRuleFile(root: string, path: string): Promise<string> {
  try {
    const stats = await lstat(join(root, path));
    if (!stats.isFile()) return '';
    const handle = await openInside(root, path);
    try {
      return (await readAtMost(handle, Math.min(stats.size, MAX_RULE_BYTES))).toString();
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}

/** Decides as git does: the nearest rules that say anything win. Ask for folders with a slash at the end. */
export function isIgnored(rules: IgnoreRules | undefined, path: string): boolean {
  for (let level = rules; level !== undefined; level = level.above) {
    const below = path.startsWith(level.base) ? path.slice(level.base.length) : '';
    if (below === '') continue; // the folder of these rules itself, or one above it
    const { ignored, unignored } = level.rules.test(below);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
