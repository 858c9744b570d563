import { withCircuitBreaker } from '../async/circuit-breaker.ts';
import { withTimeout } from '../async/with-timeout.ts';
import { systemClock } from '../ports/clock.ts';
import type { Entailment, EntailmentPair, EntailmentScores } from '../ports/entailment.ts';
import type { Claim, Judgment } from './judge.ts';
import { cutClaim, failOn, type Judged } from './judge-claims.ts';

/**
 * The probabilities at which the model decides. They aren't based on measurements, because no model weights
 * were available when they were chosen. `npm run eval:support` prints the results for other thresholds.
 */
export const ENTAILED_FROM = { full: 0.9, contradicted: 0.98 };

/** How long an answer, or ten sentences of a draft, wait for the model, in milliseconds. */
export const ENTAILMENT_MS = 5000;
/** The maximum number of claims per call. Further claims aren't scored. */
export const MAX_CLAIMS = 64;
/** The default limit of Text Embeddings Inference. */
const PAIRS_PER_REQUEST = 32;
/**
 * The maximum length of a premise in characters. The end of a longer one is cut off, because the model cuts
 * off text after 512 tokens.
 */
const MAX_PREMISE = 4000;
/**
 * The maximum length of a sentence in characters. The model may not read the end of a longer sentence, and
 * the end may be invented.
 */
const MAX_SENTENCE = 500;

interface EntailOptions {
  signal: AbortSignal;
  deadlineMs: number;
}

/**
 * Has a natural language inference model judge whether the quotes of each claim, with the words around them,
 * entail it. Never throws. A claim has no judgment if the model isn't sure or misses the deadline, or if the
 * claim doesn't show its subject to the model.
 */
export async function entailClaims(
  entailment: Entailment,
  claims: Claim[],
  options: EntailOptions,
): Promise<Judged> {
  const scores = await scoreClaims(entailment, claims, options);
  return { judgments: scores.map((each) => judgmentOf(each)), usage: undefined };
}

/** Returns one score per claim, in order; undefined for a claim without a score. Never throws. */
export async function scoreClaims(
  entailment: Entailment,
  claims: Claim[],
  { signal, deadlineMs }: EntailOptions,
): Promise<(EntailmentScores | undefined)[]> {
  const scores = new Array<EntailmentScores | undefined>(claims.length).fill(undefined);
  const asked = [...claims.slice(0, MAX_CLAIMS).entries()].filter(([, claim]) => isClear(claim));
  const until = performance.now() + deadlineMs;
  for (let start = 0; start < asked.length && !signal.aborted; start += PAIRS_PER_REQUEST) {
    const batch = asked.slice(start, start + PAIRS_PER_REQUEST);
    const pairs = batch.map(([, claim]) => pairOf(cutClaim(claim)));
    const found = await scorePairs(entailment, pairs, signal, until - performance.now());
    if (found === undefined) break;
    for (const [index, [at]] of batch.entries()) scores[at] = found[index];
  }
  return scores;
}

/**
 * Returns false for a sentence that starts with a pronoun, because the model doesn't learn whom or what it
 * means.
 */
function isClear({ sentence, before = '', quotes }: Claim): boolean {
  return quotes.length > 0 && before === '' && sentence.length <= MAX_SENTENCE;
}

function pairOf({ sentence, quotes, around = [] }: Claim): EntailmentPair {
  const premise = quotes.map((quote, at) => inPlace(quote, around[at] ?? '')).join('\n');
  return { premise: premise.slice(0, MAX_PREMISE).toWellFormed(), hypothesis: sentence };
}

/** Returns a quote with the words around it, in which `[…]` marks its place. */
function inPlace(quote: string, around: string): string {
  return around.includes('[…]') ? around.replace('[…]', () => quote) : quote;
}

/**
 * Returns undefined if no answer arrives in time, or while the circuit breaker is open because the model
 * failed.
 */
async function scorePairs(
  entailment: Entailment,
  pairs: EntailmentPair[],
  signal: AbortSignal,
  leftMs: number,
): Promise<(EntailmentScores | undefined)[] | undefined> {
  const service = {
    name: `entail ${entailment.model}`,
    clock: systemClock,
    failure: 'the sentences were not judged',
  };
  const ask = async (late: AbortSignal) =>
    entailment.entail(pairs, {
      signal: AbortSignal.any([signal, late]),
      withinMs: Math.max(1, Math.floor((leftMs * 2) / 3)),
    });
  return withCircuitBreaker(service, () =>
    withTimeout(leftMs, (late) => Promise.race([ask(late), failOn(signal)])).catch((error: unknown) => {
      if (signal.aborted) return []; // an abort doesn't mean that the model failed
      throw error;
    }),
  );
}

/** Returns the judgment that follows from scores; undefined if they are undecided. */
export function judgmentOf(
  scores: EntailmentScores | undefined,
  from: typeof ENTAILED_FROM = ENTAILED_FROM,
): Judgment | undefined {
  const { entailment, contradiction } = scores ?? { entailment: Number.NaN, contradiction: Number.NaN };
  if (contradiction >= from.contradicted && contradiction > entailment)
    return { support: 'contradicted', by: 'nli', reason: '' };
  return entailment >= from.full ? { support: 'full', by: 'nli', reason: '' } : undefined;
}
