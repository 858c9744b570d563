import { readConfig } from '../../lib/config.ts';
import { moveUploads, uploadedMessageSchema } from '../../lib/files/uploads.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';

const config = readConfig();
const records = await openRecords(config);
const ports = {
  records,
  objects: await openObjects(config),
  filesChanged: filesChangedIn({ records, queue: await openQueue(config, 'touch'), clock: systemClock }),
  clock: systemClock,
};

export const handler = serveQueue({
  message: uploadedMessageSchema,
  queues: { upload: await openQueue(config, 'upload') },
  objects: ports.objects,
  async handle(messages) {
    for (const message of messages) await moveUploads(ports, message);
  },
});
