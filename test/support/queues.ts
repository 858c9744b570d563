import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import type { QueueName } from '../../lib/ports/queue.ts';
import type { Service } from './service.ts';
import { eventually } from './sync.ts';

/**
 * Waits until a service's worker has handled every message of a queue, including messages sent in the
 * meantime. Otherwise, a test would mistake the late result of an earlier message for its own.
 */
export async function untilWorkedOff({ dataDir }: Pick<Service, 'dataDir'>, name: QueueName): Promise<void> {
  const queue = sqliteQueue(openDatabase(dataDir), name);
  await eventually(
    () => queue.depth(),
    ({ waiting, inFlight, delayed }) => waiting + inFlight + delayed === 0,
  );
}
