import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { followFrames, type StreamState } from '../../run-events/follow-frames.ts';
import { type Conversation, conversations } from '../schema.ts';
import { endIfDead } from './stop-turn.ts';

/**
 * Streams the answer in progress in the conversation, from its first event and live until its end; undefined if there
 * is none. Throws StreamCut, like followFrames.
 */
export async function followAnswer(
  ports: TimedRecords,
  conversation: Conversation,
): Promise<
  ((options: { signal: AbortSignal; timeLeftMs: number }) => AsyncGenerator<StreamPart>) | undefined
> {
  const { turnId } = await endIfDead(ports, conversation);
  if (turnId === null) return undefined;
  const progress = () => progressOf(ports, conversation, turnId);
  return (options) => followFrames(ports, turnId, { ...options, after: 0, progress });
}

async function progressOf(ports: TimedRecords, { key }: Conversation, turnId: string): Promise<StreamState> {
  const there = await conversations.get(ports.records, { key });
  if (there?.turnId !== turnId) return 'over';
  return (await endIfDead(ports, there)).turnId === turnId ? 'live' : 'over';
}
