/** A line of a change, as it is shown. */
export interface DiffLine {
  sign: ' ' | '-' | '+';
  text: string;
}

/** Beyond it a change is shown as all of the one, then all of the other: the work grows with the product of the lines. */
const MAX_COMPARED = 1_000_000;

/** What changed from one text to the other, by lines: as few of them as can be. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const head = old.findIndex((line, at) => line !== fresh[at]);
  const same = head < 0 ? Math.min(old.length, fresh.length) : head;
  const tail = sameEnd(old.slice(same), fresh.slice(same));
  return [
    ...signed(' ', old.slice(0, same)),
    ...diffMiddle(old.slice(same, old.length - tail), fresh.slice(same, fresh.length - tail)),
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

function diffMiddle(old: string[], fresh: string[]): DiffLine[] {
  if (old.length * fresh.length > MAX_COMPARED) return [...signed('-', old), ...signed('+', fresh)];
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

/** Of the rest from each pair of places: the most lines that both have in the same order. */
function commonLengths(old: string[], fresh: string[]): Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1));
  for (let at = old.length - 1; at >= 0; at--)
    for (let to = fresh.length - 1; to >= 0; to--) {
      const longer = Math.max(lengthAt(rows, at + 1, to), lengthAt(rows, at, to + 1));
      (rows[at] as Uint32Array)[to] = old[at] === fresh[to] ? lengthAt(rows, at + 1, to + 1) + 1 : longer;
    }
  return rows;
}

function lengthAt(rows: Uint32Array[], at: number, to: number): number {
  return rows[at]?.[to] ?? 0;
}
