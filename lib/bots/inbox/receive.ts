import type { Platform } from '../../api-contract/chat-platforms.ts';
import type { Queue } from '../../ports/queue.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { marks, type PersonMessage } from '../schema.ts';
import { setMark } from './marks.ts';

export interface ReceivePorts extends TimedRecords {
  botQueue: Queue;
}

export interface ReceivedEvent {
  platform: Platform;
  /** All that the platform knows the event by, the message's id among them: each alone tells a repetition. */
  ids: string[];
  message: PersonMessage;
}

/**
 * Hands what a platform delivered to the worker; false for what came before. When it throws, or its process ends
 * halfway, the platform has to deliver it again: it is marked only when it is in the queue, and what comes into the
 * queue twice the worker tells by the message's id.
 */
export async function receiveEvent(
  ports: ReceivePorts,
  { platform, ids, message }: ReceivedEvent,
): Promise<boolean> {
  const events = ids.map((id) => ({ platform, kind: 'event' as const, id }));
  if ((await marks.getMany(ports.records, events)).length > 0) return false;
  await ports.botQueue.send([
    {
      body: message,
      groupId: `${platform}:${message.chatId}`,
      deduplicationId: `${platform}:${message.messageId}`,
    },
  ]);
  await Promise.all(events.map((event) => setMark(ports, event)));
  return true;
}
