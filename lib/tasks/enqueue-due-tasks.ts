import { duePages } from '../leases/due.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import { ExpectationFailed } from '../ports/records.ts';
import type { TaskPorts } from './parts.ts';
import { newRun, waitOn } from './runs.ts';
import { nextSlot } from './schedule.ts';
import {
  DUE,
  duePlace,
  LEASED,
  type StoredTask,
  slotMessage,
  type TaskMessage,
  taskRuns,
  tasks,
} from './schema.ts';

/** For the scheduler tick: enqueues due tasks and abandoned runs. Reads nothing else. */
export async function enqueueDueTasks(ports: TaskPorts): Promise<void> {
  await Promise.all([enqueueSlots(ports), recallRuns(ports)]);
}

/** One run replaces all missed slots, with the time of the first one. */
async function enqueueSlots(ports: TaskPorts): Promise<void> {
  // `$` sorts after the `#` that follows the time, so tasks that are due at this moment are included.
  const due = { partition: DUE, to: `${timestamp(ports.clock)}$` };
  for await (const page of duePages(ports.records, tasks, due)) await enqueuePage(ports, page);
}

/**
 * Enqueues a page. Runs are stored first, so that the tick finds them if their messages are lost, and tasks
 * last. If this process dies in between, the next tick repeats everything, and the worker's claim allows only
 * one run.
 */
async function enqueuePage(ports: TaskPorts, page: StoredTask[]): Promise<void> {
  const slots = page.flatMap(({ id, nextRunAt }) => (nextRunAt === null ? [] : [slotMessage(id, nextRunAt)]));
  await Promise.all(slots.map((slot) => taskRuns.create(ports.records, newRun(ports, slot))));
  await send(ports, slots);
  await Promise.all(page.map((task) => advance(ports, task)));
}

async function send({ taskQueue }: TaskPorts, messages: TaskMessage[]): Promise<void> {
  if (messages.length > 0) await taskQueue.send(messages.map((body) => ({ groupId: body.taskId, body })));
}

/**
 * Advances the task unless another tick, or a change of the task, was faster. A failure must not delay the other tasks.
 */
async function advance({ records, clock }: TaskPorts, task: StoredTask): Promise<void> {
  try {
    const next = nextSlot(task.schedule, task.timezone, clock.now());
    const nextRunAt = next === undefined ? null : new Date(next).toISOString();
    const change = { set: { nextRunAt }, index: duePlace({ id: task.id, nextRunAt }) ?? null };
    await tasks.update(records, task, change, { nextRunAt: task.nextRunAt, updatedAt: task.updatedAt });
  } catch (error) {
    if (!(error instanceof ExpectationFailed))
      log.error('a task was not moved on', { taskId: task.id }, error);
  }
}

/** Re-enqueues runs whose worker died or whose message was lost. */
async function recallRuns(ports: TaskPorts): Promise<void> {
  const lapsed = { partition: LEASED, to: timestamp(ports.clock) };
  for await (const page of duePages(ports.records, taskRuns, lapsed)) {
    await send(
      ports,
      page.map(({ id, taskId, trigger, scheduledFor }) => ({ taskId, runId: id, trigger, scheduledFor })),
    );
    const waiting = page.filter(({ status }) => status === 'waiting');
    await Promise.all(waiting.map((run) => waitOn(ports, run)));
  }
}
