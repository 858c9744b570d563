import { openAgent } from '../../lib/choose/agent.ts';
import { openObjects } from '../../lib/choose/objects.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { openRepositories } from '../../lib/choose/repositories.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { readConfig } from '../../lib/config.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { runTask } from '../../lib/tasks/run-task.ts';
import { taskRunners } from '../../lib/tasks/runners.ts';
import { taskMessageSchema } from '../../lib/tasks/schema.ts';

/** The function's own 15 minutes, without what goes by before the work begins. */
const TIME_MS = 14.5 * 60_000;

const config = readConfig();
const openPorts = await openAgent(config);
const stores = { indexQueue: await openQueue(config, 'index'), taskQueue: await openQueue(config, 'task') };
const repositories = await openRepositories(config, await openSecrets(config));

export const handler = serveQueue({
  message: taskMessageSchema,
  queues: { task: stores.taskQueue },
  objects: await openObjects(config),
  async handle(messages) {
    const ports = { ...(await openPorts()), ...stores };
    const runners = taskRunners({ ...ports, repositories });
    for (const message of messages) await runTask({ ...ports, runners }, message, TIME_MS);
  },
});
