import type { Config } from '../config.ts';
import type { Queue, QueueName } from '../ports/queue.ts';
import { countHops } from '../queue/hops.ts';
import { openObjects } from './objects.ts';
import { tracedQueue } from './traced.ts';
import { openTraces } from './tracing.ts';

/** Opens a queue of the service, according to the configuration. */
export async function openQueue(config: Config, name: QueueName): Promise<Queue> {
  await openTraces(config);
  return tracedQueue(countHops(await openSide(config, name)), name);
}

async function openSide(config: Config, name: QueueName): Promise<Queue> {
  if (config.aws === undefined) {
    const [{ openDatabase }, { sqliteQueue }] = await Promise.all([
      import('../adapters/sqlite/database.ts'),
      import('../adapters/sqlite/queue.ts'),
    ]);
    return sqliteQueue(openDatabase(config.dataDir), name);
  }
  const url = config.aws.queueUrls[name];
  if (url === undefined) throw new Error(`QUEUE_URL_${name.toUpperCase()} is not set.`);
  const [{ sqsClient }, { sqsQueue }, objects] = await Promise.all([
    import('../adapters/sqs/client.ts'),
    import('../adapters/sqs/queue.ts'),
    openObjects(config),
  ]);
  return sqsQueue(sqsClient(), url, objects);
}
