import { withTimeout } from '../async/with-timeout.ts';
import { UpstreamFailed } from '../errors.ts';
import type { LanguageModel, Usage } from '../ports/language-model.ts';
import { randomTag } from '../text/random-tag.ts';
import { providerName } from '../text/vendor-names.ts';
import { modelJsonForm, readModelJson } from '../validation/read-model-json.ts';
import { type Claim, groupClaims, type Judgment, judgeQuestion, readJudgments } from './judge.ts';
import { askWithin } from './prompt-room.ts';
import { readShortAnswer, type ShortAnswer } from './short-answer.ts';

/** The maximum number of claims per call. Further claims stay without a judgment. */
export const CLAIMS_PER_CALL = 20;
/**
 * The maximum length of the sentence that a judge sees, in characters. A longer text isn't a sentence with
 * quotes.
 */
const MAX_SENTENCE = 2000;
const MAX_QUOTES = 8;
const MAX_QUOTE = 2000;
const MAX_AROUND = 2500;

export interface Judged {
  /** One judgment per claim, in order; undefined for a claim that wasn't judged. */
  judgments: (Judgment | undefined)[];
  /** Undefined if no call has ended. A metered model counts the call in any case. */
  usage: Usage | undefined;
  /** Why nothing was judged: OverBudget, UpstreamFailed, or the reason of the signal. */
  failure?: unknown;
}

/**
 * Asks a model once whether the quotes of each claim support it. Never throws. Claims without a usable answer
 * before the deadline have no judgment. A claim without quotes is judged too, because it may state no fact
 * and need no quotes.
 */
export async function judgeClaims(
  model: LanguageModel,
  claims: Claim[],
  { signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
): Promise<Judged> {
  const judgments = new Array<Judgment | undefined>(claims.length).fill(undefined);
  if (claims.length === 0) return { judgments, usage: undefined };
  try {
    signal.throwIfAborted();
    const cut = claims.slice(0, CLAIMS_PER_CALL).map(cutClaim);
    const ask = (late: AbortSignal) => {
      const within = AbortSignal.any([signal, late]);
      return askWithin(model, (room) => judgeGroups(model, groupClaims(cut, room), within));
    };
    const judged = await withTimeout(deadlineMs, (late) => Promise.race([ask(late), failOn(signal)]));
    if (judged === undefined) return { judgments, usage: undefined, failure: tookTooLong(model) };
    return { ...judged, judgments: judgments.map((_, at) => judged.judgments[at]) };
  } catch (failure) {
    return { judgments, usage: undefined, failure };
  }
}

/** Makes one call per group. If an answer is unreadable, only its own claims have no judgment. */
async function judgeGroups(model: LanguageModel, groups: Claim[][], signal: AbortSignal): Promise<Judged> {
  const judged: Judged = { judgments: [], usage: undefined };
  for (const claims of groups) {
    const question = judgeQuestion(claims);
    const answer = await askOnce(model, question, signal);
    const read = readModelJson(question.schema, answer.text);
    if (!read.success) judged.failure ??= unusable(read.error);
    judged.judgments.push(...readJudgments(read.success ? read.data : { verdicts: [] }, claims.length));
    judged.usage = addUsage(judged.usage, answer.usage);
  }
  return judged;
}

function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    inputTokens: addKnown(one.inputTokens, other.inputTokens),
    outputTokens: addKnown(one.outputTokens, other.outputTokens),
  };
}

function addKnown(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

async function askOnce(
  model: LanguageModel,
  { system, content, schema }: ReturnType<typeof judgeQuestion>,
  signal: AbortSignal,
): Promise<ShortAnswer> {
  const answer: ShortAnswer = { text: '', usage: undefined };
  const messages = [{ role: 'user' as const, content: content(randomTag()) }];
  const request = { system, messages, signal, responseSchema: modelJsonForm('verdicts', schema) };
  await readShortAnswer(model, request, answer, () => unusable('it does not end'));
  return answer;
}

/** Truncates the texts of a claim to the lengths that a judge may read. */
export function cutClaim({ sentence, before, quotes, around = [] }: Claim): Claim {
  const cut = (texts: string[], longest: number) =>
    texts.slice(0, MAX_QUOTES).map((text) => text.slice(0, longest).toWellFormed());
  return {
    sentence: sentence.slice(0, MAX_SENTENCE).toWellFormed(),
    before,
    quotes: cut(quotes, MAX_QUOTE),
    around: cut(around, MAX_AROUND),
  };
}

/** Rejects when the signal aborts, so that the caller doesn't wait for a model that ignores the signal. */
export function failOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function tookTooLong({ provider }: LanguageModel): UpstreamFailed {
  return new UpstreamFailed('model_timeout', `${providerName(provider)} took too long. Try again.`);
}

function unusable(error: string): UpstreamFailed {
  return new UpstreamFailed('model_answer_unusable', `The model's answer can't be used (judge): ${error}.`);
}
