import { lineAt } from '../../formats/lines.ts';
import type { HeldMatch, TextMatch } from '../../ports/text-search.ts';
import type { LineData, RipgrepEvent } from './events.ts';
import { openWitness, type Witness } from './witness.ts';

const MAX_LINE = 500;
/** Number of characters to show before a match in the middle of a long line. */
const LEAD = 100;

interface OpenFile {
  path: string;
  witness: Witness | undefined;
  /** All reported lines by line number. */
  lines: Map<number, string>;
  matched: number[];
}

/** Assembles a search's matches from ripgrep's events, file by file. */
export function matchCollector(root: string, context: number, maxMatches: number) {
  const matches: TextMatch[] = [];
  let file: OpenFile | undefined;

  async function close(): Promise<void> {
    const done = file;
    file = undefined;
    if (done === undefined) return;
    matches.push(...done.matched.map((line) => toMatch(done, line, context)));
    await done.witness?.close();
  }

  /** Adds a line. Returns false if it is one match more than requested. */
  async function addLine(open: OpenFile, data: LineData, isMatch: boolean): Promise<boolean> {
    if (!(await open.witness?.confirms(data))) return true;
    if (isMatch && matches.length + open.matched.length === maxMatches) return false;
    open.lines.set(data.line_number, toText(data, await open.witness?.asText(data)));
    if (isMatch) open.matched.push(data.line_number);
    return true;
  }

  return {
    async add(event: RipgrepEvent): Promise<boolean> {
      if (event.type === 'begin') {
        await close();
        const path = event.data.path.toString().replace(/^\.\//, '');
        file = { path, witness: await openWitness(root, path), lines: new Map(), matched: [] };
      } else if (event.type === 'end') await close();
      else if (file !== undefined && event.type !== 'summary')
        return addLine(file, event.data, event.type === 'match');
      return true;
    },
    close,
    /** Returns the matches sorted by path and line, because ripgrep's threads answer in any order. */
    sorted(): TextMatch[] {
      return matches.toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)) || a.line - b.line);
    },
  };
}

function toMatch(
  { path, lines }: Pick<OpenFile, 'path' | 'lines'>,
  line: number,
  context: number,
): TextMatch {
  const text = lines.get(line) ?? '';
  if (context === 0) return { path, line, text };
  const around = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => lines.get(from + index)).filter(
      (found) => found !== undefined,
    );
  return {
    path,
    line,
    text,
    before: around(line - context, line - 1),
    after: around(line + 1, line + context),
  };
}

/** Returns the text of a match, or the part around it in a long line. `decoded` is the line if the file isn't UTF-8. */
function toText({ lines, submatches }: LineData, decoded?: string): string {
  const text = decoded ?? lines.toString().replace(/\r?\n$/, '');
  if (text.length <= MAX_LINE) return text;
  const from = submatches[0]?.start ?? 0;
  // For other encodings, the position in the text is approximate, because ripgrep reports only byte
  // positions.
  const match =
    decoded === undefined
      ? lines.subarray(0, from).toString().length
      : Math.floor((text.length * from) / lines.length);
  const start = Math.max(0, Math.min(match - LEAD, text.length - MAX_LINE + 2));
  const part = text.slice(start, start + MAX_LINE - 2).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}${start + MAX_LINE - 2 < text.length ? '…' : ''}`;
}

type LineEvent = Extract<RipgrepEvent, { type: 'match' | 'context' }>;

/**
 * Assigns lines to the texts that were searched together. `starts` has the number of lines before each text.
 */
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
