import {
  type Claim,
  JUDGE_RULES,
  type Judgment,
  judgedSchema,
  readJudgments,
  showClaims,
} from '../../support/judge.ts';
import { type Asking, ask } from './ask-model.ts';

/** A separate call that sees sentences and their quotes, and nothing else. Throws like `ask`. */
export async function askJudge(asking: Asking, claims: Claim[]): Promise<(Judgment | undefined)[]> {
  const judged = await ask(asking, {
    name: 'judge',
    phase: 'judge',
    system: JUDGE_RULES,
    content: (code) => showClaims(claims, code),
    schema: judgedSchema,
  });
  return readJudgments(judged, claims.length);
}
