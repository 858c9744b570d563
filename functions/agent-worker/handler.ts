import { runMessageSchema } from '../../lib/agent/schema.ts';
import { continueParked } from '../../lib/agent/start/continue.ts';
import { openAgent } from '../../lib/choose/agent.ts';
import { openObjects } from '../../lib/choose/objects.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { readConfig } from '../../lib/config.ts';
import { serveQueue } from '../../lib/queue/worker.ts';

/** The function's own 15 minutes, without what goes by before the work begins. */
const TIME_MS = 14.5 * 60_000;

const config = readConfig();
const openPorts = await openAgent(config);

export const handler = serveQueue({
  message: runMessageSchema,
  queues: { agent: await openQueue(config, 'agent') },
  objects: await openObjects(config),
  async handle(messages) {
    const ports = await openPorts();
    for (const { runId } of messages) await continueParked(ports, runId, TIME_MS);
  },
});
