import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { fileRoutes } from './routes.ts';

/**
 * Maximum bytes, because Lambda ends a stream after 200 MB, and after the first 6 MB sends only 2 MB per
 * second.
 */
const MAX_STREAM_BYTES = 128 * 1024 * 1024;

const config = readConfig();
const records = await openRecords(config);

export const handler = serve(
  fileRoutes,
  {
    records,
    objects: await openObjects(config),
    filesChanged: filesChangedIn({ records, queue: await openQueue(config, 'touch'), clock: systemClock }),
    clock: systemClock,
    maxRawBytes: config.deployed ? MAX_STREAM_BYTES : Number.POSITIVE_INFINITY,
  },
  { ...config, streaming: true },
);
