import type { TextRun } from '../../formats/format.ts';
import type { DraftBlock } from './draft.ts';

/** Joins adjacent lines of a source to blocks. */
export function blocksOfLines() {
  const places: (TextRun & { isHeading?: true })[] = [];
  let open: TextRun | undefined;
  return {
    add({ start, end }: TextRun) {
      if (open === undefined) {
        open = { start, end };
        places.push(open);
      } else open.end = end;
    },
    /** No later line belongs to the open block. */
    end() {
      open = undefined;
    },
    isOpen: () => open !== undefined,
    /** Makes the open block a heading: the line below it is a rule. */
    endHeading() {
      if (open !== undefined) Object.assign(open, { isHeading: true });
      open = undefined;
    },
    addAlone({ start, end }: TextRun, isHeading = true) {
      open = undefined;
      places.push({ start, end, ...(isHeading && { isHeading: true as const }) });
    },
    /** `shown` has the length of the source. */
    finish: (shown: string): DraftBlock[] =>
      places.map(({ start, end, isHeading }) => ({
        start,
        shown: shown.slice(start, end),
        ...(isHeading && { isHeading }),
      })),
  };
}

/** Replaces by `\0` what readers don't see: a text keeps its length. */
export function blank(text: string): string {
  return '\0'.repeat(text.length);
}

export function blankRuns(source: string, runs: TextRun[]): string {
  let shown = '';
  for (const { start, end } of runs) {
    if (end <= shown.length) continue;
    const from = Math.max(start, shown.length);
    shown += source.slice(shown.length, from) + '\0'.repeat(end - from);
  }
  return shown + source.slice(shown.length);
}
