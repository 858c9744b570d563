import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { retry } from '../../async/retry.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { OverBudget, predicateOf, UpstreamFailed } from '../../errors.ts';
import { expiryAfter } from '../../ports/clock.ts';
import type { LanguageModel, ModelMessage, ModelRequest } from '../../ports/language-model.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { askWithin } from '../../support/prompt-room.ts';
import { answerDeadline, readShortAnswer, type ShortAnswer } from '../../support/short-answer.ts';
import { mostTokens } from '../../text/count-tokens.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { randomTag } from '../../text/random-tag.ts';
import { providerName } from '../../text/vendor-names.ts';
import { modelJsonForm, readModelJson } from '../../validation/read-model-json.ts';
import type { Run } from '../schema.ts';
import { BudgetEnded, type Phase, type RunLimits, UselessAnswer } from './limits.ts';
import { ANSWERS_TTL_SECONDS, answers, type StepUse } from './step-records.ts';
import type { StoredSteps } from './stored-steps.ts';
import { hashOf } from './stored-steps.ts';

/** A run that asks the model for a report, or to check a draft. */
export interface Asking {
  run: Run;
  ports: TimedRecords;
  model: LanguageModel;
  steps: StoredSteps;
  limits: RunLimits;
  signal: AbortSignal;
  /**
   * Throws if no work may start, because another process has the run, or this process's time is up
   * (HandOver).
   */
  requireMayGoOn(): void;
}

/** A question for the model with a JSON answer. */
export interface Request<Schema extends z.ZodType> {
  /** The step's name, such as `read`. */
  name: string;
  phase: Phase;
  system: string;
  /**
   * Builds the text for the model, up to this many tokens. Untrusted content is delimited with a random tag,
   * which it can't contain.
   */
  content: (code: string, tokens: number) => string;
  schema: Schema;
}

const CALL_MS = 150_000;
/** Milliseconds before each retry of a call that failed in transit. */
const PAUSES_MS = [1000, 5000];

/**
 * Asks like `askIn`, within the model's window. If the model refuses the request because of its length, asks
 * once more with half the size.
 */
export function ask<Schema extends z.ZodType>(
  asking: Asking,
  request: Request<Schema>,
): Promise<z.output<Schema>> {
  return askWithin(asking.model, ({ tokens }) => {
    const left = tokens === Number.POSITIVE_INFINITY ? tokens : tokens - mostTokens(request.system);
    return askIn(asking, { ...request, content: (code) => request.content(code, left) });
  });
}

/**
 * Asks the model once. Its answer is stored before it's used, and other runs of the workspace reuse it for
 * the same request. An invalid answer is sent back once. Throws BudgetEnded, UselessAnswer, UpstreamFailed.
 */
async function askIn<Schema extends z.ZodType>(
  asking: Asking,
  request: Omit<Request<Schema>, 'content'> & { content: (code: string) => string },
): Promise<z.output<Schema>> {
  const { name, schema, system } = request;
  const { model, steps } = asking;
  const asked = [model.provider, model.model, system, withSteadyCode(request.content)];
  const code = randomTag();
  const messages: ModelMessage[] = [{ role: 'user', content: request.content(code) }];
  const isKnown = steps.find(name, asked) !== undefined || (await takeOver(asking, name, asked));
  const first = await call(asking, request, { asked, messages });
  const read = readModelJson(schema, first);
  if (read.success) {
    if (!isKnown) await remember(asking, asked, first);
    return read.data;
  }
  messages.push({ role: 'assistant', content: first }, { role: 'user', content: repair(read.error) });
  const second = await call(asking, request, { asked: [...asked, 'again'], messages });
  const again = readModelJson(schema, second);
  if (!again.success)
    throw new UselessAnswer(
      'model_answer_unusable',
      `The model's answer can't be used (${name}): ${again.error}.`,
    );
  if (!isKnown) await remember(asking, asked, second);
  return again.data;
}

/**
 * Derives the tag from a hash of the text, so that equal content stays equal. A text can't contain its own
 * tag in order to imitate other elements.
 */
function withSteadyCode(content: (code: string) => string): string {
  return content(hashOf(content('')));
}

function repair(error: string): string {
  return `This is not the requested JSON: ${error}. Answer again with the JSON only.`;
}

