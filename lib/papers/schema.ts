import * as z from 'zod';
import { PAPER_SOURCES, type PaperSource } from '../api-contract/paper-sources.ts';
import { dayField } from '../validation/pasted-fields.ts';

const MAX_KEYWORDS = 10;
const MAX_RESULTS = 30;

/** The sources' names as other services call them. */
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
  .describe('Keywords, combined into one search. A keyword of several words is a phrase.');

/** The fields of a search, for the API and the agent. */
export const searchFields = z.strictObject({
  keywords: keywordsSchema,
  maxResults: z.int().min(1).max(MAX_RESULTS).default(10).describe('Maximum number of papers.'),
  dateFrom: dayField.optional().describe('First day of the range of publication dates, inclusive.'),
  dateTo: dayField.optional().describe('Last day of the range of publication dates, inclusive.'),
  sources: z
    .array(z.enum(PAPER_SOURCES))
    .min(1)
    .max(20)
    .optional()
    .describe('Sources to search. Defaults to the first two.'),
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
      .describe(
        'Sources to search. Defaults to the first two. The last three values are aliases of the first three.',
      ),
  })
  .refine(isInOrder, { path: ['dateTo'], message: 'must not be before dateFrom' })
  .meta({ id: 'SearchPapers' });

/** Returns whether a date range isn't empty; the dates sort as text. */
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
    id: z
      .string()
      .describe(
        'ID of the paper: the arXiv ID if there is one, otherwise the DOI, otherwise the ID of the source.',
      ),
    title: z.string(),
    authors: z.array(z.string()).describe('Authors of the paper, at most 100.'),
    abstract: z.string().describe('Abstract. Empty if no source has it.'),
    url: z.string().describe('URL of the page of the paper.'),
    pdfUrl: z.string().nullable().describe('URL of the PDF. Null if no source has one.'),
    publishedDate: z.iso.date().nullable().describe('Date of publication. Null if unknown.'),
    source: z
      .enum(PAPER_SOURCES)
      .meta({ title: 'PaperSource' })
      .describe('First source that returned the paper.'),
    doi: z.string().nullable().describe('DOI, without a URL prefix. Null if unknown.'),
    isOpen: z
      .boolean()
      .optional()
      .describe('Whether the paper is open access. Missing if no source reports it.'),
    license: z.string().optional().describe('License as a source names it, such as `cc-by`.'),
    score: z.number().describe('Relevance from 0 to 1. The list is sorted by it.'),
  })
  .meta({ id: 'Article' });

export const foundPapersSchema = z
  .object({
    articles: z.array(articleSchema).describe('Papers, most relevant first.'),
    totalCount: z
      .int()
      .describe('Number of different papers that the sources returned, before `maxResults` was applied.'),
    errors: z.record(z.string(), z.string()).describe('Error messages by source.'),
  })
  .meta({ id: 'FoundPapers' });
