import type { Usage } from './queries.ts';
import type { Measure } from './span.ts';

type Sums = Omit<Usage['rows'][number], 'key'>;

/** Returns the parts of a bar: input, output, and embedded tokens, or a single part for other measures. */
export function partsOf(row: Sums, measure: Measure): number[] {
  if (measure === 'cost') return [row.costUsd ?? 0];
  if (measure === 'calls') return [row.calls];
  return [row.inputTokens, row.outputTokens, row.embeddedTokens];
}

export function amountOf(row: Sums, measure: Measure): number {
  return partsOf(row, measure).reduce((sum, part) => sum + part, 0);
}
