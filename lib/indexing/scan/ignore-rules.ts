import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import ignore from 'ignore';
import { openInside } from '../../paths/confine.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import { type DeepPattern, readDeepPattern } from './deep-pattern.ts';
import { RULE_FILES } from './rule-files.ts';

/**
 * Folders of tools, packages, and build output, which people don't write. Hidden folders are skipped in any
 * case.
 */
const SKIPPED_FOLDERS = new Set(
  'node_modules bower_components __pycache__ venv site-packages dist build target coverage __MACOSX'.split(
    ' ',
  ),
);
/** The maximum number of bytes to read of an ignore file, because each line costs time for each path. */
const MAX_RULE_BYTES = 128 * 1024;

/** The ignore files of a folder and of its parents. */
export interface IgnoreRules {
  base: string;
  rules: (PlainRules | DeepPattern)[];
  above?: IgnoreRules;
}

/** Returns whether a name is always skipped. Dot files may contain secrets (`.env`, `.ssh`) and are never indexed. */
export function isSkippedName(name: string, isDirectory: boolean): boolean {
  return name.startsWith('.') || (isDirectory && SKIPPED_FOLDERS.has(name));
}

/** Returns a folder's rules, combined with those of its parents. `names` are the folder's entries. */
export async function readRules(
  root: string,
  folder: string,
  names: Set<string>,
  above?: IgnoreRules,
): Promise<IgnoreRules | undefined> {
  const files = RULE_FILES.filter((name) => names.has(name));
  if (files.length === 0) return above;
  const texts = await Promise.all(files.map((name) => readRuleFile(root, join(folder, name))));
  return { base: folder === '' ? '' : `${folder}/`, rules: texts.flatMap(readRuleText), above };
}

/** Keeps the order of the lines, because the last line that matches decides. */
function readRuleText(text: string): IgnoreRules['rules'] {
  const rules: IgnoreRules['rules'] = [];
  let plain: string[] = [];
  const addPlain = () => {
    if (plain.length > 0) rules.push(plainRules(plain));
    plain = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const deep = readDeepPattern(line);
    if (deep === undefined) plain.push(line);
    else {
      addPlain();
      rules.push(deep);
    }
  }
  addPlain();
  return rules;
}

/**
 * Reads only a regular file, as git does: a link could lead to /dev/zero, and a FIFO never ends. Empty if the
 * file is unreadable.
 */
export async function readRuleFile(root: string, path: string): Promise<string> {
  try {
    if (!(await lstat(join(root, path))).isFile()) return '';
    await using handle = await openInside(root, path);
    const { size } = await handle.stat(); // on NFS, a host may cache the other stat for a minute
    const text = (await readAtMost(handle, Math.min(size, MAX_RULE_BYTES))).toString();
    return size > MAX_RULE_BYTES ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  } catch {
    return '';
  }
}

/**
 * Decides like git: the nearest rules that match win. Pass folders with a trailing slash, and only entries of
 * folders that aren't ignored.
 */
export function isIgnored(rules: IgnoreRules | undefined, path: string): boolean {
  for (let level = rules; level !== undefined; level = level.above) {
    const below = path.startsWith(level.base) ? path.slice(level.base.length) : '';
    if (below === '') continue; // the folder of these rules, or one above it
    const last = level.rules.findLast((rule) => test(rule, below) !== undefined);
    if (last !== undefined) return test(last, below) === true;
  }
  return false;
}

/** Returns true if the rule ignores the path, false if it keeps the path, and undefined if it doesn't match. */
function test(rule: PlainRules | DeepPattern, path: string): boolean | undefined {
  if ('matches' in rule) return rule.matches(path) ? !rule.isNegated : undefined;
  const { ignored, unignored } = rule(path);
  return ignored || unignored ? ignored : undefined;
}

type PlainRules = (path: string) => { ignored: boolean; unignored: boolean };

/**
 * Checks only the path itself, whereas the library also ignores everything in an ignored folder. Another rule
 * must have kept that folder, or its contents would not be checked.
 */
function plainRules(lines: string[]): PlainRules {
  const whole = ignore({ ignorecase: false }).add(lines);
  let [last, below] = ['', whole];
  return (path) => {
    const folder = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
    const result = whole.test(path);
    if (folder === '' || !result.ignored || !whole.test(folder).ignored) return result;
    if (folder !== last) below = ignore({ ignorecase: false }).add(lines).add(keeping(folder));
    last = folder;
    return below.test(path);
  };
}

/** Returns lines that exempt a folder and its parents from being ignored. */
function keeping(folder: string): string[] {
  const names = folder.replace(/[\\*?[\] ]/g, '\\$&').split('/');
  return names.slice(0, -1).map((_, index) => `!/${names.slice(0, index + 1).join('/')}/`);
}
