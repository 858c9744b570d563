import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { log } from '../../log.ts';
import { expiryAfter, timestamp, timestampSchema } from '../../ports/clock.ts';
import { ExpectationFailed, wasExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';

/** How long a dead holder is waited for: the writer of a workspace's tables, or the one that waits. */
const LEASE_MS = 20_000;
const SIGNS_OF_LIFE = 4;
/** A write is no longer started this shortly before the lease ends: it takes effect a moment after the check. */
const MARGIN_MS = 2000;
/** A waiting worker looks this often. */
const LOOK_EVERY_MS = 250;
/**
 * A worker waits this long, half of the time that a commit has. Five deliveries of a commit together, with the back-offs
 * between them, outlast the longest maintenance (test/infra/queues.test.ts).
 */
export const WAIT_FOR_TABLE_MS = 150_000;
const EXPIRES_SECONDS = 24 * 60 * 60;

const WRITERS = 'TABLE_WRITER';
const writers = collection({
  kind: 'table-writer',
  schema: z.object({ id: z.string(), owner: z.string(), until: timestampSchema, expiresAt: z.int() }),
  key: ({ id }: { id: string }) => ({ partition: WRITERS, sort: id }),
  expiresAt: ({ expiresAt }) => expiresAt,
});
type Writer = NonNullable<Awaited<ReturnType<typeof writers.get>>>;

interface Turn {
  workspaceId: string;
  /** Blocks commits once it waits: commits follow each other closely, and a rare writer would never get in. */
  goesFirst?: boolean;
  waitMs?: number;
}

/** The lease of the tables, as its holder sees it. */
export interface Held {
  /** Throws LeaseLost once the lease may be another worker's. The holder calls it before each write, and after the last. */
  require(): void;
}

/** The holder was paused past the end of its lease: another worker may have written since. */
export class LeaseLost extends Error {}

/**
 * Works as the only writer of the workspace's tables: commits are one FIFO group, but maintenance has a separate
 * queue, and a message may be delivered while its first receiver continues. Throws if the tables aren't free in time.
 */
export async function asOnlyWriter<Answer>(
  ports: TimedRecords,
  turn: Turn,
  work: (held: Held) => Promise<Answer>,
): Promise<Answer> {
  const mine = { id: turn.workspaceId, owner: randomUUID() };
  const sentAt = await acquire(ports, turn, mine);
  const lease = keepLease(ports, mine, sentAt + LEASE_MS);
  try {
    return await work(lease);
  } finally {
    lease.end();
    await release(ports, mine);
  }
}

/**
 * Renews the lease until it is ended or lost, one renewal at a time. It counts from when a renewal was sent: the answer may
 * come late, and the process may be paused at any line.
 */
function keepLease(ports: TimedRecords, mine: Holder, firstUntil: number): Held & { end(): void } {
  const { clock } = ports;
  const ended = new AbortController();
  let until = firstUntil;
  const renewUntilEnded = async () => {
    const wait = () => sleep(LEASE_MS / SIGNS_OF_LIFE, true, { signal: ended.signal, ref: false });
    while (await wait().catch(() => false)) {
      const sentAt = clock.now();
      const outcome = await renew(ports, mine);
      if (outcome === 'renewed') until = sentAt + LEASE_MS;
      if (outcome === 'lost') {
        until = 0;
        return;
      }
    }
  };
  void renewUntilEnded();
  return {
    require() {
      if (clock.now() > until - MARGIN_MS)
        throw new LeaseLost('the lease of the tables ended during the work: another worker may write them');
    },
    end: () => ended.abort(),
  };
}

/** Frees every table in a copy of the records, which has no writer yet: the holders work on the original. */
export async function freeAllTables(records: TimedRecords['records']): Promise<void> {
  for await (const writer of writers.all(records, { partition: WRITERS }))
    await writers.delete(records, writer);
}

type Holder = Pick<Writer, 'id' | 'owner'>;

/** Returns when the request that took the lease was sent, in milliseconds since the epoch. */
async function acquire(ports: TimedRecords, turn: Turn, mine: Holder): Promise<number> {
  const next = { ...mine, id: `${mine.id}#next` };
  const until = performance.now() + (turn.waitMs ?? WAIT_FOR_TABLE_MS);
  let sentAt = ports.clock.now();
  while (!(await tryOnce(ports, turn, mine))) {
    if (performance.now() > until) throw new Error('Another worker writes the tables of the workspace.');
    if (turn.goesFirst) await take(ports, next);
    await sleep(LOOK_EVERY_MS);
    sentAt = ports.clock.now();
  }
  if (turn.goesFirst) await release(ports, next);
  return sentAt;
}

async function tryOnce(ports: TimedRecords, { goesFirst = false }: Turn, mine: Holder): Promise<boolean> {
  if (!goesFirst) {
    const next = await writers.get(ports.records, { id: `${mine.id}#next` });
    if (next !== undefined && isHeld(next, ports)) return false;
  }
  return take(ports, mine);
}

/** Takes the place if it's free, mine already, or a dead holder's. */
async function take(ports: TimedRecords, mine: Holder): Promise<boolean> {
  const { records, clock } = ports;
  const writer = {
    ...mine,
    until: timestamp(clock, LEASE_MS),
    expiresAt: expiryAfter(clock, EXPIRES_SECONDS),
  };
  const there = await writers.get(records, mine);
  if (there === undefined) return writers.create(records, writer);
  if (there.owner !== mine.owner && isHeld(there, ports)) return false;
  return writers.put(records, writer, { owner: there.owner, until: there.until });
}

function isHeld({ until }: Writer, { clock }: TimedRecords): boolean {
  return Date.parse(until) > clock.now();
}

/** Renews only what is still there and its own: a lease that another worker took and gave back meanwhile is lost too. */
async function renew(
  { records, clock }: TimedRecords,
  mine: Holder,
): Promise<'renewed' | 'lost' | 'not reached'> {
  const expiresAt = expiryAfter(clock, EXPIRES_SECONDS);
  const set = { until: timestamp(clock, LEASE_MS), expiresAt };
  try {
    await writers.update(records, mine, { set, expiresAt }, { owner: mine.owner });
    return 'renewed';
  } catch (error) {
    if (error instanceof ExpectationFailed) return 'lost';
    log.warn('a lease was not renewed', { workspaceId: mine.id, reason: String(error) });
    return 'not reached';
  }
}

/** The written rows stay: without this release, the lease expires. */
async function release({ records }: TimedRecords, { id, owner }: Holder): Promise<void> {
  try {
    await wasExpected(writers.delete(records, { id }, { owner }));
  } catch (error) {
    log.warn('a lease was not given back', { workspaceId: id, reason: String(error) });
  }
}
