import * as z from 'zod';
import { UpstreamFailed } from '../errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../ports/language-model.ts';
import { randomTag } from '../text/random-tag.ts';
import { isOnlyBlankNow, modelJsonForm, readModelJson } from '../validation/read-model-json.ts';
import type { FoundCapabilities } from './capabilities.ts';

/** The model being checked, and what its server has refused since the check started. */
export interface CheckedModel {
  model: LanguageModel;
  refused(): ReadonlySet<string>;
}

/** Maximum tokens of an answer; a reasoning model needs some of these before the answer. */
const MAX_OUTPUT_TOKENS = 400;
const MIN_WRITTEN = 10;
/** Average characters per token in these English texts, if the server counts no tokens. */
const CHARACTERS_PER_TOKEN = 4;

const ANIMAL = z.object({ class: z.enum(['bird', 'fish', 'mammal']), legs: z.int() });
const WEATHER = {
  name: 'getWeather',
  description: 'Returns the weather of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** The result of one call. */
interface Tried {
  text: string;
  calls: number;
  thought: boolean;
  /** True if the answer ended on its own, not because of its length or the time. */
  isWhole: boolean;
  inputTokens: number;
  outputTokens: number;
  firstMs: number;
  writingMs: number;
}

/**
 * Tests a model with three short calls, one after another: an answer in JSON, a tool, and a text. The text
 * measures the speed, so it comes last, when the server has loaded the model. `signal` ends all calls;
 * unknown results are then null. Throws UpstreamFailed if the first call fails.
 */
export async function checkModel(
  { model, refused }: CheckedModel,
  signal: AbortSignal,
): Promise<FoundCapabilities> {
  const json = await tryCall(model, signal, {
    system: 'Describe the animal that the message names.',
    messages: [{ role: 'user', content: 'Owl' }],
    responseSchema: modelJsonForm('animal', ANIMAL),
  });
  const tool = await tryLater(model, signal, {
    system: 'Use the tool to answer.',
    messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
    tools: [WEATHER],
  });
  // The prefix is new, so the server can't have cached it.
  const text = await tryLater(model, signal, {
    system: `${randomTag()}\nThese numbers have no meaning: ${Array.from({ length: 100 }, (_, at) => at).join(' ')}.`,
    messages: [{ role: 'user', content: 'Count from one to thirty in words.' }],
  });
  const without = refused();
  const tried = [json, tool, text].filter((each) => each !== undefined);
  return {
    tools: without.has('tools') ? false : featureOf(tool, ({ calls }) => calls > 0),
    jsonSchema: without.has('schema')
      ? false
      : featureOf(json, (answer) => readModelJson(ANIMAL, answer.text).success),
    system: !without.has('system'),
    thinking: tried.some(({ thought }) => thought) || (tried.length === 3 ? false : null),
    readTokensPerSecond: text ? perSecond(text.inputTokens, text.firstMs) : null,
    writeTokensPerSecond:
      text && text.outputTokens >= MIN_WRITTEN ? perSecond(text.outputTokens, text.writingMs) : null,
  };
}

/** Returns whether an answer shows a feature. Unknown if the answer was truncated before it could. */
function featureOf(tried: Tried | undefined, shows: (tried: Tried) => boolean): boolean | null {
  if (tried === undefined) return null;
  return shows(tried) || (tried.isWhole ? false : null);
}

function perSecond(tokens: number, ms: number): number {
  return Math.round((tokens * 10_000) / Math.max(ms, 1)) / 10;
}

/** Makes a call. Undefined if no time is left, or if it fails after another call succeeded. */
async function tryLater(
  model: LanguageModel,
  signal: AbortSignal,
  request: ModelRequest,
): Promise<Tried | undefined> {
  try {
    return await tryCall(model, signal, request);
  } catch (error) {
    if (signal.aborted || error instanceof UpstreamFailed) return undefined;
    throw error;
  }
}

async function tryCall(model: LanguageModel, signal: AbortSignal, request: ModelRequest): Promise<Tried> {
  const tried = { text: '', calls: 0, thought: false };
  const started = performance.now();
  let first: number | undefined;
  for await (const event of model.stream({ ...request, maxOutputTokens: MAX_OUTPUT_TOKENS, signal })) {
    first ??= performance.now();
    if (event.type === 'text') tried.text += event.text;
    if (event.type === 'tool-call') tried.calls += 1;
    tried.thought ||= event.type === 'reasoning' || event.type === 'text-was-reasoning';
    const isOver = request.responseSchema !== undefined && isOnlyBlankNow(tried.text);
    const finish = isOver ? LEFT : event;
    if (finish.type === 'finish')
      return { ...tried, ...measure(finish, request, tried.text, started, first) };
  }
  throw new UpstreamFailed('model_interrupted', 'The model did not answer. Try again.');
}

type Finish = Extract<ModelEvent, { type: 'finish' }>;
/** The end of an answer whose model had finished, but whose stream wasn't closed. */
const LEFT: Finish = { type: 'finish', reason: 'stop', usage: { inputTokens: null, outputTokens: null } };

function measure(
  { reason, usage }: Finish,
  request: ModelRequest,
  text: string,
  started: number,
  first: number,
) {
  return {
    isWhole: reason === 'stop' || reason === 'tool-calls',
    inputTokens: usage.inputTokens ?? Math.ceil(JSON.stringify(request).length / CHARACTERS_PER_TOKEN),
    outputTokens: usage.outputTokens ?? Math.ceil(text.length / CHARACTERS_PER_TOKEN),
    firstMs: first - started,
    writingMs: performance.now() - first,
  };
}
