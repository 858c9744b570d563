import { shareThread } from '../../async/share-thread.ts';
import { UpstreamFailed } from '../../errors.ts';
import type { ModelEvent } from '../../ports/language-model.ts';
import { BYTES_PER_TOKEN } from '../../text/estimate-tokens.ts';
import { watchRepetition } from './repetition.ts';

/** Maximum calls: ten times as many as a run makes of one answer's calls. */
const MAX_CALLS = 200;
/** Maximum characters: three times what the largest models write in one answer. */
const MAX_CHARACTERS = 2_000_000;

/** Thrown by the reader of an answer's content when it expects nothing more from the model. */
export class AnswerLeft extends Error {
  readonly reason: 'stop' | 'repeats';

  constructor(reason: 'stop' | 'repeats') {
    super('The answer is left.');
    this.reason = reason;
  }
}

/**
 * Yields the events of a model's answer, letting other requests run in between. Ends the answer once its text
 * or its reasoning repeats itself, or exceeds `maxTokens`, as estimated from the bytes. Throws UpstreamFailed
 * if the answer is longer, or calls more tools, than any real answer.
 */
export async function* boundedEvents(
  who: string,
  events: AsyncIterable<ModelEvent>,
  maxTokens = Number.POSITIVE_INFINITY,
): AsyncGenerator<ModelEvent> {
  const share = shareThread();
  const ends = { text: watchEnd(maxTokens), reasoning: watchEnd(maxTokens) };
  const bound = watchBounds(who);
  try {
    for await (const event of events) {
      bound(event);
      yield event;
      const reason =
        event.type === 'text' || event.type === 'reasoning' ? ends[event.type](event.text) : undefined;
      if (reason !== undefined) return yield leftAt(reason);
      await share();
    }
  } catch (error) {
    if (!(error instanceof AnswerLeft)) throw error;
    yield leftAt(error.reason);
  }
}

function watchBounds(who: string): (event: ModelEvent) => void {
  let calls = 0;
  let characters = 0;
  return (event) => {
    if (event.type === 'tool-call-start') calls += 1;
    if ('text' in event && event.type !== 'tool-call-delta') characters += event.text.length;
    if (calls > MAX_CALLS) throw tooMuch(who, MAX_CALLS, 'tool calls');
    if (characters > MAX_CHARACTERS) throw tooMuch(who, MAX_CHARACTERS, 'characters');
  };
}

function watchEnd(maxTokens: number): (text: string) => 'length' | 'repeats' | undefined {
  const repeats = watchRepetition();
  let bytes = 0;
  return (text) => {
    bytes += Buffer.byteLength(text);
    if (repeats(text)) return 'repeats';
    return bytes > maxTokens * BYTES_PER_TOKEN ? 'length' : undefined;
  };
}

/** Returns the last event. A stream reports its usage last, so one that was ended early has none. */
function leftAt(reason: 'stop' | 'length' | 'repeats'): ModelEvent {
  return { type: 'finish', reason, usage: { inputTokens: null, outputTokens: null } };
}

function tooMuch(who: string, most: number, things: string): UpstreamFailed {
  return new UpstreamFailed(
    'model_answer_unusable',
    `${who} returned more than ${most.toLocaleString('en-US')} ${things} in one answer. Try again, or choose another model.`,
  );
}
