import { KEEP_RUN_SECONDS } from '../../agent/schema.ts';
import { DRAFT_REASONS } from '../../api-contract/draft-reasons.ts';
import { expiryAfter } from '../../ports/clock.ts';
import { askJudge } from '../../research/work/ask-judge.ts';
import { costsAPart } from '../../research/work/limits.ts';
import type { Judgment } from '../../support/judge.ts';
import { requireRights } from '../../tokens/rights.ts';
import { guardedPlaceOf } from '../../workspaces/access.ts';
import { verdictBatches } from '../run-records.ts';
import type { ClaimVerdict } from '../schema.ts';
import type { Check } from './check.ts';
import { type CodeVerdict, checkByCode } from './check-by-code.ts';
import { findEvidence } from './find-evidence.ts';

/** As many as one call judges. */
export const CLAIMS_PER_BATCH = 10;

/** Searches, compares, and judges a batch of claims, and stores its verdicts. */
export async function checkBatch(check: Check, batch: number, claims: number[]): Promise<ClaimVerdict[]> {
  const byCode = await check.steps.once('compare', claims, async () => {
    await requireOthersReadable(check);
    const found: CodeVerdict[] = [];
    for (const at of claims) {
      check.requireMayGoOn();
      found.push(checkByCode(await findEvidence(check, at)));
    }
    return found;
  });
  const judged = await judgeAll(check, byCode);
  const verdicts = judged.map(({ verdict, reason, citations }, at) => {
    return { n: (claims[at] ?? 0) + 1, verdict, reason, citations };
  });
  const expiresAt = expiryAfter(check.ports.clock, KEEP_RUN_SECONDS);
  await verdictBatches.put(check.ports.records, { runId: check.run.id, batch, verdicts, expiresAt });
  return verdicts;
}

/** The lease looks after the first workspace, not after the others. Throws Forbidden. */
async function requireOthersReadable({ ports, run, request }: Check): Promise<void> {
  for (const id of request.workspaceIds.slice(1))
    await requireRights(ports, run.rightsOf ?? run.caller, 'viewer', await guardedPlaceOf(ports.records, id));
}

/** What can't be judged, because of a budget or a failure, keeps the verdict by code. */
async function judgeAll({ judge }: Check, byCode: CodeVerdict[]): Promise<CodeVerdict[]> {
  const open = byCode.filter(({ isOpen }) => isOpen);
  if (judge === undefined || open.length === 0) return byCode;
  try {
    const judgments = await askJudge(
      judge,
      open.map(({ claim, citations }) => ({ sentence: claim, quotes: citations.map(({ quote }) => quote) })),
    );
    const judged = new Map(open.map((each, at) => [each, withJudgment(each, judgments[at])]));
    return byCode.map((each) => judged.get(each) ?? each);
  } catch (error) {
    if (!costsAPart(error)) throw error;
    return byCode;
  }
}

const SAID = 'The quotes say it.';

/** Returns the verdict after a judge: code keeps a claim whose quotes lack a fact from more than `partial`. */
function withJudgment(byCode: CodeVerdict, judgment: Judgment | undefined): CodeVerdict {
  if (judgment === undefined) return byCode;
  const { support, reason } = judgment;
  switch (support) {
    case 'full':
      return byCode.atMost === 'partial'
        ? { ...byCode, verdict: 'partial', reason: byCode.reason.replace(DRAFT_REASONS.notJudged, SAID) }
        : { ...byCode, verdict: 'supported', reason: reason || SAID };
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
