type Token = 'star' | 'any' | { letter: string } | { members: Member[]; negated: boolean };
type Member = [from: string, to: string];

/**
 * Returns a filter of paths by the hubs' own patterns: Python's fnmatchcase, where `*` crosses `/`. Without allowed
 * patterns, it accepts everything except ignored paths.
 */
export function pathFilter(allow: string[] | null, ignore: string[] | null): (path: string) => boolean {
  const [allowed, ignored] = [allow?.map(readPattern), (ignore ?? []).map(readPattern)];
  return (path) => {
    const letters = [...path];
    const among = (patterns: Token[][]) => patterns.some((tokens) => matches(tokens, letters));
    return (allowed === undefined || among(allowed)) && !among(ignored);
  };
}

/** Prepares a pattern like the hubs' clients: one that ends in `/` means everything below. */
function readPattern(pattern: string): Token[] {
  const text = pattern.replaceAll('\\', '/');
  const letters = [...(text.endsWith('/') ? `${text}*` : text)];
  const tokens: Token[] = [];
  for (let at = 0; at < letters.length; ) {
    const end = letters[at] === '[' ? endOfSet(letters, at) : -1;
    tokens.push(end > 0 ? readSet(letters.slice(at + 1, end)) : readLetter(letters[at] ?? ''));
    at = end > 0 ? end + 1 : at + 1;
  }
  return tokens;
}

function readLetter(letter: string): Token {
  if (letter === '*') return 'star';
  return letter === '?' ? 'any' : { letter };
}

/**
 * Returns the position at which the set that opens at `open` is closed. A `]` in the first position is a
 * member of the set. -1 means that it isn't a set.
 */
function endOfSet(letters: string[], open: number): number {
  const first = letters[open + 1] === '!' ? open + 2 : open + 1;
  return letters.indexOf(']', letters[first] === ']' ? first + 1 : first);
}

function readSet(content: string[]): Token {
  const negated = content[0] === '!';
  const letters = negated ? content.slice(1) : content;
  const members: Member[] = [];
  for (let at = 0; at < letters.length; at++) {
    const from = letters[at] ?? '';
    const to = letters[at + 1] === '-' ? letters[at + 2] : undefined;
    members.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return { members, negated };
}

/**
 * Backtracks only to the latest star, so the number of steps is at most letters × tokens, whatever the
 * pattern.
 */
function matches(tokens: Token[], letters: string[]): boolean {
  let [token, letter, star, afterStar] = [0, 0, -1, 0];
  while (letter < letters.length) {
    const here = tokens[token];
    if (here === 'star') {
      star = token++;
      afterStar = letter;
    } else if (here !== undefined && matchesOne(here, letters[letter] ?? '')) {
      token++;
      letter++;
    } else if (star >= 0) {
      token = star + 1;
      letter = ++afterStar;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === 'star');
}

function matchesOne(token: Exclude<Token, 'star'>, letter: string): boolean {
  if (token === 'any') return true;
  if ('letter' in token) return token.letter === letter;
  const code = letter.codePointAt(0) ?? 0;
  const isMember = token.members.some(
    ([from, to]) => (from.codePointAt(0) ?? 0) <= code && code <= (to.codePointAt(0) ?? 0),
  );
  return isMember !== token.negated;
}
