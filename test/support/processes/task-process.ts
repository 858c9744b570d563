import { appendFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { setLogLevel } from '../../../lib/log.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import { enqueueDueTasks } from '../../../lib/tasks/enqueue-due-tasks.ts';
import { type Runner, runTask } from '../../../lib/tasks/run-task.ts';
import { type TaskType, taskMessageSchema, taskTypeSchema } from '../../../lib/tasks/schema.ts';

/**
 * A scheduler or a worker as a separate process, until it is killed: `task-process.ts tick|work DATA_DIR
 * JOURNAL`.
 */
const [, , part, dataDir = '', journal = ''] = process.argv;
flushCompileCache(); // killed, and the cache is written only at a regular end
setLogLevel('error');
const database = openDatabase(dataDir);
const taskQueue = sqliteQueue(database, 'task');
const ports = { records: sqliteRecords(database), clock: systemClock, taskQueue, leaseMs: 6000 };

/** Outside the store: prints a line when the work starts, and another when it has taken effect. */
function note(what: 'begin' | 'effect', id: string): void {
  appendFileSync(journal, `${JSON.stringify({ what, id, pid: process.pid, at: Date.now() })}\n`);
}

const runner: Runner = async ({ run }) => {
  note('begin', run.id);
  await sleep(20 + Math.random() * 100);
  note('effect', run.id);
  return { status: 'success', summary: 'done' };
};
const types = taskTypeSchema.options.map((type) => [type, runner]);
const runners = Object.fromEntries(types) as Record<TaskType, Runner>;

for (;;) {
  if (part === 'tick') {
    await enqueueDueTasks(ports);
    await sleep(50 + Math.random() * 50);
    continue;
  }
  const [message] = await taskQueue.receive({ max: 1, waitSeconds: 1 });
  if (message === undefined) continue;
  await runTask({ ...ports, runners }, taskMessageSchema.parse(JSON.parse(message.body)), 900_000);
  await taskQueue.delete([message.receipt]);
}
