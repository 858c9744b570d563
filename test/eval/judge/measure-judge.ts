import type { LanguageModel, ModelMessage } from '../../../lib/ports/language-model.ts';
import {
  type Claim,
  JUDGE_RULES,
  type Judgment,
  judgedSchema,
  readJudgments,
  showClaims,
} from '../../../lib/support/judge.ts';
import { estimateTokens } from '../../../lib/text/estimate-tokens.ts';
import { randomTag } from '../../../lib/text/random-tag.ts';
import { readModelJson } from '../../../lib/validation/read-model-json.ts';
import { bm25, wordsOf } from '../citations/baselines.ts';
import type { WiceClaim, WiceLabel } from '../citations/collections.ts';
import { seededRandom } from '../citations/seeded-random.ts';

/** A claim with what the people of WiCE say of it. */
export interface LabeledClaim extends Claim {
  label: WiceLabel;
}

interface JudgeUse {
  calls: number;
  /** Answers that weren't the requested JSON. */
  unusable: number;
  /** Calls that failed or were refused: their claims stay unjudged. */
  failed: number;
  inputTokens: number;
  outputTokens: number;
}

export interface JudgeResult {
  /** The mean of the shares of each label that are judged right. */
  balanced: number;
  /** 95 % of the means over resampled claims. */
  interval: [low: number, high: number];
  /** How often each label got each judgment; `unjudged` where the model gave none. */
  table: Record<WiceLabel, Record<string, number>>;
  use: JudgeUse;
}

const MEANS = { supported: 'full', partially_supported: 'partial', not_supported: 'none' } as const;
const LABELS = Object.keys(MEANS) as WiceLabel[];
/** Sentences that every claim gets, so that their number doesn't tell its label. */
const ALIKE = 5;

/** A claim of WiCE with the sentences that people chose and the most similar ones, in the article's order. */
export function toLabeledClaim({
  claim,
  label,
  evidence,
  supporting_sentences: sets,
}: WiceClaim): LabeledClaim {
  const scores = bm25(wordsOf(claim), evidence.map(wordsOf));
  const alike = [...scores.keys()].toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, ALIKE);
  const places = [...new Set([...sets.flat(), ...alike])].toSorted((a, b) => a - b);
  return { label, sentence: claim, quotes: places.map((at) => evidence[at] ?? '') };
}

/** So many in a row are no accident: nothing would be measured. */
const MAX_FAILED_IN_A_ROW = 3;

/**
 * Judges claims in calls of several, with the prompt of the service. An answer that can't be used is asked for once more. Throws
 * the failure of the model if it lasts.
 */
export async function measureJudge(
  model: LanguageModel,
  claims: LabeledClaim[],
  perCall: number,
): Promise<JudgeResult> {
  const use: JudgeUse = { calls: 0, unusable: 0, failed: 0, inputTokens: 0, outputTokens: 0 };
  let inRow = 0;
  const said: string[] = [];
  for (let at = 0; at < claims.length; at += perCall) {
    const batch = claims.slice(at, at + perCall);
    let judged: (Judgment | undefined)[] = [];
    try {
      judged = await judge(model, batch, use);
      inRow = 0;
    } catch (error) {
      use.failed++;
      inRow++;
      if (inRow === MAX_FAILED_IN_A_ROW) throw error;
    }
    said.push(...batch.map((_, place) => supportOf(judged[place])));
  }
  const pairs = claims.map(({ label }, at) => ({ label, said: said[at] ?? 'unjudged' }));
  return { balanced: balancedAccuracy(pairs), interval: resampled(pairs), table: tableOf(pairs), use };
}

/** WiCE has no label for a contradiction: it is a claim that isn't supported. */
function supportOf(judgment: Judgment | undefined): string {
  return judgment?.support === 'contradicted' ? 'none' : (judgment?.support ?? 'unjudged');
}

async function judge(
  model: LanguageModel,
  claims: Claim[],
  use: JudgeUse,
): Promise<(Judgment | undefined)[]> {
  const messages: ModelMessage[] = [{ role: 'user', content: showClaims(claims, randomTag()) }];
  for (const _try of [1, 2]) {
    const read = readModelJson(judgedSchema, await answerOf(model, messages, use));
    if (read.success) return readJudgments(read.data, claims.length);
    use.unusable++;
  }
  return claims.map(() => undefined);
}

async function answerOf(model: LanguageModel, messages: ModelMessage[], use: JudgeUse): Promise<string> {
  let text = '';
  use.calls++;
  for await (const event of model.stream({ system: JUDGE_RULES, messages, maxOutputTokens: 4000 })) {
    if (event.type === 'text') text += event.text;
    if (event.type !== 'finish') continue;
    use.inputTokens += event.usage.inputTokens ?? estimateTokens(JUDGE_RULES + JSON.stringify(messages));
    use.outputTokens += event.usage.outputTokens ?? estimateTokens(text);
  }
  return text;
}

interface Judged {
  label: WiceLabel;
  said: string;
}

function balancedAccuracy(pairs: Judged[]): number {
  const shares = LABELS.flatMap((label) => {
    const own = pairs.filter((pair) => pair.label === label);
    return own.length === 0 ? [] : [own.filter(({ said }) => said === MEANS[label]).length / own.length];
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

const SAMPLES = 2000;

function resampled(pairs: Judged[]): [number, number] {
  const random = seededRandom(34);
  const means = Array.from({ length: SAMPLES }, () =>
    balancedAccuracy(pairs.flatMap(() => pairs[Math.floor(random() * pairs.length)] ?? [])),
  ).toSorted((a, b) => a - b);
  return [means[Math.floor(0.025 * SAMPLES)] ?? 0, means[Math.floor(0.975 * SAMPLES)] ?? 0];
}

function tableOf(pairs: Judged[]): JudgeResult['table'] {
  const table: JudgeResult['table'] = { supported: {}, partially_supported: {}, not_supported: {} };
  for (const { label, said } of pairs) table[label][said] = (table[label][said] ?? 0) + 1;
  return table;
}
