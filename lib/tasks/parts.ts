import * as z from 'zod';
import type { Held } from '../leases/hold.ts';
import { expiryAfter, timestampSchema } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import { collection } from '../records/collection.ts';
import { pagesOf } from '../records/page.ts';
import { workspaces } from '../workspaces/schema.ts';
import type { TaskRunEnd } from './runs.ts';
import { KEEP_TASK_RUN_SECONDS, type TaskMessage, type TaskRun } from './schema.ts';
import { isOver, type WorkPorts, workItems } from './work-items.ts';

export interface TaskPorts extends WorkPorts {
  taskQueue: Queue;
}

/** One workspace's part of a run over all workspaces. It has its own message and ends once. */
const taskParts = collection({
  kind: 'task-part',
  schema: z.object({
    runId: z.string(),
    workspaceId: z.string(),
    status: z.enum(['waiting', 'running', 'success', 'skipped', 'error']),
    /** The part's result, or why it failed. */
    text: z.string().nullable(),
    attempts: z.int(),
    owner: z.string(),
    /**
     * When its worker must have sent a heartbeat or, if it has none yet, when its message must have been
     * received.
     */
    leaseUntil: timestampSchema,
    expiresAt: z.int(),
  }),
  key: ({ runId, workspaceId }: { runId: string; workspaceId: string }) => ({
    partition: partsPartition(runId),
    sort: workspaceId,
  }),
  expiresAt: (part) => part.expiresAt,
});
export type TaskPart = NonNullable<Awaited<ReturnType<typeof taskParts.get>>>;

function partsPartition(runId: string): string {
  return `TASK_PART#${runId}`;
}

/** Messages may wait for as long as necessary. Only a message that must have been lost is sent again. */
const partItems = workItems(taskParts, 60);
const PAGE = 100;

/**
 * Creates a part and its message for each workspace. If repeated, creates the missing parts and sends all
 * messages; only one message per part counts.
 */
export async function makeParts(ports: TaskPorts, run: TaskRun): Promise<number> {
  let total = 0;
  const query = { partition: 'WORKSPACE', limit: PAGE };
  for await (const { items } of pagesOf((cursor) => workspaces.list(ports.records, { ...query, cursor }))) {
    const parts = items.map(({ id }) => newPart(ports, run, id));
    await Promise.all(parts.map((part) => taskParts.create(ports.records, part)));
    await sendParts(ports, run, parts);
    total += parts.length;
  }
  return total;
}

function newPart(ports: TaskPorts, run: TaskRun, workspaceId: string): TaskPart {
  return {
    runId: run.id,
    workspaceId,
    text: null,
    ...partItems.waiting(ports),
    expiresAt: expiryAfter(ports.clock, KEEP_TASK_RUN_SECONDS),
  };
}

/** All messages of a run are in one group, so that a task over thousands of workspaces delays no other task. */
async function sendParts({ taskQueue }: TaskPorts, run: TaskRun, parts: TaskPart[]): Promise<void> {
  const { taskId, id: runId, trigger, scheduledFor } = run;
  const bodies: TaskMessage[] = parts.map(({ workspaceId }) => ({
    taskId,
    runId,
    trigger,
    scheduledFor,
    workspaceId,
  }));
  if (bodies.length > 0) await taskQueue.send(bodies.map((body) => ({ groupId: taskId, body })));
}

/** Claims a part for this process. Undefined if another process works on it, or it's done. */
export async function claimPart(ports: TaskPorts, message: TaskMessage): Promise<TaskPart | undefined> {
  const { runId, workspaceId = '' } = message;
  const part = await taskParts.get(ports.records, { runId, workspaceId });
  if (part === undefined || isOver(part)) return undefined;
  if (part.status === 'running' && !partItems.isLapsed(part, ports.clock)) return undefined;
  return partItems.claim(ports, part, { status: 'running', attempts: part.attempts + 1 });
}

export function holdPart(ports: WorkPorts, part: TaskPart, timeLeftMs: number): Held {
  return partItems.hold(ports, part, timeLeftMs);
}

/** Ends a part. Returns false if it now belongs to another process. */
export async function endPart(
  ports: WorkPorts,
  part: TaskPart,
  { status, summary, error }: TaskRunEnd,
): Promise<boolean> {
  const ended = await partItems.change(
    ports,
    part,
    { status, text: error ?? summary },
    { status: 'running' },
  );
  return ended !== undefined;
}

export async function readParts({ records }: WorkPorts, runId: string): Promise<TaskPart[]> {
  const parts: TaskPart[] = [];
  for await (const part of taskParts.all(records, { partition: partsPartition(runId) })) parts.push(part);
  return parts;
}

/** Sends new messages for parts whose worker died or whose message must have been lost. */
export async function recallParts(ports: TaskPorts, run: TaskRun, parts: TaskPart[]): Promise<void> {
  const lost = parts.filter((part) => !isOver(part) && partItems.isLapsed(part, ports.clock));
  await sendParts(ports, run, lost);
  const waiting = lost.filter(({ status }) => status === 'waiting');
  await Promise.all(
    waiting.map((part) =>
      partItems.change(ports, part, {}, { waits: true, leaseUntil: part.leaseUntil, status: 'waiting' }),
    ),
  );
}

/** Returns the outcome of a run whose parts have all ended. */
export function summarizeParts(parts: TaskPart[]): TaskRunEnd {
  const failures = parts.filter(({ status }) => status === 'error');
  const ended = { noteId: null, summary: null, error: null };
  if (failures.length > 0) {
    const texts = failures.slice(0, 5).map(({ text }) => text);
    const error = `${failures.length} of ${parts.length} workspaces failed. ${texts.join(' ')}`;
    return { ...ended, status: 'error', error: error.slice(0, 1000) };
  }
  const done = parts.filter(({ status }) => status === 'success').length;
  const summary = `Done in ${done} of ${parts.length} workspaces. There was nothing to do in the others.`;
  return { ...ended, status: done > 0 ? 'success' : 'skipped', summary };
}
