import * as z from 'zod';
import type { Catalog, DateRange, FoundPaper, PaperLookUp } from '../../ports/papers.ts';
import { type CatalogSettings, catalogRequests } from '../outbound/catalog-request.ts';

const NAME = 'Semantic Scholar';
const FIELDS = 'title,abstract,authors,url,openAccessPdf,isOpenAccess,publicationDate,externalIds';

const resultSchema = z.object({
  paperId: z.string(),
  title: z.string().nullish(),
  abstract: z.string().nullish(),
  authors: z.array(z.object({ name: z.string().nullish() })).nullish(),
  url: z.string().nullish(),
  openAccessPdf: z.object({ url: z.string().nullish(), license: z.string().nullish() }).nullish(),
  isOpenAccess: z.boolean().nullish(),
  publicationDate: z.string().nullish(),
  externalIds: z.object({ DOI: z.string().nullish(), ArXiv: z.string().nullish() }).nullish(),
  year: z.number().nullish(),
  venue: z.string().nullish(),
  journal: z.object({ name: z.string().nullish() }).nullish(),
});
type Result = z.infer<typeof resultSchema>;
const resultsSchema = z.object({ data: z.array(resultSchema).default([]) });
/** References of which only the text is known have no ID. */
const referencesSchema = z.object({
  data: z
    .array(z.object({ citedPaper: resultSchema.extend({ paperId: z.string().nullish() }) }))
    .nullish()
    .transform((data) =>
      (data ?? []).flatMap(({ citedPaper }) => {
        const { paperId, ...paper } = citedPaper;
        return paperId ? [{ ...paper, paperId }] : [];
      }),
    ),
});

/**
 * Semantic Scholar's graph: https://api.semanticscholar.org/api-docs/graph. All callers without a key share
 * one limit, 5,000 requests in 5 minutes, and often get 429. Each key allows one request per second.
 */
export function semanticScholarCatalog(settings: CatalogSettings): Catalog {
  const requests = catalogRequests({ ...settings, name: NAME });
  const credentials: Record<string, string> =
    settings.token === undefined ? {} : { 'x-api-key': settings.token };
  return {
    name: NAME,
    async find({ keywords, limit, referencesOf, lookUp, ...range }, { signal }) {
      const request = { credentials, signal };
      if (lookUp !== undefined) return (await named(requests, lookUp, limit, request)).map(withDetails);
      const asked = { fields: FIELDS, limit: `${limit}` };
      const search = {
        query: keywords.join(' ').replaceAll('-', ' '), // words with a hyphen find nothing
        ...asked,
        publicationDateOrYear: rangeOf(range),
      };
      const [path, query, schema] =
        referencesOf === undefined
          ? ['/graph/v1/paper/search', search, resultsSchema]
          : [`/graph/v1/paper/${pathOf(referencesOf)}/references`, asked, referencesSchema];
      const results = await requests.json({ path, query, schema, ...request });
      return results.data.map(toPaper);
    },
  };
}

const DETAILS = `${FIELDS},year,venue,journal`;

/** Returns the papers that a reference may name, by its identifier if it has one. */
async function named(
  requests: ReturnType<typeof catalogRequests>,
  wanted: PaperLookUp,
  limit: number,
  request: { credentials: Record<string, string>; signal: AbortSignal },
): Promise<Result[]> {
  if ('title' in wanted) {
    const query = { query: wanted.title.replaceAll('-', ' '), fields: DETAILS, limit: `${limit}` };
    const found = { path: '/graph/v1/paper/search', query, schema: resultsSchema, ...request };
    return (await requests.json(found)).data;
  }
  const id = 'doi' in wanted ? `DOI:${wanted.doi}` : `ARXIV:${wanted.arxivId}`;
  const path = `/graph/v1/paper/${pathOf(id)}`;
  const one = { path, query: { fields: DETAILS }, schema: resultSchema, ...request };
  const paper = await requests.jsonIfFound(one);
  return paper === undefined ? [] : [paper];
}

function withDetails(result: Result): FoundPaper {
  const { year, venue, journal } = result;
  const venues = [venue, journal?.name].flatMap((name) => name || []);
  const details = { titles: [], years: year ? [year] : [], venues, isRetracted: false };
  return { ...toPaper(result), details };
}

/** Returns the path of a paper. A DOI has slashes, which the API accepts unencoded; no segment may be `..`. */
function pathOf(id: string): string {
  return id
    .split('/')
    .map((step) => (/^\.+$/.test(step) ? '_' : encodeURIComponent(step)))
    .join('/')
    .replaceAll('%3A', ':');
}

/** Returns the range, which may be open at either end. */
function rangeOf({ dateFrom, dateTo }: DateRange): string | undefined {
  return dateFrom === undefined && dateTo === undefined ? undefined : `${dateFrom ?? ''}:${dateTo ?? ''}`;
}

function toPaper({ paperId, title, abstract, authors, externalIds, ...paper }: Result): FoundPaper {
  return {
    id: paperId,
    arxivId: externalIds?.ArXiv ?? null,
    title: title ?? '',
    authors: (authors ?? []).map(({ name }) => name ?? ''),
    abstract: abstract ?? '',
    url: paper.url ?? `https://www.semanticscholar.org/paper/${encodeURIComponent(paperId)}`,
    pdfUrl: paper.openAccessPdf?.url ?? null,
    publishedDate: paper.publicationDate ?? null,
    doi: externalIds?.DOI ?? null,
    isOpen: externalIds?.ArXiv ? true : (paper.isOpenAccess ?? undefined),
    license: paper.openAccessPdf?.license ?? undefined,
  };
}
