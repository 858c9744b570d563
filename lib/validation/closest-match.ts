import { distance } from 'fastest-levenshtein';

/**
 * Maximum characters. Longer names aren't compared: they aren't typos, and the cost is the product of the
 * lengths.
 */
const MOST_COMPARED = 64;

/** Returns the known name closest to a mistyped one; undefined if no name is close enough. */
export function closestMatch(written: string, known: string[]): string | undefined {
  if (written.length > MOST_COMPARED) return undefined;
  const small = written.toLowerCase();
  const ranked = known
    .map((name) => ({ name, away: distance(small, name.toLowerCase()) }))
    .filter(({ name, away }) => away <= Math.max(1, Math.floor(name.length / 3)) && away < small.length)
    .sort((one, other) => one.away - other.away);
  return ranked[0]?.name;
}
