import { type Claim, groupClaims, type Judgment, judgeQuestion, readJudgments } from '../../support/judge.ts';
import { askWithin } from '../../support/prompt-room.ts';
import { type Asking, ask } from './ask-model.ts';
import type { Phase } from './limits.ts';

/**
 * Makes a separate call that sees only sentences and their quotes. Unlike in `judgeClaims()`, its step is
 * stored, because a run continues from it. Throws the errors of `ask`.
 */
export async function askJudge(
  asking: Asking,
  claims: Claim[],
  phase: Phase = 'judge',
): Promise<(Judgment | undefined)[]> {
  return askWithin(asking.model, async (room) => {
    const judgments: (Judgment | undefined)[] = [];
    for (const group of groupClaims(claims, room)) {
      const judged = await ask(asking, { name: 'judge', phase, ...judgeQuestion(group) });
      judgments.push(...readJudgments(judged, group.length));
    }
    return judgments;
  });
}
