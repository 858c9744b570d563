import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { PaperCatalog } from '../api-contract/paper-sources.ts';
import { backOffDelay } from '../async/retry.ts';
import { HubBusy } from '../ports/hub.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';

/** The rate of a source that accepts only one request at a time from all processes together. */
export interface Rate {
  source: PaperCatalog;
  /** The source's name in errors. */
  name: string;
  /** Milliseconds between the end of a request and the start of the next. */
  intervalMs: number;
  /** Maximum milliseconds that a slot can be held. */
  slotMs: number;
  /** Milliseconds that a caller waits for a slot. */
  waitMs: number;
}

/**
 * The queue of a source: its waiting callers, its current holder, and when the next one may start. Times are in
 * milliseconds since the epoch.
 */
const rowSchema = z.object({
  source: z.string(),
  version: z.int(),
  /** First come, first served: the first caller takes the slot, except as `mayTakeAt` allows. */
  waiting: z.array(z.object({ id: z.string(), since: z.number() })),
  holder: z.string().nullable(),
  /** When a dead holder counts as dead. By then, all its requests have ended. */
  heldUntil: z.number(),
  freeAt: z.number(),
  /** The end of a pause after the source failed. Callers that wait give up. */
  pausedUntil: z.number(),
  pauseReason: z.string(),
  failures: z.int(),
});
type Row = z.infer<typeof rowSchema>;

const rows = collection({
  kind: 'paper-turns',
  schema: rowSchema,
  key: ({ source }: { source: string }) => ({ partition: 'PAPER_TURNS', sort: source }),
});

interface Waiter {
  id: string;
  since: number;
}

/** A slot in use. Once no time is left, no request in it may start or continue. */
export interface RequestSlot {
  timeLeftMs(): number;
}

const LOOK_AT_MOST_MS = 1000;
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 5 * 60_000;
const MAX_SETTLE_ATTEMPTS = 50;

/**
 * Runs the work in its own slot, so that no other process uses this source at the same time, or in the
 * interval afterwards. Needs no slot once `ready` returns something. Throws HubBusy if the queue is too long,
 * the source is failing, or the wait is over; the signal's reason; the errors of the work.
 */
