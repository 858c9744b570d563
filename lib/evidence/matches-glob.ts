/**
 * Returns whether a path matches a pattern with `*`, `?`, and `**` for any folders. A pattern without a slash is one of
 * names in any folder. Case doesn't matter. Takes time in proportion to both lengths: node:path's function takes
 * minutes for some patterns of 200 characters.
 */
export function matchesGlob(path: string, glob: string): boolean {
  const pattern = glob
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const wanted = pattern.length === 1 && pattern[0] !== '**' ? ['**', ...pattern] : pattern;
  return matches(path.toLowerCase().split('/'), wanted, (part) => part === '**', matchesName);
}

function matchesName(name: string, pattern: string): boolean {
  return matches(
    [...name],
    [...pattern],
    (sign) => sign === '*',
    (one, sign) => sign === '?' || one === sign,
  );
}

/** Matches two lists. After a mismatch, only the latest wildcard has to take one item more. */
function matches(
  items: string[],
  pattern: string[],
  isAny: (part: string) => boolean,
  fits: (item: string, part: string) => boolean,
): boolean {
  let [at, next, any, from] = [0, 0, -1, 0];
  while (at < items.length) {
    const part = pattern[next];
    if (part !== undefined && isAny(part)) {
      any = next++;
      from = at;
    } else if (part !== undefined && fits(items[at] ?? '', part)) {
      at += 1;
      next += 1;
    } else if (any === -1) return false;
    else {
      next = any + 1;
      at = ++from;
    }
  }
  return pattern.slice(next).every(isAny);
}
