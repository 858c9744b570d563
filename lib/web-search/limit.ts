import * as z from 'zod';
import { TooManyRequests } from '../errors.ts';
import { expiryAfter } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';

/** The maximum number of searches per person and minute, in chats, runs, and reports together. */
export const MAX_SEARCHES = 30;
const MINUTE_MS = 60_000;
const KEEP_SECONDS = 300;

/** The searches that a person started in a minute, which is counted from the epoch. */
const searchesOfMinute = collection({
  kind: 'web-searches',
  schema: z.object({ callerId: z.string(), minute: z.int(), count: z.int(), expiresAt: z.int() }),
  key: ({ callerId, minute }: { callerId: string; minute: number }) => ({
    partition: `WEB_SEARCHES#${callerId}`,
    sort: String(minute),
  }),
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** Counts a search of a person. Throws TooManyRequests beyond the limit, with the time until the next minute. */
export async function countWebSearch({ records, clock }: TimedRecords, callerId: string): Promise<void> {
  const now = clock.now();
  const minute = Math.floor(now / MINUTE_MS);
  const first = { callerId, minute, count: 0, expiresAt: expiryAfter(clock, KEEP_SECONDS) };
  const [counted] = await records.addMany([searchesOfMinute.addition(first, { count: 1 })]);
  if (counted === undefined || counted instanceof Error) throw counted ?? new Error('nothing was counted');
  if (searchesOfMinute.read(counted).count <= MAX_SEARCHES) return;
  throw new TooManyRequests(
    'web_search_rate_limited',
    `You can search the web ${MAX_SEARCHES} times per minute. Try again in a minute.`,
    ((minute + 1) * MINUTE_MS - now) / 1000,
  );
}
