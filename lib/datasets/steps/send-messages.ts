import type { Queue } from '../../ports/queue.ts';
import type { DatasetMessage } from '../schema.ts';

/** Sends in a group of its dataset, so that a large download holds up no other. */
export async function sendMessages(
  { datasetQueue }: { datasetQueue: Queue },
  bodies: DatasetMessage[],
  delaySeconds = 0,
): Promise<void> {
  await datasetQueue.send(bodies.map((body) => ({ groupId: body.datasetId, body, delaySeconds })));
}
