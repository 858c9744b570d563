/**
 * Returns the offsets at which lines start. Lines end only at `
 * `, so a line may end in `\r`.
 */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Counts the lines. Text after the last line break is a line unless it's empty. */
export function countLines(text: string, starts: number[]): number {
  return starts.length - (starts.at(-1) === text.length ? 1 : 0);
}

/** Returns the line, from 1, that contains the character at `offset`. */
export function lineAt(starts: number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
