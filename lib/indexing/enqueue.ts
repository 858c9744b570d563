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

/** Maximum paths per message. */
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

/** Reacts to changed files: marks them as waiting, and sends a *touch* to the given queue. */
export function filesChangedIn({ records, queue, clock }: ChangePorts): FilesChanged {
  return (workspaceId, paths) =>
    sendWhenSpace(async () => {
      await markWaiting({ records, clock }, workspaceId, paths);
      await touchIndex(queue, workspaceId, paths);
    });
}

/** Each group becomes one message, such as a moved file together with its old path. */
export async function touchGroups(
  queue: Queue,
  workspaceId: string,
  groups: string[][],
  options: { fresh?: boolean; isPart?: boolean } = {},
): Promise<void> {
  const messages: IndexMessage[] = groups.map((paths) => ({ kind: 'touch', workspaceId, paths, ...options }));
  await sendIndex(queue, workspaceId, messages);
}

/** The delay in seconds of a large folder's *touch* while a sync is running. */
const TOUCH_LATER_SECONDS = 60;

/** Sends a delayed *touch*. */
export async function touchLater(queue: Queue, workspaceId: string, paths: string[]): Promise<void> {
  await sendIndex(queue, workspaceId, [{ kind: 'touch', workspaceId, paths }], TOUCH_LATER_SECONDS);
}

/** Delay in seconds. Commands often come in bursts, and one look covers a whole burst. */
const LOOK_DELAY_SECONDS = 2;
/** A look that is delayed by a running sync waits for this multiple of its own duration. */
const TIMES_LATER = 10;
const LATER_SECONDS = { least: 15, most: 600 };
/**
 * In seconds. If a look was announced but never requested (because of a crash), it blocks the next one for at
 * most this long after its time.
 */
const LOOK_EXPIRES_SECONDS = 58;

export interface TouchPorts {
  records: Records;
  touchQueue: Queue;
  clock: Clock;
}

/**
 * Requests a look at the whole workspace after a command, which may have changed anything in it. Does nothing
 * if a look is already announced. The worker removes the announcement before it looks, so no change is missed
 * between two looks.
 */
export async function touchWorkspace(ports: TouchPorts, workspaceId: string): Promise<void> {
  await sendWhenSpace(() => announceLook(ports, workspaceId, LOOK_DELAY_SECONDS));
}

/** Delays a look that took this long. */
export async function lookLater(ports: TouchPorts, workspaceId: string, tookMs: number): Promise<void> {
  const seconds = Math.ceil((tookMs * TIMES_LATER) / 1000);
  await announceLook(
    ports,
    workspaceId,
    Math.min(Math.max(seconds, LATER_SECONDS.least), LATER_SECONDS.most),
  );
}

/**
 * Reports a command's changes: their paths if these are known and few, otherwise that anything may have
 * changed. For each path, the worker makes six file system calls and ten record calls. A look makes one call
 * per file, and reads all records.
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

/** Sends to the workspace's own group, so that many messages of one workspace don't delay others. */
export async function sendIndex(
  queue: Queue,
  groupId: string,
  bodies: IndexMessage[],
  delaySeconds = 0,
): Promise<void> {
  if (bodies.length > 0) await queue.send(bodies.map((body) => ({ groupId, body, delaySeconds })));
}

/** Requests the removal of all of a workspace's index data. */
export async function dropIndex(commitQueue: Queue, workspaceId: string): Promise<void> {
  await sendCommit(commitQueue, { kind: 'drop', workspaceId });
}

/** Requests maintenance of tables. */
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

/** All commits of a workspace are in one FIFO group, because its tables have a single writer. */
export async function sendCommit(commitQueue: Queue, body: CommitMessage): Promise<void> {
  await commitQueue.send([{ groupId: body.workspaceId, body }]);
}
