import { openObjects } from '../../lib/choose/objects.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { readConfig } from '../../lib/config.ts';
import { moveUploads, uploadedMessageSchema } from '../../lib/files/uploads.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { serveQueue } from '../../lib/queue/worker.ts';

const config = readConfig();
const ports = {
  records: await openRecords(config),
  objects: await openObjects(config),
  filesChanged: filesChangedIn(await openQueue(config, 'touch')),
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
