import { lineAt } from '../../formats/lines.ts';
import type { HeldMatch } from '../../ports/text-search.ts';
import type { RipgrepEvent } from './events.ts';
import { toMatch, toText } from './matches.ts';

type LineEvent = Extract<RipgrepEvent, { type: 'match' | 'context' }>;

/** Separates the lines of several texts that were searched as one; `starts` counts the lines before each. */
export function heldLines(starts: number[]) {
  const lines = starts.map(() => new Map<number, string>());
  const matched: { index: number; line: number }[] = [];
  return {
    add({ type, data }: LineEvent): void {
      const index = lineAt(starts, data.line_number - 1) - 1;
      const line = data.line_number - (starts[index] ?? 0);
      lines[index]?.set(line, toText(data));
      if (type === 'match') matched.push({ index, line });
    },
    matches(context: number): HeldMatch[] {
      return matched.map(({ index, line }) => {
        const { path: _, ...match } = toMatch({ path: '', lines: lines[index] ?? new Map() }, line, context);
        return { index, ...match };
      });
    },
  };
}
