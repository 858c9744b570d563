import * as z from 'zod';
import { PAPER_SOURCES, type PaperSource } from '../ports/papers.ts';

const MAX_KEYWORDS = 10;
const MAX_RESULTS = 30;

/** What the sources are called outside of this service. */
const ALIASES = {
  arxiv: 'preprint_server',
  huggingface: 'hub_a',
  'semantic-scholar': 'semantic_scholar',
} as const satisfies Record<string, PaperSource>;
type Alias = keyof typeof ALIASES;

const keywordsSchema = z
  .array(
    z
      .string()
      .trim()
      .max(200)
      .refine((word) => /[\p{L}\p{N}]/u.test(word), 'must contain a letter or a digit'),
  )
  .min(1)
  .max(MAX_KEYWORDS)
  .describe('all of them are searched for; one of several words is a phrase');

/** The fields of a search, over the API and by the agent. */
export const searchFields = z.strictObject({
  keywords: keywordsSchema,
  maxResults: z.int().min(1).max(MAX_RESULTS).default(10),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional().describe('the whole day belongs to the range'),
  sources: z.array(z.enum(PAPER_SOURCES)).min(1).max(20).optional().describe('default: the first two'),
});

const sourceNameSchema = z
  .enum([...PAPER_SOURCES, ...(Object.keys(ALIASES) as Alias[])])
  .transform((name): PaperSource => (isAlias(name) ? ALIASES[name] : name));

function isAlias(name: PaperSource | Alias): name is Alias {
  return name in ALIASES;
}

export const searchPapersBody = searchFields
  .extend({
    sources: z
      .array(sourceNameSchema)
      .min(1)
      .max(20)
      .optional()
      .describe('default: the first two; the last three are other names of the first three'),
  })
  .refine(isInOrder, { path: ['dateTo'], message: 'must not be before dateFrom' })
  .meta({ id: 'SearchPapers' });

/** Whether a range of days has any; of two such texts the earlier day is the lesser. */
export function isInOrder({
  dateFrom,
  dateTo,
}: {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}) {
  return dateFrom === undefined || dateTo === undefined || dateFrom <= dateTo;
}

const articleSchema = z
  .object({
    id: z.string().describe("arXiv's id, else the DOI, else the source's own id"),
    title: z.string(),
    authors: z.array(z.string()).describe('at most 100'),
    abstract: z.string(),
    url: z.string(),
    pdfUrl: z.string().nullable(),
    publishedDate: z.iso.date().nullable(),
    source: z.enum(PAPER_SOURCES).meta({ title: 'PaperSource' }).describe('the first of those that have it'),
    doi: z.string().nullable(),
    isOpen: z.boolean().optional().describe('anybody may read it; missing: no source says'),
    license: z.string().optional().describe('as a source names it: cc-by'),
    score: z.number().describe('0 to 1; the list is sorted by it'),
  })
  .meta({ id: 'Article' });

export const foundPapersSchema = z
  .object({
    articles: z.array(articleSchema),
    totalCount: z.int().describe('how many different ones the sources gave, before the cut to maxResults'),
    errors: z.record(z.string(), z.string()).describe('what went wrong, by source'),
  })
  .meta({ id: 'FoundPapers' });
