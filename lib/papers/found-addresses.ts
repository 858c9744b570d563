import { createHash } from 'node:crypto';
import * as z from 'zod';
import { expiryAfter } from '../ports/clock.ts';
import type { Article } from '../ports/papers.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';

/** Seconds for which URLs are stored. A conversation may return to a paper later. */
const TTL_SECONDS = 30 * 24 * 60 * 60;

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
/** The article data that a download and a later citation need. */
export type ArticleHead = z.infer<typeof headSchema>;

/** A URL that a search of this service returned, by its hash. */
const foundAddresses = collection({
  kind: 'paper-address',
  schema: z.object({
    hash: z.string(),
    expiresAt: z.int(),
    /**
     * The search result for the paper. Stored only under the URL of its PDF, because only a PDF can be saved.
     */
    article: headSchema.optional(),
  }),
  key: ({ hash }: { hash: string }) => ({ partition: `PAPER_ADDRESS#${hash}`, sort: 'FOUND' }),
  expiresAt: ({ expiresAt }) => expiresAt,
});

export async function storeAddresses({ records, clock }: TimedRecords, articles: Article[]): Promise<void> {
  const expiresAt = expiryAfter(clock, TTL_SECONDS);
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

/**
 * Returns the article that a search returned with this `pdfUrl`, as described by the sources, not by the
 * caller.
 */
export async function findFoundArticle(
  { records }: Pick<TimedRecords, 'records'>,
  pdfUrl: string,
): Promise<ArticleHead | undefined> {
  return (await foundAddresses.get(records, { hash: hashOf(pdfUrl) }))?.article;
}

/** Returns the hash of the exact URL, because a URL with one more character is another URL. */
function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}
