/** The role of a line in a Markdown table: the header row, the delimiter row, or a further row. */
export type TableLine = 'header' | 'rule' | 'row';

const RULE = /^[ \t|:-]+$/;

/**
 * Returns the role of each line in a table; undefined outside a table. A table consists of a delimiter row,
 * the row above it, and the rows below it.
 */
export function findTableLines(lines: readonly string[]): (TableLine | undefined)[] {
  const found: (TableLine | undefined)[] = [];
  for (const [at, line] of lines.entries()) {
    const last = found[at - 1];
    if (isRule(line) && isRow(lines[at - 1] ?? '') && last === undefined) {
      found[at - 1] = 'header';
      found.push('rule');
    } else found.push((last === 'rule' || last === 'row') && isRow(line) ? 'row' : undefined);
  }
  return found;
}

/** Returns whether a line is the delimiter row. */
function isRule(line: string): boolean {
  return RULE.test(line) && line.includes('|') && line.includes('-');
}

function isRow(line: string): boolean {
  return line.includes('|') && !isRule(line);
}

/** Returns the cells of a row, which are the texts between its pipes. */
export function cellsOf(row: string): string[] {
  return row.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** Returns the lengths of a row's outer pipes, because they aren't part of its content. */
export function outerPipes(row: string): { before: number; after: number } {
  const before = /^[ \t]*\|?/.exec(row)?.[0].length ?? 0;
  const rest = row.slice(before);
  let end = rest.length;
  while (/[ \t]/.test(rest.charAt(end - 1))) end--;
  if (/^[^\\]?\|$/.test(rest.slice(Math.max(0, end - 2), end))) end--;
  return { before, after: rest.length - end };
}
