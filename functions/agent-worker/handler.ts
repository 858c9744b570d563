import { runMessageSchema } from '../../lib/agent/schema.ts';
import { continueParked, endParkedRun } from '../../lib/agent/start/continue.ts';
import { openAgent } from '../../lib/choose/agent.ts';
import { openObjects } from '../../lib/choose/objects.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { readConfig } from '../../lib/config.ts';
import { serveQueue } from '../../lib/queue/worker.ts';

/** The function's own 15 minutes, without what goes by before the work begins. */
const TIME_MS = 14.5 * 60_000;

/** A slice of a run has a step at least, and a run 200 steps (AGENT_MAX_STEPS); a person's answer begins a new chain. */
const MAX_SLICES = 250;

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
  maxHops: MAX_SLICES,
  endChain: async ({ runId }) =>
    endParkedRun(await openPorts(), runId, `it was handed on ${MAX_SLICES} times`),
});
