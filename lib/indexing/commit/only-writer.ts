import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Held } from '../../leases/hold.ts';
import { leasesOf } from '../../leases/lease.ts';
import { log } from '../../log.ts';
import { expiryAfter, timestampSchema } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';

/**
 * The lease time in milliseconds, for which a dead writer of a workspace's tables, or a dead waiting worker,
 * blocks them.
 */
export const TABLE_LEASE_MS = 60_000;
/**
 * The minimum remaining lease time, in milliseconds, for starting a write, because a write takes effect
 * shortly after the check.
 */
const MARGIN_MS = 5000;
/** Milliseconds between two checks of a waiting worker. */
const LOOK_EVERY_MS = 250;
/**
 * Milliseconds that a worker waits: half of the time that a commit has. All deliveries of a commit, with the
 * back-offs between them, outlast the longest maintenance (test/infra/queues.test.ts).
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

const writerLeases = leasesOf({ collection: writers, ms: TABLE_LEASE_MS, owner: 'owner', until: 'until' });

interface WriterRequest {
  workspaceId: string;
  /**
   * A waiting maintenance blocks new commits. Otherwise, commits follow each other so closely that a rare
   * writer never gets a turn.
   */
  goesFirst?: boolean;
  waitMs?: number;
}

/**
 * Works as the only writer of the workspace's tables. Commits are one FIFO group, but maintenance has a
 * separate queue, and a message may be delivered again while its first receiver continues. The work calls
 * `requireHeld` before each write, and after the last one. Throws if the tables aren't free in time.
 */
export async function asOnlyWriter<Answer>(
  ports: TimedRecords,
  request: WriterRequest,
  work: (held: Held) => Promise<Answer>,
): Promise<Answer> {
  const mine = await acquire(ports, request);
  const about = { workspaceId: request.workspaceId };
  const held = writerLeases.hold(ports, mine, { marginMs: MARGIN_MS, about });
  try {
    return await work(held);
  } finally {
    held.stop();
    await release(ports, mine);
  }
}

/**
 * Frees every table in a copy of the records. The copy has no writer yet, because the lease holders work on
 * the original.
 */
export async function freeAllTables(records: TimedRecords['records']): Promise<void> {
  for await (const writer of writers.all(records, { partition: WRITERS }))
    await writers.delete(records, writer);
}

async function acquire(ports: TimedRecords, request: WriterRequest): Promise<Writer> {
  const { workspaceId, goesFirst = false, waitMs = WAIT_FOR_TABLE_MS } = request;
  const until = performance.now() + waitMs;
  let next: Writer | undefined;
  try {
    for (;;) {
      const mine = await tryOnce(ports, workspaceId, goesFirst);
      if (mine !== undefined) return mine;
      if (performance.now() > until) throw new Error('Another worker writes the tables of the workspace.');
      if (goesFirst) next = await waitAsNext(ports, workspaceId, next);
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    if (next !== undefined) await release(ports, next);
  }
}

async function tryOnce(ports: TimedRecords, id: string, goesFirst: boolean): Promise<Writer | undefined> {
  if (!goesFirst) {
    const next = await writers.get(ports.records, { id: nextOf(id) });
    if (next !== undefined && writerLeases.isHeld(next, ports.clock)) return undefined;
  }
  return writerLeases.acquire(ports, newWriter(ports, id));
}

/**
 * The first place in the queue is also a lease, so that commits continue soon after a waiting worker dies.
 */
async function waitAsNext(ports: TimedRecords, id: string, mine?: Writer): Promise<Writer | undefined> {
  if (mine !== undefined && (await writerLeases.renew(ports, mine)) !== undefined) return mine;
  return writerLeases.acquire(ports, newWriter(ports, nextOf(id)));
}

function nextOf(id: string): string {
  return `${id}#next`;
}

function newWriter({ clock }: TimedRecords, id: string): Writer {
  return { id, owner: '', until: '', expiresAt: expiryAfter(clock, EXPIRES_SECONDS) };
}

/** The written rows stay. Without this release, others would wait until the lease expires. */
async function release(ports: TimedRecords, mine: Writer): Promise<void> {
  try {
    await writerLeases.remove(ports, mine);
  } catch (error) {
    log.warn('a lease was not given back', { workspaceId: mine.id, reason: String(error) });
  }
}
