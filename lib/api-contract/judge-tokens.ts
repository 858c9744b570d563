/**
 * Tokens of the one more call that judges the citations of an answer: the median over ten answers with six judged sentences
 * (test/functions/chat/judge-cost.test.ts, docs/architecture/benchmarks.md).
 */
export const JUDGE_TOKENS = { input: 2300, output: 150 };
