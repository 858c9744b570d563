import { diffArrays } from 'diff/lib/diff/array.js';

/** One line of a change. */
export interface DiffLine {
  sign: ' ' | '-' | '+';
  text: string;
  /** Number of unchanged lines that this line represents. */
  folded?: number;
  /** True if the change is, or includes, a missing line break at the end. */
  isOpen?: boolean;
}

export interface Edit {
  before: string;
  after: string;
}

/**
 * In milliseconds. A change that takes longer is shown as the whole old text, then the whole new text,
 * because the time grows with the square of the changed lines.
 */
const MAX_MS = 100;
/** Maximum lines to show for a call. */
const MAX_LINES = 1_000;
const MAX_LETTERS = 60_000;

/** Returns the visible changes of a call, in limited time, however many and long they are. */
export function diffEdits(edits: readonly Edit[]): { changes: DiffLine[][]; isCut: boolean } {
  const until = Date.now() + MAX_MS;
  const left = { lines: MAX_LINES, letters: MAX_LETTERS };
  const changes: DiffLine[][] = [];
  for (const { before, after } of edits) {
    if (left.lines === 0 || left.letters === 0) return { changes, isCut: true };
    const lines = foldUnchanged(diffLines(before, after, until - Date.now()));
    const shown = takeLines(lines, left);
    changes.push(shown);
    if (shown.length < lines.length) return { changes, isCut: true };
  }
  return { changes, isCut: left.letters === 0 };
}

function takeLines(lines: DiffLine[], left: { lines: number; letters: number }): DiffLine[] {
  const taken: DiffLine[] = [];
  for (const line of lines) {
    const { text } = line;
    if (left.lines === 0 || left.letters === 0) break;
    taken.push({ ...line, text: text.slice(0, left.letters) });
    left.lines--;
    left.letters = Math.max(0, left.letters - text.length);
  }
  return taken;
}

/** Number of unchanged lines to show around a change. */
const CONTEXT = 3;

/** Replaces unchanged lines far from a change by their number. */
function foldUnchanged(lines: DiffLine[]): DiffLine[] {
  const changed = lines.flatMap(({ sign }, at) => (sign === ' ' ? [] : [at]));
  const shown = new Set(changed.flatMap((at) => range(at - CONTEXT, at + CONTEXT)));
  const folded: DiffLine[] = [];
  for (const [at, line] of lines.entries()) {
    const last = folded.at(-1);
    if (shown.has(at) || changed.length === 0) folded.push(line);
    else if (last?.folded) last.folded += 1;
    else folded.push({ sign: ' ', text: '', folded: 1 });
  }
  return folded;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Returns the smallest difference between two texts, by lines. */
export function diffLines(before: string, after: string, timeout = MAX_MS): DiffLine[] {
  const marksEnd = isOpen(before) !== isOpen(after) && before !== '' && after !== '';
  const [old, fresh] = [linesOf(before, marksEnd), linesOf(after, marksEnd)];
  const changes = diffArrays(old, fresh, { timeout });
  if (changes === undefined) return [...signed('-', old), ...signed('+', fresh)];
  return changes.flatMap(({ removed, added, value }) => signed(removed ? '-' : added ? '+' : ' ', value));
}

function isOpen(text: string): boolean {
  return !text.endsWith('\n');
}

/**
 * Appended to a last line that has no line break. It makes the line unique, because no line can contain it.
 */
const OPEN = '\n';

function linesOf(text: string, marksEnd: boolean): string[] {
  if (text === '') return [];
  const marked = marksEnd && isOpen(text) ? OPEN : '';
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.with(-1, `${lines.at(-1)}${marked}`);
}

function signed(sign: DiffLine['sign'], lines: string[]): DiffLine[] {
  return lines.map((text) =>
    text.endsWith(OPEN) ? { sign, text: text.slice(0, -1), isOpen: true } : { sign, text },
  );
}
