/** A line of a change, as it is shown. */
export interface DiffLine {
  sign: ' ' | '-' | '+';
  text: string;
}

export interface Edit {
  before: string;
  after: string;
}

/** Beyond it a change is shown as all of the one, then all of the other: the work grows with the product of the lines. */
const MAX_COMPARED = 400_000;
/** The most lines drawn of a call. */
const MAX_LINES = 1_000;
const MAX_LETTERS = 60_000;

/** The changes of a call as far as they are drawn: in a few milliseconds, however many and long they are. */
export function diffEdits(edits: readonly Edit[]): { changes: DiffLine[][]; isCut: boolean } {
  const left = { lines: MAX_LINES, letters: MAX_LETTERS };
  const changes: DiffLine[][] = [];
  for (const { before, after } of edits) {
    if (left.lines === 0 || left.letters === 0) return { changes, isCut: true };
    const lines = diffLines(before, after, MAX_COMPARED / edits.length);
    const shown = takeLines(lines, left);
    changes.push(shown);
    if (shown.length < lines.length) return { changes, isCut: true };
  }
  return { changes, isCut: left.letters === 0 };
}

function takeLines(lines: DiffLine[], left: { lines: number; letters: number }): DiffLine[] {
  const taken: DiffLine[] = [];
  for (const { sign, text } of lines) {
    if (left.lines === 0 || left.letters === 0) break;
    taken.push({ sign, text: text.slice(0, left.letters) });
    left.lines--;
    left.letters = Math.max(0, left.letters - text.length);
  }
  return taken;
}

/** Returns the smallest difference between two texts, by lines. */
export function diffLines(before: string, after: string, mostCompared = MAX_COMPARED): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const head = old.findIndex((line, at) => line !== fresh[at]);
  const same = head < 0 ? Math.min(old.length, fresh.length) : head;
  const tail = sameEnd(old.slice(same), fresh.slice(same));
  return [
    ...signed(' ', old.slice(0, same)),
    ...diffMiddle(old.slice(same, old.length - tail), fresh.slice(same, fresh.length - tail), mostCompared),
    ...signed(' ', old.slice(old.length - tail)),
  ];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function signed(sign: DiffLine['sign'], lines: string[]): DiffLine[] {
  return lines.map((text) => ({ sign, text }));
}

function sameEnd(old: string[], fresh: string[]): number {
  let count = 0;
  const most = Math.min(old.length, fresh.length);
  while (count < most && old.at(-1 - count) === fresh.at(-1 - count)) count++;
  return count;
}

function diffMiddle(old: string[], fresh: string[], mostCompared: number): DiffLine[] {
  if (old.length * fresh.length > mostCompared) return [...signed('-', old), ...signed('+', fresh)];
  const common = commonLengths(old, fresh);
  const lines: DiffLine[] = [];
  let [at, to] = [0, 0];
  while (at < old.length && to < fresh.length) {
    if (old[at] === fresh[to]) {
      lines.push({ sign: ' ', text: old[at++] ?? '' });
      to++;
    } else if (lengthAt(common, at + 1, to) >= lengthAt(common, at, to + 1))
      lines.push({ sign: '-', text: old[at++] ?? '' });
    else lines.push({ sign: '+', text: fresh[to++] ?? '' });
  }
  return [...lines, ...signed('-', old.slice(at)), ...signed('+', fresh.slice(to))];
}

/** For each pair of places: the most lines that both rests have in the same order. */
function commonLengths(old: string[], fresh: string[]): Uint32Array[] {
  const numbers = new Map([...old, ...fresh].map((line, at) => [line, at]));
  const [left, right] = [old, fresh].map((lines) =>
    Uint32Array.from(lines, (line) => numbers.get(line) ?? 0),
  );
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1));
  for (let at = old.length - 1; at >= 0; at--) {
    const [row, below] = [rows[at] as Uint32Array, rows[at + 1] as Uint32Array];
    for (let to = fresh.length - 1; to >= 0; to--)
      row[to] =
        left?.[at] === right?.[to]
          ? (below[to + 1] as number) + 1
          : Math.max(below[to] as number, row[to + 1] as number);
  }
  return rows;
}

function lengthAt(rows: Uint32Array[], at: number, to: number): number {
  return rows[at]?.[to] ?? 0;
}
