import { isGitPath } from '../git-folder.ts';
import { pathsGitWrites } from './git-commands.ts';
import { isReading } from './programs.ts';

/**
 * Matches the file after sed's command or flag `w`. Looks back only where a path may start, not at each of many spaces.
 */
const SED_FILE = /[^\s\w-](?<=w\s*[^\s\w-])\S*/g;
/**
 * Characters between an option and its path, between two paths, and around the parts of an expression: `of=x`,
 * `host:x`, `s,^,x,`.
 */
const AROUND_PATHS = /[=:,|;@#!]/g;
/** Maximum characters of an option cluster before the value of its last option. */
const MAX_ATTACHED = 40;

/**
 * Returns whether a command's words show that it changes a git folder. The hooks and settings there decide
 * what git runs.
 */
export function changesGit(name: string, args: string[]): boolean {
  return pathsWritten(name, args).some(leadsToGit);
}

function pathsWritten(name: string, args: string[]): string[] {
  if (name === 'git') return pathsGitWrites(args);
  if (isReading(name, args)) return [];
  if (name === 'sed') return [...args, ...args.flatMap((text) => text.match(SED_FILE) ?? [])];
  const leavesOut = name === 'find' && args.some((text) => /^(!|-not|-prune)$/.test(text));
  return args.filter(
    (text, at) =>
      !text.startsWith('--exclude') && !(leavesOut && /^-i?(name|path)$/.test(args[at - 1] ?? '')),
  );
}

function leadsToGit(text: string): boolean {
  if (isGitPath(text.replace(AROUND_PATHS, '/'))) return true;
  if (!text.startsWith('-')) return false;
  const starts = [...text.slice(0, MAX_ATTACHED).matchAll(/\.|git~/gi)];
  return starts.some(({ index }) => isGitPath(text.slice(index)));
}

/** Matches patterns that a script excludes. */
const EXCLUDED = /--exclude\S*(\s\S+)?|(-not|!)\s+-\w+\s+\S+|-i?(name|path)\s+\S+\s+-prune/g;
/**
 * Matches the name of a git folder, a part of it before braces or a pattern, an option or variable that gives it, and settings
 * of git.
 */
const NAMES_GIT =
  /(?<![\w-])\.git(?![\w-])|\.git\/|-git(?!\w)|git[*?[{,}]|[*?\]},]git\b|(?<![\w*])\.(g|gi)?[*?[{,}$`]|\bGIT_\w*DIR\b|git~\d|\bgit\b[^;|&\n]{0,100} config |templatedir/i;

/** Matches variables and substitutions, any of which may be empty. */
const COMPUTED = /\$\([^()]*\)|`[^`]*`|\$\{[^{}]*\}|\$\w+/g;

/** Returns whether a script that isn't understood may name a git folder. If so, it may do anything. */
export function mayNameGit(source: string): boolean {
  const plain = source.replace(/\\\n|['"\\]/g, '').replace(EXCLUDED, '');
  return NAMES_GIT.test(plain) || NAMES_GIT.test(plain.replace(COMPUTED, ''));
}
