import { randomUUID } from 'node:crypto';
import { leasesOf } from '../../leases/lease.ts';
import { timestamp } from '../../ports/clock.ts';
import { ifExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import type { ReceivePorts } from '../inbox/receive.ts';
import { type BotMessage, type ChatLease, type ChatWork, chatLeases } from '../schema.ts';

/** Milliseconds after which the scheduler tick checks on a chat that waits for something. */
const LOOK_AGAIN_MS = 45_000;

const leases = leasesOf({ collection: chatLeases, ms: 30_000, owner: 'owner', until: 'until' });

/** Makes the scheduler tick check on the chat or report from now on. Idempotent. */
export async function planCheck({ records, clock }: TimedRecords, id: ChatWork): Promise<void> {
  await chatLeases.create(records, newLease(id, clock));
}

function newLease(id: ChatWork, clock: TimedRecords['clock']): ChatLease {
  return { ...workId(id), owner: '', until: timestamp(clock, LOOK_AGAIN_MS), wanted: 1 };
}

function workId({ platform, chatId, runId }: ChatWork): ChatWork {
  return { platform, chatId, ...(runId !== undefined && { runId }) };
}

/**
 * Records that there is work. Calls a worker unless one is active, which will notice the work itself.
 * Idempotent.
 */
export async function requestWork(ports: ReceivePorts, id: ChatWork): Promise<void> {
  const { records, clock } = ports;
  const lease = newLease(id, clock);
  const requested = (await chatLeases.create(records, lease))
    ? lease
    : await ifExpected(chatLeases.update(records, lease, { add: { wanted: 1 } }));
  if (requested === undefined) return requestWork(ports, lease); // the worker just ended
  if (!leases.isHeld(requested, clock)) await callBotWorker(ports, lease);
}

/**
 * Uses a separate group, so that if the message is lost with its worker, the next message doesn't wait for
 * it.
 */
export async function callBotWorker(
  { botQueue }: Pick<ReceivePorts, 'botQueue'>,
  id: ChatWork,
): Promise<void> {
  const body: BotMessage = { kind: 'follow', ...workId(id) };
  await botQueue.send([{ body, groupId: randomUUID() }]);
}

export interface HeldChat {
  /** Aborted when another worker may have taken over the chat. */
  signal: AbortSignal;
  /** Returns how many messages have arrived; undefined if another worker has the chat. */
  seen(): Promise<number | undefined>;
  /**
   * Ends the lease of a chat that has no work left. Returns false if a message has arrived since `wanted` was
   * read.
   */
  end(wanted: number): Promise<boolean>;
  /**
   * Leaves the chat to another worker, which the scheduler tick calls at the latest. Calls one at once if a
   * message has arrived since `wanted` was read, because the worker that was called for that message found
   * the chat leased.
   */
  release(wanted: number): Promise<void>;
  /**
   * Stops without a report, as in a process that continues with other work. After a while, the worker counts
   * as dead.
   */
  drop(): void;
}

/** Takes the lease of a chat and renews it; undefined if another worker has it, or if there is no work. */
export async function holdChat(ports: ReceivePorts, id: ChatWork): Promise<HeldChat | undefined> {
  const { records, clock } = ports;
  const free = await chatLeases.get(records, id);
  if (free === undefined || leases.isHeld(free, clock)) return undefined;
  const mine = await leases.take(ports, free);
  if (mine === undefined) return undefined;
  const held = leases.hold(ports, mine, { marginMs: 5000, about: { platform: id.platform } });
  return {
    signal: held.signal,
    async seen() {
      const now = await chatLeases.get(records, id);
      return now?.owner === mine.owner ? now.wanted : undefined;
    },
    async end(wanted) {
      const ended = await leases.remove(ports, mine, { wanted });
      if (ended) held.stop();
      return ended;
    },
    async release(wanted) {
      held.stop();
      if (!(await leases.leave(ports, mine, { ms: LOOK_AGAIN_MS }))) return;
      const now = await chatLeases.get(records, id);
      if (now !== undefined && now.wanted !== wanted) await callBotWorker(ports, id);
    },
    drop: held.stop,
  };
}

/** For the scheduler tick: checks again later, unless a worker has taken the chat in the meantime. */
export async function postponeCheck(ports: TimedRecords, read: ChatLease): Promise<boolean> {
  return (await leases.take(ports, read, { owner: '', ms: LOOK_AGAIN_MS })) !== undefined;
}
