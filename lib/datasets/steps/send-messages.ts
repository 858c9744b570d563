import type { Queue } from '../../ports/queue.ts';
import type { DatasetMessage } from '../schema.ts';

/**
 * How much later the copy of a message comes that is sent before a record is written: by then the message itself has come, in
 * all likelihood.
 */
export const AGAIN_SECONDS = 30;

/** Sends in a group of its dataset, so that a large download holds up no other. */
export async function sendMessages(
  { datasetQueue }: { datasetQueue: Queue },
  bodies: DatasetMessage[],
  delaySeconds = 0,
): Promise<void> {
  await datasetQueue.send(bodies.map((body) => ({ groupId: body.datasetId, body, delaySeconds })));
}
