import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { ModelEvent, ToolCall } from '../../ports/language-model.ts';
import { openBlocks, type ShownText, showSaid } from '../../ui-messages/text-blocks.ts';
import { MAX_INPUT_CHARACTERS } from '../calls/call.ts';

export interface ModelAnswer {
  /** The text as the model wrote it, with the numbers that the tools returned. */
  text: string;
  calls: ToolCall[];
  finish: Extract<ModelEvent, { type: 'finish' }>;
}

/**
 * Yields a model's answer as stream parts. A text block ends before any other kind of part. If the answer
 * breaks off, the held text is still yielded.
 */
export async function* readModelAnswer(
  events: AsyncIterable<ModelEvent>,
  step: number,
  showText: () => ShownText,
): AsyncGenerator<StreamPart, ModelAnswer> {
  const block = openBlocks((number) => `${step}.${number}`, showText);
  const answer = { text: '', calls: [] as ToolCall[] };
  const started = new Map<string, number>();
  try {
    for await (const event of events) {
      if (isSaid(event)) {
        answer.text = textAfter(answer.text, event);
        yield* showSaid(block, event);
        continue;
      }
      yield* block.end();
      if (event.type === 'finish') return { ...answer, finish: event };
      yield* callParts(event, started);
      if (event.type === 'tool-call') answer.calls.push(event.call);
    }
  } catch (error) {
    yield* block.release();
    throw error;
  }
  throw new Error('a model stream ended without its finish event'); // all adapters promise one
}

const SAID = ['text', 'reasoning', 'text-was-reasoning', 'waiting', 'rate-limited'] as const;
type SaidEvent = Extract<ModelEvent, { type: (typeof SAID)[number] }>;

function isSaid(event: ModelEvent): event is SaidEvent {
  return SAID.some((type) => type === event.type);
}

function textAfter(text: string, event: SaidEvent): string {
  if (event.type === 'text-was-reasoning') return '';
  return event.type === 'text' ? text + event.text : text;
}

type CallEvent = Extract<ModelEvent, { type: 'tool-call-start' | 'tool-call-delta' | 'tool-call' }>;

/**
 * Yields the parts of a call. Some providers send a call in one chunk, so its start is sent first. `started`
 * has the length of each call's arguments. Once they are too long to be accepted, they are no longer passed
 * on.
 */
function* callParts(event: CallEvent, started: Map<string, number>): Iterable<StreamPart> {
  if (event.type === 'tool-call-delta') {
    const length = started.get(event.id) ?? 0;
    started.set(event.id, length + event.text.length);
    if (length <= MAX_INPUT_CHARACTERS)
      yield { type: 'tool-input-delta', toolCallId: event.id, inputTextDelta: event.text };
    return;
  }
  const { id, name } = event.type === 'tool-call' ? event.call : event;
  if (started.has(id)) return;
  started.set(id, 0);
  yield { type: 'tool-input-start', toolCallId: id, toolName: name };
}
