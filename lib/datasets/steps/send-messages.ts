import type { Queue } from '../../ports/queue.ts';
import type { DatasetMessage } from '../schema.ts';

/**
 * Seconds to delay the copy of a message, which is sent before a record is written. The message itself almost
 * certainly arrives before that.
 */
export const AGAIN_SECONDS = 30;

/** Sends messages in the dataset's own group, so that a large download doesn't delay others. */
export async function sendMessages(
  { datasetQueue }: { datasetQueue: Queue },
  bodies: DatasetMessage[],
  delaySeconds = 0,
): Promise<void> {
  await datasetQueue.send(bodies.map((body) => ({ groupId: body.datasetId, body, delaySeconds })));
}
