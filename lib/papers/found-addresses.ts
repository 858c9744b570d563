import { createHash } from 'node:crypto';
import * as z from 'zod';
import { expiryAfter } from '../ports/clock.ts';
import type { Article } from '../ports/papers.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';

/** A conversation may come back to a paper. */
const KEEP_SECONDS = 30 * 24 * 60 * 60;

const headSchema = z.object({
  id: z.string(),
  title: z.string(),
  authors: z.array(z.string()),
  url: z.string(),
  pdfUrl: z.string().nullable(),
  publishedDate: z.string().nullable(),
  doi: z.string().nullable(),
  isOpen: z.boolean().optional(),
  license: z.string().optional(),
});
/** What has to be known of an article to fetch it, and to say later where it came from. */
export type ArticleHead = z.infer<typeof headSchema>;

/** An address that a search of this service answered, by its hash. */
const foundAddresses = collection({
  kind: 'paper-address',
  schema: z.object({
    hash: z.string(),
    expiresAt: z.int(),
    /** What the search said of the paper; only at the address of its PDF, which is what can be kept. */
    article: headSchema.optional(),
  }),
  key: ({ hash }: { hash: string }) => ({ partition: `PAPER_ADDRESS#${hash}`, sort: 'FOUND' }),
  expiresAt: ({ expiresAt }) => expiresAt,
});

export async function keepAddresses({ records, clock }: TimedRecords, articles: Article[]): Promise<void> {
  const expiresAt = expiryAfter(clock, KEEP_SECONDS);
  const pages = articles.map(({ url }) => ({ hash: hashOf(url), expiresAt }));
  const pdfs = articles.flatMap((article) =>
    article.pdfUrl === null ? [] : [{ hash: hashOf(article.pdfUrl), expiresAt, article }],
  );
  const found = new Map([...pages, ...pdfs].map((each) => [each.hash, each]));
  await foundAddresses.putMany(records, [...found.values()]);
}

export async function wasFound({ records }: TimedRecords, address: string): Promise<boolean> {
  return (await foundAddresses.get(records, { hash: hashOf(address) })) !== undefined;
}

/** The article that a search answered with this `pdfUrl`, in the sources' words and not in the caller's. */
export async function findFoundArticle(
  { records }: Pick<TimedRecords, 'records'>,
  pdfUrl: string,
): Promise<ArticleHead | undefined> {
  return (await foundAddresses.get(records, { hash: hashOf(pdfUrl) }))?.article;
}

/** To the letter: with one sign more it would be another's words. */
function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}