export async function withRateLimit<Result>(
  ports: TimedRecords,
  rate: Rate,
  { ready, signal }: { ready(): Promise<Result | undefined>; signal: AbortSignal },
  work: (slot: RequestSlot) => Promise<Result>,
): Promise<Result> {
  const me = { id: randomUUID(), since: ports.clock.now() };
  try {
    for (;;) {
      signal.throwIfAborted();
      const known = await ready();
      if (known !== undefined) return known;
      const step = await look(ports, rate, me);
      if (step.heldUntil !== undefined)
        return await workInSlot(ports, rate, { id: me.id, until: step.heldUntil }, work);
      await sleep(step.waitMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await change(ports, rate, (row) => leave(row, me.id)).catch(() => undefined);
  }
}

type Step = { heldUntil: number } | { heldUntil?: undefined; waitMs: number };

/** Reads the row once. Takes the slot if that is allowed; joins the queue if this caller isn't in it. */
async function look(ports: TimedRecords, rate: Rate, me: Waiter): Promise<Step> {
  const now = ports.clock.now();
  const row = await readRow(ports, rate.source);
  if (row.pausedUntil > now) throw pausedError(row, now);
  // The store's response was lost.
  if (row.holder === me.id && now < row.heldUntil) return { heldUntil: row.heldUntil };
  if (now - me.since > rate.waitMs) throw crowdedError(rate);
  const living = withoutDead(row, rate, now);
  const takeAt = mayTakeAt(living, rate, me);
  if (takeAt <= now) {
    const heldUntil = now + rate.slotMs + rate.intervalMs;
    const taken = { ...living, waiting: behind(living, me), holder: me.id, heldUntil };
    return (await writeRow(ports, row, taken)) ? { heldUntil } : { waitMs: jitter(20) };
  }
  if (!living.waiting.some(({ id }) => id === me.id)) {
    if (ahead(living, me).length * rate.intervalMs > rate.waitMs) throw crowdedError(rate);
    if (!(await writeRow(ports, row, { ...living, waiting: [...living.waiting, me] })))
      return { waitMs: jitter(20) };
  }
  return { waitMs: Math.max(1, Math.min(takeAt - now, LOOK_AT_MOST_MS, rate.intervalMs / 2)) };
}

/**
 * Returns when the source is free, plus half an interval for each earlier caller. So a caller that died in
 * the queue delays the next one by no more than that. A living caller that was passed over joins again in its
 * old position.
 */
function mayTakeAt(row: Row, rate: Rate, me: Waiter): number {
  const free = row.holder === null ? row.freeAt : Math.max(row.heldUntil, row.freeAt);
  return free + (ahead(row, me).length * rate.intervalMs) / 2;
}

function ahead({ waiting }: Row, me: Waiter): Waiter[] {
  return waiting.filter((other) => isBefore(other, me));
}

function behind({ waiting }: Row, me: Waiter): Waiter[] {
  return waiting.filter((other) => other.id !== me.id && !isBefore(other, me));
}

function isBefore(a: Waiter, b: Waiter): boolean {
  return a.since < b.since || (a.since === b.since && a.id < b.id);
}

/** Removes callers that have waited for longer than any living caller waits. */
function withoutDead(row: Row, { waitMs, intervalMs }: Rate, now: number): Row {
  return { ...row, waiting: row.waiting.filter(({ since }) => now - since <= waitMs + intervalMs) };
}

function leave(row: Row, id: string): Row | undefined {
  const waiting = row.waiting.filter((other) => other.id !== id);
  return waiting.length === row.waiting.length ? undefined : { ...row, waiting };
}

async function workInSlot<Result>(
  ports: TimedRecords,
  rate: Rate,
  { id, until }: { id: string; until: number },
  work: (slot: RequestSlot) => Promise<Result>,
): Promise<Result> {
  const { clock } = ports;
  const end = (outcome: (row: Row) => Partial<Row>) =>
    change(ports, rate, (row) => {
      const free = { ...row, holder: null, freeAt: clock.now() + rate.intervalMs };
      return row.holder === id ? { ...free, ...outcome(row) } : undefined;
    }).catch(() => undefined); // the lease's expiry frees the slot
  try {
    const result = await work({ timeLeftMs: () => until - rate.intervalMs - clock.now() });
    await end(() => ({ failures: 0 }));
    return result;
  } catch (error) {
    await end((row) => pauseAfter(row, error, clock.now()));
    throw error;
  }
}

/**
 * Returns the pause, which is longer after each further failure in a row, and at least as long as the source
 * requests.
 */
function pauseAfter({ failures }: Row, error: unknown, now: number): Partial<Row> {
  if (!(error instanceof HubBusy)) return {};
  const pauseMs = backOffDelay(failures + 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  const pausedUntil = now + Math.max(pauseMs, error.pauseMs ?? 0);
  return { pausedUntil, pauseReason: error.message, failures: failures + 1 };
}

function pausedError({ pauseReason, pausedUntil }: Row, now: number): HubBusy {
  const seconds = Math.ceil((pausedUntil - now) / 1000);
  return new HubBusy(`${pauseReason} The service retries in ${seconds} s.`);
}

function crowdedError({ name }: Rate): HubBusy {
  return new HubBusy(`Too many requests wait for ${name}, which answers one at a time. Try again later.`);
}

async function readRow({ records }: TimedRecords, source: string): Promise<Row> {
  const empty = {
    waiting: [],
    holder: null,
    heldUntil: 0,
    freeAt: 0,
    pausedUntil: 0,
    pauseReason: '',
    failures: 0,
  };
  return (await rows.get(records, { source })) ?? { source, version: 0, ...empty };
}

async function writeRow({ records }: TimedRecords, before: Row, after: Row): Promise<boolean> {
  const next = { ...after, version: before.version + 1 };
  return before.version === 0
    ? rows.create(records, next)
    : rows.put(records, next, { version: before.version });
}

/**
 * Changes the row, and retries after a conflict. If it gives up after many attempts, the row's times settle
 * the change.
 */
async function change(
  ports: TimedRecords,
  { source }: Rate,
  next: (row: Row) => Row | undefined,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_SETTLE_ATTEMPTS; attempt++) {
    const row = await readRow(ports, source);
    const changed = next(row);
    if (changed === undefined || (await writeRow(ports, row, changed))) return;
    await sleep(jitter(20));
  }
}

function jitter(milliseconds: number): number {
  return 1 + Math.random() * milliseconds;
}
