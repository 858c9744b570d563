import { type Clock, expiryAfter } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { sendWhenSpace } from '../queue/send-when-space.ts';
import type { FilesChanged } from '../workspaces/callbacks.ts';
import type { CommitMessage, IndexMessage, MaintainMessage } from './messages.ts';
import { decidesOnOthers } from './scan/rule-files.ts';
import { isRecordable, pendingLooks } from './schema.ts';
import { markWaiting } from './waiting-files.ts';

/** Paths per message, at most. */
const PATHS_AT_ONCE = 100;

/** Sends a *touch* for files or folders that were written, moved, or removed. */
export async function touchIndex(
  queue: Queue,
  workspaceId: string,
  paths: string[],
  options: { fresh?: boolean } = {},
): Promise<void> {
  const groups: string[][] = [];
  for (let start = 0; start < paths.length; start += PATHS_AT_ONCE) {
    groups.push(paths.slice(start, start + PATHS_AT_ONCE));
  }
  await touchGroups(queue, workspaceId, groups, options);
}

export interface ChangePorts extends TimedRecords {
  queue: Queue;
}

/** Reacts to changed files: marks them as waiting, and sends a *touch* in the given queue. */
export function filesChangedIn({ records, queue, clock }: ChangePorts): FilesChanged {
  return (workspaceId, paths) =>
    sendWhenSpace(async () => {
      await markWaiting({ records, clock }, workspaceId, paths);
      await touchIndex(queue, workspaceId, paths);
    });
}

/** Each group is one message: a moved file together with the path that it left. */
export async function touchGroups(
  queue: Queue,
  workspaceId: string,
  groups: string[][],
  options: { fresh?: boolean; isPart?: boolean } = {},
): Promise<void> {
  const messages: IndexMessage[] = groups.map((paths) => ({ kind: 'touch', workspaceId, paths, ...options }));
  await sendIndex(queue, workspaceId, messages);
}

/** How long a *touch* of a large folder waits while a sync is at work. */
const TOUCH_LATER_SECONDS = 60;

/** Sends a *touch* that is handled a while later. */
export async function touchLater(queue: Queue, workspaceId: string, paths: string[]): Promise<void> {
  await sendIndex(queue, workspaceId, [{ kind: 'touch', workspaceId, paths }], TOUCH_LATER_SECONDS);
}

/** Commands often come in bursts: one look serves all of them. */
const LOOK_DELAY_SECONDS = 2;
/** One that is put off, because of a sync at work, comes after this many times the time that it takes. */
const TIMES_LATER = 10;
const LATER_SECONDS = { least: 15, most: 600 };
/** A look that was announced and never asked for (a crash in between) blocks the next no longer than this after its time. */
const LOOK_EXPIRES_SECONDS = 58;

export interface TouchPorts {
  records: Records;
  touchQueue: Queue;
  clock: Clock;
}

/**
 * Asks for the whole workspace to be looked at soon, after what may have changed anything in it: a command. Free while a
 * look is announced already; the worker takes the announcement back before it looks, so no change falls between two looks.
 */
export async function touchWorkspace(ports: TouchPorts, workspaceId: string): Promise<void> {
  await sendWhenSpace(() => announceLook(ports, workspaceId, LOOK_DELAY_SECONDS));
}

/** Puts a look off that took so long. */
export async function lookLater(ports: TouchPorts, workspaceId: string, tookMs: number): Promise<void> {
  const seconds = Math.ceil((tookMs * TIMES_LATER) / 1000);
  await announceLook(
    ports,
    workspaceId,
    Math.min(Math.max(seconds, LATER_SECONDS.least), LATER_SECONDS.most),
  );
}

/**
 * Reports what a command changed: its paths, if they are known and few, otherwise that anything may have changed. Per path,
 * the worker makes six calls of the file system and ten of the records. A look makes one per file, and reads all records.
 */
export async function touchChanged(
  ports: TouchPorts,
  workspaceId: string,
  changed: string[] | undefined,
): Promise<void> {
  if (changed === undefined || !isFewFiles(changed)) return touchWorkspace(ports, workspaceId);
  const touch = filesChangedIn({ ...ports, queue: ports.touchQueue });
  if (changed.length > 0) await touch(workspaceId, changed);
}

function isFewFiles(paths: string[]): boolean {
  return paths.length <= PATHS_AT_ONCE && paths.every((path) => isRecordable(path) && !decidesOnOthers(path));
}

async function announceLook(
  { records, touchQueue, clock }: TouchPorts,
  workspaceId: string,
  delaySeconds: number,
): Promise<void> {
  const expiresAt = expiryAfter(clock, LOOK_EXPIRES_SECONDS + delaySeconds);
  if (!(await pendingLooks.create(records, { workspaceId, expiresAt }))) return;
  await sendIndex(touchQueue, workspaceId, [{ kind: 'look', workspaceId }], delaySeconds);
}

/** Sends in a group of its workspace: one that sends many messages holds up no other. */
export async function sendIndex(
  queue: Queue,
  groupId: string,
  bodies: IndexMessage[],
  delaySeconds = 0,
): Promise<void> {
  if (bodies.length > 0) await queue.send(bodies.map((body) => ({ groupId, body, delaySeconds })));
}

/** Asks for everything that the index holds of a workspace to be removed. */
export async function dropIndex(commitQueue: Queue, workspaceId: string): Promise<void> {
  await sendCommit(commitQueue, { kind: 'drop', workspaceId });
}

/** Asks for tables to be put in order. */
export async function askForMaintenance(
  { maintainQueue, clock }: { maintainQueue: Queue; clock: Clock },
  tables: { workspaceId: string; space: string }[],
): Promise<void> {
  const bodies: MaintainMessage[] = tables.map(({ workspaceId, space }) => ({
    workspaceId,
    space,
    askedAt: clock.now(),
  }));
  if (bodies.length > 0)
    await maintainQueue.send(bodies.map((body) => ({ groupId: body.workspaceId, body })));
}

/** All of a workspace's commits are one FIFO group: its tables have one writer. */
export async function sendCommit(commitQueue: Queue, body: CommitMessage): Promise<void> {
  await commitQueue.send([{ groupId: body.workspaceId, body }]);
}
