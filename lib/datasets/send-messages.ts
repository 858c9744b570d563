import type { Queue } from '../ports/queue.ts';
import type { DatasetMessage } from './schema.ts';

/** In a group of its dataset: a large download holds up no other. */
export async function sendMessages(
  { datasetQueue }: { datasetQueue: Queue },
  bodies: DatasetMessage[],
  delaySeconds = 0,
): Promise<void> {
  await datasetQueue.send(bodies.map((body) => ({ groupId: body.datasetId, body, delaySeconds })));
}
