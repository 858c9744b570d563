import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from '@lancedb/lancedb';
import { diskObjects } from '../../../lib/adapters/disk/objects.ts';
import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { commitMessages } from '../../../lib/indexing/commit/commit.ts';
import { setLogLevel } from '../../../lib/log.ts';

/**
 * A commit worker as a separate process, which stops itself (SIGSTOP) at one place of the work, like a
 * suspended host: `commit-process.ts DATA_DIR MESSAGES PLACE TABLES`. Its clock is ahead by the milliseconds
 * in the file `slept-ms` of the data folder. Prints how it ended.
 */
const [, , dataDir = '', messages = '', place = '', tables = ''] = process.argv;
setLogLevel('error');
const database = openDatabase(dataDir);
const queue = (name: string) => sqliteQueue(database, name);
const records = sqliteRecords(database);
const vectors = lancedbVectors(tables);

let isPaused = false;
function pauseAt(reached: string): void {
  if (isPaused || reached !== place) return;
  isPaused = true;
  process.kill(process.pid, 'SIGSTOP');
}

/** Calls of LanceDB that change a table. The pause is between the library and the file system. */
const changing = Object.getPrototypeOf(await openAny()) as Record<string, (...args: unknown[]) => unknown>;
for (const name of ['add', 'delete'] as const) {
  const real = changing[name] as (...args: unknown[]) => unknown;
  changing[name] = function pausing(this: Table, ...args: unknown[]) {
    pauseAt(name);
    return real.apply(this, args);
  };
}

async function openAny(): Promise<Table> {
  const { connect } = await import('@lancedb/lancedb');
  const connection = await connect('memory://');
  return connection.createTable('any', [{ n: 1 }]);
}

const slept = join(dataDir, 'slept-ms');
const clock = { now: () => Date.now() + (existsSync(slept) ? Number(readFileSync(slept, 'utf8')) : 0) };
const ports = {
  records: {
    ...records,
    putMany: (...args: Parameters<typeof records.putMany>) => {
      pauseAt('records');
      return records.putMany(...args);
    },
  },
  objects: diskObjects(join(dataDir, 'objects'), () => Promise.reject(new Error('no uploads here'))),
  vectors: {
    ...vectors,
    open: async (workspaceId: string, space: string) => {
      pauseAt('open');
      return vectors.open(workspaceId, space);
    },
  },
  indexQueue: queue('index'),
  touchQueue: queue('touch'),
  maintainQueue: queue('maintain'),
  clock,
};
const outcome = await commitMessages(ports, JSON.parse(readFileSync(messages, 'utf8'))).then(
  () => 'done',
  (error: Error) => error.constructor.name,
);
process.stdout.write(outcome);
