import { UpstreamFailed } from '../../errors.ts';
import { runUsage } from '../../runs/run-usage.ts';
import { askJudge } from '../../runs/steps/ask-judge.ts';
import { endsOnlyAPart } from '../../runs/steps/limits.ts';
import { applyJudgment, isLimiting } from '../../support/assess.ts';
import { ENTAILMENT_MS, entailClaims } from '../../support/entail.ts';
import type { Claim, Judgment } from '../../support/judge.ts';
import { requireRequest, VERDICTS, type VerdictBatch } from '../find-check.ts';
import type { ClaimVerdict, JudgeError } from '../schema.ts';
import { describeVerdict } from '../word-verdict.ts';
import type { Check } from './check.ts';
import { type CodeVerdict, checkByCode } from './check-by-code.ts';
import { findEvidence } from './find-evidence.ts';

/** The number of claims that one call judges. */
export const CLAIMS_PER_BATCH = 10;

/** Searches, compares, and judges a batch of claims, and stores its verdicts. */
export async function checkBatch(check: Check, claims: number[]): Promise<ClaimVerdict[]> {
  const { verdicts } = await check.steps.once(VERDICTS, claims, async (): Promise<VerdictBatch> => {
    const byCode = await check.steps.once('compare', claims, () => compareAll(check, claims));
    const { decided, judgeError } = await judgeAll(check, byCode);
    // If the draft's conversation or workspace was deleted in the meantime, nothing more is stored.
    await requireRequest(check.ports.records, check.run);
    const verdicts = decided.map(({ why, ...found }, at) =>
      describeVerdict({ n: (claims[at] ?? 0) + 1, ...found }, why),
    );
    return { verdicts, judgeError };
  });
  return verdicts;
}

async function compareAll(check: Check, claims: number[]): Promise<CodeVerdict[]> {
  const found: CodeVerdict[] = [];
  for (const at of claims) {
    check.requireMayGoOn();
    await check.share();
    found.push(checkByCode(await findEvidence(check, at)));
  }
  const entailed = await entailAll(check, found);
  await requireRequest(check.ports.records, check.run);
  return entailed;
}

interface Decided extends Pick<ClaimVerdict, 'support' | 'by' | 'findings' | 'citations'> {
  /** The reason, in a judge's words. */
  why?: string;
}

interface DecidedBatch {
  decided: Decided[];
  judgeError?: JudgeError | undefined;
}

function toClaim({ claim, before, around, citations }: CodeVerdict): Claim {
  return { sentence: claim, before, around, quotes: citations.map(({ quote }) => quote) };
}

/**
 * Has the entailment model, if there is one, judge the claims whose facts code found. The claims that it
 * decides are no longer open.
 */
async function entailAll({ ports, run, signal }: Check, byCode: CodeVerdict[]): Promise<CodeVerdict[]> {
  const { entailment } = ports.searchFor(runUsage(run));
  const asked = byCode.filter(
    ({ support, isOpen, findings }) => support === 'unjudged' && isOpen && !findings.some(isLimiting),
  );
  if (entailment === undefined || asked.length === 0) return byCode;
  const options = { signal, deadlineMs: ENTAILMENT_MS };
  const { judgments } = await entailClaims(entailment, asked.map(toClaim), options);
  signal.throwIfAborted(); // otherwise, missing judgments would be stored
  const entailed = new Map(asked.map((each, at) => [each, judgments[at]]));
  return byCode.map((each) => {
    const judgment = entailed.get(each);
    return judgment === undefined ? each : { ...each, entailed: judgment, isOpen: false };
  });
}

/**
 * Has the judge decide. A claim that it can't judge, because of a budget or a failure, keeps code's verdict.
 */
async function judgeAll({ judge }: Check, byCode: CodeVerdict[]): Promise<DecidedBatch> {
  const open = byCode.filter(({ isOpen }) => isOpen);
  const judged = new Map<CodeVerdict, Judgment | undefined>();
  let judgeError: JudgeError | undefined;
  try {
    const judgments =
      judge === undefined || open.length === 0 ? [] : await askJudge(judge, open.map(toClaim));
    for (const [at, each] of open.entries()) judged.set(each, judgments[at]);
  } catch (error) {
    if (!endsOnlyAPart(error)) throw error;
    // A used-up budget isn't a failure, and `ended` names it.
    if (error instanceof UpstreamFailed)
      judgeError = { code: error.code, message: error.message, sentences: open.length };
  }
  const decided = byCode.map((each): Decided => {
    return { ...applyJudgment(each, judged.get(each) ?? each.entailed), citations: each.citations };
  });
  return { decided, judgeError };
}
