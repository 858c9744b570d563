import type { StreamPart } from '../api-contract/stream-part.ts';

/** The event that records a person's message to a run, at the point at which the model got it. */
type SteeringPart = Extract<StreamPart, { type: `data-${string}` }> & { type: typeof TYPE; id: string };

const TYPE = 'data-user-message';

export function messagePart({ id, text }: { id: string; text: string }): StreamPart {
  return { type: TYPE, id, data: { text } };
}

export function isMessagePart(part: StreamPart): part is SteeringPart {
  return part.type === TYPE && 'id' in part;
}

/** Returns the text of the message that a part records; undefined for any other part. */
export function readMessagePart({ type, data }: { type: string; data?: unknown }): string | undefined {
  const { text } = (data ?? {}) as { text?: unknown };
  return type === TYPE && typeof text === 'string' ? text : undefined;
}
