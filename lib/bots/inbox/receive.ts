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
  /** All IDs of the event, including the message's. Any of them alone identifies a repetition. */
  ids: string[];
  message: PersonMessage;
}

/**
 * Queues a delivery for the worker. Returns false for a repetition. If this throws, or its process dies, the
 * platform must deliver again. The delivery is marked only once it's in the queue, and the worker recognizes
 * a duplicate in the queue by the message's ID.
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
