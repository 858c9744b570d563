import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { expiryAfter, timestamp, timestampSchema } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import { collection } from '../records/collection.ts';
import { workspaces } from '../workspaces/schema.ts';
import { LEASE_MS, type TaskRunEnd, type TaskRunPorts } from './runs.ts';
import { KEEP_TASK_RUN_SECONDS, type TaskMessage, type TaskRun } from './schema.ts';

export interface PartPorts extends TaskRunPorts {
  taskQueue: Queue;
}

/** One workspace's part of a run over all workspaces: it has its own message and ends once. */
const taskParts = collection({
  kind: 'task-part',
  schema: z.object({
    runId: z.string(),
    workspaceId: z.string(),
    status: z.enum(['waiting', 'running', 'success', 'skipped', 'error']),
    /** Its result, or why it failed. */
    text: z.string().nullable(),
    attempts: z.int(),
    owner: z.string(),
    /** When its worker must have sent a heartbeat or, while it waits, its message must have been received. */
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

/** Messages wait as long as necessary: only one that must have been lost is sent again. */
const PATIENCE = 60;
const PAGE = 100;

/**
 * Creates a part and its message for each workspace. Repeating it creates the missing parts and sends all messages: only one of
 * a part's messages counts.
 */
export async function makeParts(ports: PartPorts, run: TaskRun): Promise<number> {
  let total = 0;
  let cursor: string | undefined;
  do {
    const page = await workspaces.list(ports.records, { partition: 'WORKSPACE', limit: PAGE, cursor });
    const parts = page.items.map(({ id }) => newPart(ports, run, id));
    await Promise.all(parts.map((part) => taskParts.create(ports.records, part)));
    await sendParts(ports, run, parts);
    total += parts.length;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return total;
}

function newPart(ports: PartPorts, run: TaskRun, workspaceId: string): TaskPart {
  return {
    runId: run.id,
    workspaceId,
    status: 'waiting',
    text: null,
    attempts: 0,
    owner: randomUUID(),
    leaseUntil: leaseEnd(ports, PATIENCE),
    expiresAt: expiryAfter(ports.clock, KEEP_TASK_RUN_SECONDS),
  };
}

function leaseEnd({ clock, leaseMs = LEASE_MS }: TaskRunPorts, times = 1): string {
  return timestamp(clock, times * leaseMs);
}

/** All messages of a run are in one group, so that a task over thousands of workspaces holds up no other task. */
async function sendParts({ taskQueue }: PartPorts, run: TaskRun, parts: TaskPart[]): Promise<void> {
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

export function isPartOver({ status }: TaskPart): boolean {
  return status !== 'waiting' && status !== 'running';
}

/** Claims a part for this process. Undefined if another process works on it, or it is done. */
export async function claimPart(ports: PartPorts, message: TaskMessage): Promise<TaskPart | undefined> {
  const { runId, workspaceId = '' } = message;
  const part = await taskParts.get(ports.records, { runId, workspaceId });
  if (part === undefined || isPartOver(part)) return undefined;
  if (part.status === 'running' && !isLapsed(part, ports)) return undefined;
  const taken: TaskPart = {
    ...part,
    status: 'running',
    attempts: part.attempts + 1,
    owner: randomUUID(),
    leaseUntil: leaseEnd(ports),
  };
  return (await replace(ports, part, taken)) ? taken : undefined;
}

function isLapsed({ leaseUntil }: TaskPart, { clock }: TaskRunPorts): boolean {
  return Date.parse(leaseUntil) <= clock.now();
}

function replace({ records }: TaskRunPorts, before: TaskPart, after: TaskPart): Promise<boolean> {
  const { owner, leaseUntil, status } = before;
  return taskParts.put(records, after, { owner, leaseUntil, status });
}

/** Sends a heartbeat and returns it like the claim; false if the part now belongs to another process. */
export async function renewPart(ports: TaskRunPorts, part: TaskPart): Promise<boolean> {
  const renewed = { ...part, leaseUntil: leaseEnd(ports) };
  return taskParts.put(ports.records, renewed, { owner: part.owner, status: 'running' });
}

/** Ends a part; false if it now belongs to another process. */
export function endPart(
  { records }: TaskRunPorts,
  part: TaskPart,
  { status, summary, error }: TaskRunEnd,
): Promise<boolean> {
  const ended: TaskPart = { ...part, status, text: error ?? summary };
  return taskParts.put(records, ended, { owner: part.owner, status: 'running' });
}

/** Returns all parts of a run. */
export async function readParts({ records }: TaskRunPorts, runId: string): Promise<TaskPart[]> {
  const parts: TaskPart[] = [];
  for await (const part of taskParts.all(records, { partition: partsPartition(runId) })) parts.push(part);
  return parts;
}

/** Sends new messages for parts whose worker died or whose message must have been lost. */
export async function recallParts(ports: PartPorts, run: TaskRun, parts: TaskPart[]): Promise<void> {
  const lost = parts.filter((part) => !isPartOver(part) && isLapsed(part, ports));
  await sendParts(ports, run, lost);
  const again = lost.filter(({ status }) => status === 'waiting');
  await Promise.all(
    again.map((part) => replace(ports, part, { ...part, leaseUntil: leaseEnd(ports, PATIENCE) })),
  );
}

/** Returns the end of a run whose parts are all over. */
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
