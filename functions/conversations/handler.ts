import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { conversationRoutes } from './routes.ts';

const config = readConfig();
const ports = {
  records: await openRecords(config),
  objects: await openObjects(config),
  clock: systemClock,
  readerMs: config.readerMs,
};

export const handler = serve(conversationRoutes, ports, { ...config, streaming: true });
