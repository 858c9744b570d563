import type { Judgment } from '../../support/judge.ts';
import type { CodeVerdict } from './check-by-code.ts';

/** Returns the verdict after a judge: code keeps a claim whose quotes lack a fact from more than `partial`. */
export function withJudgment(byCode: CodeVerdict, judgment: Judgment | undefined): CodeVerdict {
  if (judgment === undefined) return byCode;
  const { support, reason } = judgment;
  switch (support) {
    case 'full':
      return byCode.atMost === 'partial'
        ? { ...byCode, verdict: 'partial' }
        : { ...byCode, verdict: 'supported', reason: reason || 'The quotes say it.' };
    case 'partial':
      return {
        ...byCode,
        verdict: 'partial',
        reason: joined(byCode, reason || 'The quotes say only some of it.'),
      };
    case 'contradicted':
      return { ...byCode, verdict: 'contradicted', reason: reason || 'The quotes say otherwise.' };
    case 'none':
      return { ...byCode, verdict: 'not_found', reason: reason || 'The nearest quotes do not say it.' };
  }
}

/** A fact that code found missing is named, too. */
function joined({ atMost, reason: byCode }: CodeVerdict, judged: string): string {
  return atMost === 'partial' ? `${byCode} ${judged}` : judged;
}
