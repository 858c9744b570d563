import ignore from 'ignore';

/** Matches an entry's path relative to the ignore file's folder; a folder's path ends with a slash. */
export interface DeepPattern {
  matches(path: string): boolean;
  /** Whether the line starts with `!`. */
  isNegated: boolean;
}

type MatchName = (name: string) => boolean;

const ANY_FOLDERS = /^\*{2,}$/;

/**
 * Parses a line of an ignore file with `/**` between two names; undefined for any other line. The library
 * converts each `/**` into a loop of its regular expression, whose time is exponential in the number of
 * loops: with three of them, it takes minutes for one path. This takes time in proportion to the line and the
 * depth.
 */
export function readDeepPattern(line: string): DeepPattern | undefined {
  if (!line.includes('/**')) return undefined;
  const isNegated = line.startsWith('!');
  const text = trimSpaces(isNegated ? line.slice(1) : line);
  const isFolder = text.endsWith('/');
  const names = text.slice(text.startsWith('/') ? 1 : 0, isFolder ? -1 : undefined).split('/');
  const isDeep = names.slice(1, -1).some((name) => ANY_FOLDERS.test(name));
  if (!isDeep || line.startsWith('#')) return undefined;
  const parts = names.map((name) => (ANY_FOLDERS.test(name) ? undefined : matchName(name)));
  return {
    isNegated,
    matches: (path) =>
      (path.endsWith('/') || !isFolder) && matchParts(parts, path.replace(/\/$/, '').split('/')),
  };
}

/** Removes trailing spaces, except one after a backslash. */
function trimSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end -= 1;
  const [backslashes] = /\\{0,100}$/.exec(line.slice(0, end)) ?? [''];
  return line.slice(0, backslashes.length % 2 === 1 ? end + 1 : end);
}

/** Returns a matcher for one name. The library handles the name as if it were between slashes. */
function matchName(name: string): MatchName {
  if (name === '') return () => false;
  const rule = ignore({ ignorecase: false }).add([`/${name.replace(/(?<!\\) $/, '\\ ')}`]);
  return (other) => other !== '' && rule.ignores(other);
}

/** `undefined` represents any number of folders or, at the end, at least one entry. */
function matchParts(parts: (MatchName | undefined)[], names: string[]): boolean {
  if (parts.filter((part) => part !== undefined).length > names.length) return false;
  let starts = [0];
  for (const [index, part] of parts.entries()) {
    const [first] = starts;
    if (first === undefined) return false;
    if (part !== undefined) starts = starts.filter((at) => part(names[at] ?? '')).map((at) => at + 1);
    else if (index === parts.length - 1) return first < names.length;
    else starts = names.keys().drop(first).toArray();
  }
  return starts.at(-1) === names.length;
}
