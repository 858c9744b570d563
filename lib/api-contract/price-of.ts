/**
 * Matches the end of a snapshot's name, such as `-2025-04-14`, `-20250929`, or `-latest`. A snapshot costs
 * the same as its model.
 */
const STATE = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/** Returns the price of a model from the first list that contains it; undefined if none does. */
export function findPrice<Price>(model: string, ...lists: Record<string, Price>[]): Price | undefined {
  const plain = model.replace(STATE, '');
  // Not names like `constructor`.
  for (const list of lists)
    for (const name of [model, plain]) if (Object.hasOwn(list, name)) return list[name];
  return undefined;
}

/**
 * The tokens of the additional call that judges an answer's citations: the median over ten answers with five judged
 * sentences (test/functions/chat/judge-cost.test.ts, docs/architecture/benchmarks.md).
 */
export const JUDGE_TOKENS = { input: 2500, output: 150 };
