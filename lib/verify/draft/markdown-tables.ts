/** What a line is in a table of Markdown: the row that names the columns, the rule below it, or a further row. */
export type TableLine = 'header' | 'rule' | 'row';

const RULE = /^[ \t|:-]+$/;

/** Returns what each line is in a table; undefined outside one. A table is a rule below a row, and the rows that follow. */
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

/** Whether a line is the rule below the names of the columns. */
function isRule(line: string): boolean {
  return RULE.test(line) && line.includes('|') && line.includes('-');
}

function isRow(line: string): boolean {
  return line.includes('|') && !isRule(line);
}

/** The cells of a row: between the pipes, and not around them. */
export function cellsOf(row: string): string[] {
  return row.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** Returns how much of a row isn't its content: the pipes around it. */
export function outerPipes(row: string): { before: number; after: number } {
  const before = /^[ \t]*\|?/.exec(row)?.[0].length ?? 0;
  const rest = row.slice(before);
  let end = rest.length;
  while (/[ \t]/.test(rest.charAt(end - 1))) end--;
  if (/^[^\\]?\|$/.test(rest.slice(Math.max(0, end - 2), end))) end--;
  return { before, after: rest.length - end };
}
