/** One measurement: name, value, baseline from the same run, and the project's own target. */
export interface BenchRow {
  measure: string;
  ours: string;
  baseline: string;
  aim: string;
  met: boolean;
}

/** Prints rows as aligned columns. */
export function printTable(rows: BenchRow[]): void {
  const lines = [['measure', 'ours', 'baseline in the same run', 'aim', 'met']];
  for (const row of rows) lines.push([row.measure, row.ours, row.baseline, row.aim, row.met ? 'yes' : 'NO']);
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of lines)
    console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

export const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const perSecond = (value: number) => `${Math.round(value)}/s`;
