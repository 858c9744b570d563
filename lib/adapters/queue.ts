import type { Config } from '../config.ts';
import type { Queue, QueueName } from '../ports/queue.ts';
import { openDatabase } from './sqlite/database.ts';
import { sqliteQueue } from './sqlite/queue.ts';

/** A queue of the service, on the side that the configuration names. */
export function openQueue(config: Config, name: QueueName): Queue {
  return sqliteQueue(openDatabase(config.dataDir), name);
}
