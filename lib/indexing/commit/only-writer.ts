import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { log } from '../../log.ts';
import { expiryAfter, timestamp, timestampSchema } from '../../ports/clock.ts';
import { wasExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';

/** How long a dead holder is waited for: the writer of a workspace's tables, or whoever is next. */
const LEASE_MS = 20_000;
const SIGNS_OF_LIFE = 4;
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
  /** Lets no commit begin once it waits: commits follow each other closely, and whoever comes seldom would never get in. */
  goesFirst?: boolean;
  waitMs?: number;
}

/**
 * Does the work while nobody else writes the workspace's tables: commits are one FIFO group, but maintenance has a lane of
 * its own, and a message may be delivered while its first receiver goes on. Throws when the tables do not come free in time.
 */
export async function asOnlyWriter<Answer>(
  ports: TimedRecords,
  turn: Turn,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const mine = { id: turn.workspaceId, owner: randomUUID() };
  await acquire(ports, turn, mine);
  const renewing = setInterval(() => renew(ports, mine), LEASE_MS / SIGNS_OF_LIFE).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await release(ports, mine);
  }
}

/** Frees every table in a copy of the records, where nobody writes yet: whoever did works on the original. */
export async function freeAllTables(records: TimedRecords['records']): Promise<void> {
  for await (const writer of writers.all(records, { partition: WRITERS }))
    await writers.delete(records, writer);
}

type Holder = Pick<Writer, 'id' | 'owner'>;

async function acquire(ports: TimedRecords, turn: Turn, mine: Holder): Promise<void> {
  const next = { ...mine, id: `${mine.id}#next` };
  const until = performance.now() + (turn.waitMs ?? WAIT_FOR_TABLE_MS);
  while (!(await tryOnce(ports, turn, mine))) {
    if (performance.now() > until) throw new Error('another worker writes the tables of the workspace');
    if (turn.goesFirst) await take(ports, next);
    await sleep(LOOK_EVERY_MS);
  }
  if (turn.goesFirst) await release(ports, next);
}

async function tryOnce(ports: TimedRecords, { goesFirst = false }: Turn, mine: Holder): Promise<boolean> {
  if (!goesFirst) {
    const next = await writers.get(ports.records, { id: `${mine.id}#next` });
    if (next !== undefined && isHeld(next, ports)) return false;
  }
  return take(ports, mine);
}

/** Takes the place when it is nobody's, mine already, or a dead holder's. */
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

async function renew(ports: TimedRecords, mine: Holder): Promise<void> {
  try {
    if (!(await take(ports, mine)))
      log.error('another worker took the tables over', { workspaceId: mine.id });
  } catch (error) {
    log.warn('a lease was not renewed', { workspaceId: mine.id, reason: String(error) });
  }
}

/** What was written stays written: without this word the lease runs out. */
async function release({ records }: TimedRecords, { id, owner }: Holder): Promise<void> {
  try {
    await wasExpected(writers.delete(records, { id }, { owner }));
  } catch (error) {
    log.warn('a lease was not given back', { workspaceId: id, reason: String(error) });
  }
}
