import { type Claim, type Judgment, judgeQuestion, readJudgments } from '../../support/judge.ts';
import { type Asking, ask } from './ask-model.ts';
import type { Phase } from './limits.ts';

/**
 * A separate call that sees sentences and their quotes, and nothing else. Its step is stored, unlike that of `judgeClaims()`,
 * because a run continues from it. Throws like `ask`.
 */
export async function askJudge(
  asking: Asking,
  claims: Claim[],
  phase: Phase = 'judge',
): Promise<(Judgment | undefined)[]> {
  const judged = await ask(asking, { name: 'judge', phase, ...judgeQuestion(claims) });
  return readJudgments(judged, claims.length);
}
