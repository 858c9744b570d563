import * as z from 'zod';
import { readConfig } from '../../lib/config.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { sourceMessageSchema } from '../../lib/sources/schema.ts';
import { workOnSource } from '../../lib/sources/work.ts';
import { checkRetractions } from '../../lib/tasks/check-retractions.ts';
import { runTask } from '../../lib/tasks/run-task.ts';
import { taskRunners } from '../../lib/tasks/runners.ts';
import { retractionsMessageSchema, taskMessageSchema } from '../../lib/tasks/schema.ts';
import { openAgent } from '../../lib/wiring/agent.ts';
import { openFileSources } from '../../lib/wiring/file-source.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRepositories } from '../../lib/wiring/repositories.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';

/** Milliseconds: the function's 15 minutes, minus the time before the work starts. */
const TIME_MS = 14.5 * 60_000;

const config = readConfig();
const openPorts = await openAgent(config);
const stores = { indexQueue: await openQueue(config, 'index'), taskQueue: await openQueue(config, 'task') };
const secrets = await openSecrets(config);
const repositories = await openRepositories(config, secrets);
const sources = { secrets, ...openFileSources(config) };

export const handler = serveQueue({
  message: z.union([taskMessageSchema, retractionsMessageSchema, sourceMessageSchema]),
  queues: { task: stores.taskQueue },
  objects: await openObjects(config),
  async handle(messages) {
    const ports = { ...(await openPorts()), ...stores, ...sources };
    const runners = taskRunners({ ...ports, repositories });
    for (const message of messages)
      if (!('kind' in message)) await runTask({ ...ports, runners }, message, TIME_MS);
      else if (message.kind === 'source') await workOnSource(ports, message, TIME_MS);
      else await checkRetractions(ports, message.workspaceId);
  },
});
