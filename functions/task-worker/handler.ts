import { openAgent } from '../../lib/choose/agent.ts';
import { openObjects } from '../../lib/choose/objects.ts';
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
const repositories = await openRepositories(config, await openSecrets(config));

export const handler = serveQueue({
  message: taskMessageSchema,
  objects: await openObjects(config),
  async handle(messages) {
    const ports = await openPorts();
    const runners = taskRunners({ ...ports, repositories });
    for (const message of messages) await runTask({ ...ports, runners }, message, TIME_MS);
  },
});
