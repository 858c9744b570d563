import { PATTERNS, type Pattern } from './patterns.ts';
import { type Text, textsOf } from './texts.ts';

export interface Match extends Pick<Text, 'file' | 'place'> {
  pattern: Pattern;
  /** The words around it, to find it by. */
  shown: string;
}

/** Matches per file and group, as the baseline has them. */
export type Counts = Record<Pattern['group'], Record<string, number>>;

const AROUND = 40;

/** Returns every match of a refused phrase in a checkout. */
export function matchesOf(root: string): Match[] {
  return textsOf(root).flatMap(({ file, place, text }) =>
    PATTERNS.filter(({ places }) => places?.includes(place) ?? true).flatMap((pattern) =>
      [...text.matchAll(pattern.find)].map(({ 0: found, index }) => {
        const shown = text.slice(Math.max(0, index - AROUND), index + found.length + AROUND);
        return { file, place, pattern, shown };
      }),
    ),
  );
}

export function countsOf(matches: Match[]): Counts {
  const counts: Counts = { never: {}, fewer: {} };
  for (const { file, pattern } of matches) {
    const group = counts[pattern.group];
    group[file] = (group[file] ?? 0) + 1;
  }
  return counts;
}

export function totalOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
