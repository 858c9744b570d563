import { shareThread } from '../../async/share-thread.ts';
import { UpstreamFailed } from '../../errors.ts';
import type { ModelEvent } from '../../ports/language-model.ts';

/** Ten times what a run makes of one answer. */
const MAX_CALLS = 200;
/** Three times what the largest models write in one answer. */
const MAX_CHARACTERS = 2_000_000;

/**
 * The events of a model's answer, between which other requests are answered. Throws UpstreamFailed if it calls more tools, or
 * writes more, than any model does.
 */
export async function* boundedEvents(
  who: string,
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  const share = shareThread();
  let calls = 0;
  let characters = 0;
  for await (const event of events) {
    if (event.type === 'tool-call-start') calls += 1;
    if ('text' in event && event.type !== 'tool-call-delta') characters += event.text.length;
    if (calls > MAX_CALLS) throw tooMuch(who, MAX_CALLS, 'tool calls');
    if (characters > MAX_CHARACTERS) throw tooMuch(who, MAX_CHARACTERS, 'characters');
    yield event;
    await share();
  }
}

function tooMuch(who: string, most: number, things: string): UpstreamFailed {
  return new UpstreamFailed(
    'model_answer_unusable',
    `${who} returned more than ${most.toLocaleString('en-US')} ${things} in one answer. Try again, or choose another model.`,
  );
}
