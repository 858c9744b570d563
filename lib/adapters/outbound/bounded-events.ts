import { shareThread } from '../../async/share-thread.ts';
import { UpstreamFailed } from '../../errors.ts';
import type { ModelEvent } from '../../ports/language-model.ts';
import { BYTES_PER_TOKEN } from '../../text/estimate-tokens.ts';
import { watchRepetition } from './repetition.ts';

/** Ten times what a run uses of one answer. */
const MAX_CALLS = 200;
/** Three times what the largest models write in one answer. */
const MAX_CHARACTERS = 2_000_000;

/** Thrown where an answer's content is read, once nothing more is expected from the model. */
export class AnswerLeft extends Error {
  readonly reason: 'stop' | 'repeats';

  constructor(reason: 'stop' | 'repeats') {
    super('The answer is left.');
    this.reason = reason;
  }
}

/**
 * The events of a model's answer; other requests are handled in between. Ends the answer once its text or its thoughts
 * repeat themselves, or exceed `maxTokens`, as far as the bytes tell. Throws UpstreamFailed if it calls more tools, or
 * writes more, than any model does.
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

/** The usage comes last, so a stream that was ended early has none. */
function leftAt(reason: 'stop' | 'length' | 'repeats'): ModelEvent {
  return { type: 'finish', reason, usage: { inputTokens: null, outputTokens: null } };
}

function tooMuch(who: string, most: number, things: string): UpstreamFailed {
  return new UpstreamFailed(
    'model_answer_unusable',
    `${who} returned more than ${most.toLocaleString('en-US')} ${things} in one answer. Try again, or choose another model.`,
  );
}
