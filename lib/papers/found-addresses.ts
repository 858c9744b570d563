import { createHash } from 'node:crypto';
import * as z from 'zod';
import { expiryAfter } from '../ports/clock.ts';
import type { Article } from '../ports/papers.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';

/** A conversation may come back to a paper. */
const KEEP_SECONDS = 30 * 24 * 60 * 60;

/** An address that a search of this service answered, by its hash. */
const foundAddresses = collection({
  kind: 'paper-address',
  schema: z.object({ hash: z.string(), expiresAt: z.int() }),
  key: ({ hash }: { hash: string }) => ({ partition: `PAPER_ADDRESS#${hash}`, sort: 'FOUND' }),
  expiresAt: ({ expiresAt }) => expiresAt,
});

export async function keepAddresses({ records, clock }: TimedRecords, articles: Article[]): Promise<void> {
  const expiresAt = expiryAfter(clock, KEEP_SECONDS);
  const hashes = new Set(articles.flatMap(({ url, pdfUrl }) => [url, pdfUrl ?? url].map(hashOf)));
  await foundAddresses.putMany(
    records,
    [...hashes].map((hash) => ({ hash, expiresAt })),
  );
}

export async function wasFound({ records }: TimedRecords, address: string): Promise<boolean> {
  return (await foundAddresses.get(records, { hash: hashOf(address) })) !== undefined;
}

/** To the letter: with one sign more it would be another's words. */
function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}
