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

/** A claim with the label of WiCE's annotators. */
export interface LabeledClaim extends Claim {
  label: WiceLabel;
}

interface JudgeUse {
  calls: number;
  /** Number of answers without the requested JSON. */
  unusable: number;
  /** Number of calls that failed or were rejected. Their claims stay unjudged. */
  failed: number;
  inputTokens: number;
  outputTokens: number;
}

export interface JudgeResult {
  /** The mean over all labels of the share that is judged correctly. */
  balanced: number;
  /** 95% interval of the mean over resampled claims. */
  interval: [low: number, high: number];
  /** How often each label got each judgment; `unjudged` if the model returned none. */
  table: Record<WiceLabel, Record<string, number>>;
  use: JudgeUse;
}

const MEANS = { supported: 'full', partially_supported: 'partial', not_supported: 'none' } as const;
const LABELS = Object.keys(MEANS) as WiceLabel[];
/** Number of sentences for every claim, so that the number doesn't reveal the label. */
const ALIKE = 5;

/**
 * Returns a claim of WiCE with the sentences that annotators chose and the most similar ones, in the
 * article's order.
 */
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

/** If this many calls fail in a row, the judge doesn't work, and measuring stops. */
const MAX_FAILED_IN_A_ROW = 3;

/**
 * Judges claims in batches with the prompt of the service. Retries an unusable answer once. Throws the
 * failure of the model if it persists.
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

/** WiCE has no label for a contradiction, so a contradiction counts as an unsupported claim. */
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
