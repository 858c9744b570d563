import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { PaperCatalog } from '../api-contract/paper-sources.ts';
import type { CatalogQuery, FoundPaper } from '../ports/papers.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';

const TTL_MS = 15 * 60_000;

const foundPaperSchema = z.object({
  id: z.string(),
  title: z.string(),
  authors: z.array(z.string()),
  abstract: z.string(),
  url: z.string(),
  pdfUrl: z.string().nullable(),
  publishedDate: z.string().nullable(),
  doi: z.string().nullable(),
  arxivId: z.string().nullable(),
  isOpen: z.boolean().optional(),
  license: z.string().optional(),
  details: z
    .object({
      titles: z.array(z.string()),
      years: z.array(z.number()),
      venues: z.array(z.string()),
      isRetracted: z.boolean(),
    })
    .optional(),
});

/** A source's answer to a query. It is cached for 15 minutes. */
const answers = collection({
  kind: 'paper-answer',
  schema: z.object({ key: z.string(), papers: z.array(foundPaperSchema), until: z.number() }),
  key: ({ key }: { key: string }) => ({ partition: `PAPER_ANSWER#${key}`, sort: 'answer' }),
  expiresAt: ({ until }) => Math.ceil(until / 1000),
});

/** Returns the key of an answer. The sources ignore case and white space. */
export function answerKey(
  source: PaperCatalog,
  { keywords, dateFrom, dateTo, limit, referencesOf, retractedOf, lookUp }: CatalogQuery,
): string {
  const words = keywords.map((word) => word.toLowerCase().replace(/\s+/g, ' '));
  const asked = JSON.stringify([
    source,
    words,
    dateFrom ?? null,
    dateTo ?? null,
    limit,
    ...(referencesOf === undefined ? [] : [referencesOf]),
    ...(retractedOf === undefined ? [] : ['retracted', ...retractedOf]),
    ...(lookUp === undefined ? [] : ['look-up', lookUp]),
  ]);
  return createHash('sha256').update(asked).digest('hex');
}

export async function readCachedAnswer(
  { records, clock }: TimedRecords,
  key: string,
): Promise<FoundPaper[] | undefined> {
  const cached = await answers.get(records, { key });
  return cached === undefined || cached.until <= clock.now() ? undefined : cached.papers;
}

export async function cacheAnswer(
  { records, clock }: TimedRecords,
  key: string,
  papers: FoundPaper[],
): Promise<void> {
  await answers.put(records, { key, papers, until: clock.now() + TTL_MS });
}