/** Reuses an answer to the same request from another run of the workspace. Returns false if there is none. */
async function takeOver({ ports, run, steps }: Asking, name: string, asked: unknown): Promise<boolean> {
  const there = await answers.get(ports.records, { workspaceId: run.workspaceId, hash: hashOf(asked) });
  if (there !== undefined) await steps.save(name, asked, there.text);
  return there !== undefined;
}

async function remember({ ports, run }: Asking, asked: unknown, text: string): Promise<void> {
  const expiresAt = expiryAfter(ports.clock, ANSWERS_TTL_SECONDS);
  await answers.create(ports.records, { workspaceId: run.workspaceId, hash: hashOf(asked), text, expiresAt });
}

async function call(
  asking: Asking,
  request: Request<z.ZodType>,
  { asked, messages }: { asked: unknown; messages: ModelMessage[] },
): Promise<string> {
  const { steps, limits } = asking;
  const before = steps.find(request.name, asked);
  if (typeof before === 'string') return before;
  asking.requireMayGoOn();
  const underWay = limits.begin(request.phase);
  try {
    const responseSchema = modelJsonForm(request.name, request.schema);
    const { text, use } = await answerOf(asking, {
      system: request.system,
      messages,
      responseSchema,
    });
    await steps.save(request.name, asked, text, use);
    return text;
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    limits.endedBy(`ended early. ${predicateOf(error)}`);
    throw new BudgetEnded(error.message);
  } finally {
    underWay.end();
  }
}

/** Errors after which no further call can succeed until an administrator changes the settings. */
const SETTINGS_AT_FAULT = new Set<ErrorCode>([
  'model_certificate_refused',
  'model_credential_refused',
  'model_not_found',
]);

function isFinal({ refusedRequest, code }: UpstreamFailed): boolean {
  return refusedRequest || SETTINGS_AT_FAULT.has(code);
}

type Sent = Pick<ModelRequest, 'system' | 'messages' | 'responseSchema'>;

interface Answer {
  text: string;
  use: StepUse;
}

/** Retries a call that failed in transit. A refusal is final. */
function answerOf(asking: Asking, sent: Sent): Promise<Answer> {
  const ask = async () => {
    asking.requireMayGoOn();
    return streamAnswer(asking, sent);
  };
  return retry(ask, {
    signal: asking.signal,
    waitAfter(error, tries) {
      const failed = error instanceof UpstreamFailed && !(error instanceof UselessAnswer);
      return failed && !isFinal(error) ? PAUSES_MS[tries - 1] : undefined;
    },
  });
}

async function streamAnswer(asking: Asking, sent: Sent): Promise<Answer> {
  const timeout = AbortSignal.timeout(await answerDeadline(asking.model, CALL_MS));
  const signal = AbortSignal.any([asking.signal, timeout]);
  const answer: ShortAnswer = { text: '', usage: undefined };
  const used = (): StepUse => ({
    calls: 1,
    inputTokens: answer.usage?.inputTokens ?? estimateTokens(JSON.stringify([sent.system, sent.messages])),
    outputTokens: answer.usage?.outputTokens ?? estimateTokens(answer.text),
  });
  try {
    await readShortAnswer(asking.model, { ...sent, signal }, answer, tooLong);
  } catch (error) {
    const failure =
      timeout.aborted && !asking.signal.aborted
        ? new UpstreamFailed(
            'model_timeout',
            `${providerName(asking.model.provider)} took too long. Try again.`,
            {
              cause: error,
            },
          )
        : error;
    await countFailed(asking, failure, used());
    throw failure;
  }
  return { text: answer.text, use: used() };
}

/**
 * Counts a call that failed in transit, because it was sent. Otherwise, failing calls would never use up a
 * budget.
 */
async function countFailed({ steps, signal }: Asking, error: unknown, use: StepUse): Promise<void> {
  if (signal.aborted || !(error instanceof UpstreamFailed)) return;
  const tokens = isFinal(error) ? { inputTokens: 0, outputTokens: 0 } : {};
  await steps.save('failed', randomUUID(), null, { ...use, ...tokens });
}

function tooLong(): UselessAnswer {
  return new UselessAnswer('model_answer_unusable', "The model's answer did not end.");
}
