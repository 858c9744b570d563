import * as z from 'zod';
import type { Catalog, CatalogQuery, DateRange, FoundPaper, PaperLookUp } from '../../ports/papers.ts';
import { type CatalogSettings, catalogRequests } from '../outbound/catalog-request.ts';

const NAME = 'OpenAlex';
const FIELDS =
  'id,doi,display_name,publication_date,authorships,abstract_inverted_index,primary_location,best_oa_location,locations,open_access';
const DETAILS = 'publication_year,is_retracted';
/** Maximum words of an abstract, because a forged index may claim any position for a word. */
const MAX_WORDS = 3000;

const locationSchema = z
  .object({
    landing_page_url: z.string().nullish(),
    pdf_url: z.string().nullish(),
    license: z.string().nullish(),
    source: z
      .object({ display_name: z.string().nullish(), host_organization_name: z.string().nullish() })
      .nullish(),
  })
  .nullish();
const resultsSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      doi: z.string().nullish(),
      display_name: z.string().nullish(),
      publication_date: z.string().nullish(),
      publication_year: z.number().nullish(),
      is_retracted: z.boolean().nullish(),
      authorships: z.array(z.object({ author: z.object({ display_name: z.string().nullish() }) })).nullish(),
      abstract_inverted_index: z.record(z.string(), z.array(z.int().min(0))).nullish(),
      primary_location: locationSchema,
      best_oa_location: locationSchema,
      locations: z.array(locationSchema).nullish(),
      open_access: z.object({ is_oa: z.boolean().nullish() }).nullish(),
    }),
  ),
});
type Result = z.infer<typeof resultsSchema>['results'][number];

/**
 * OpenAlex's works (https://docs.openalex.org). It returns abstracts as inverted indexes: words with their
 * positions.
 */
export function openAlexCatalog(settings: CatalogSettings): Catalog {
  const requests = catalogRequests({ ...settings, name: NAME });
  return {
    name: NAME,
    async find({ limit, lookUp, ...wanted }, { signal }) {
      const query = {
        ...(lookUp === undefined ? searchOf(wanted) : { filter: namedBy(lookUp) }),
        'per-page': `${limit}`,
        select: lookUp === undefined ? FIELDS : `${FIELDS},${DETAILS}`,
        api_key: settings.token,
      };
      const found = await requests.json({
        ...{ path: '/works', query, credentials: {}, schema: resultsSchema, signal },
      });
      return found.results.map((result) => ({
        ...toPaper(result),
        ...(lookUp !== undefined && { details: detailsOf(result) }),
      }));
    },
  };
}

function searchOf({ keywords, retractedOf, ...range }: Omit<CatalogQuery, 'limit' | 'lookUp'>) {
  if (retractedOf !== undefined) return { filter: `is_retracted:true,doi:${retractedOf.join('|')}` };
  const words = keywords.map((keyword) => `"${keyword.replace(/["\\]/g, ' ')}"`).join(' AND ');
  return { search: words, filter: filterOf(range) };
}

/** Commas and vertical bars separate filters. */
function namedBy(wanted: PaperLookUp): string {
  if ('doi' in wanted) return `doi:${wanted.doi.replace(/[,|]/g, ' ')}`;
  if ('arxivId' in wanted) return `doi:10.48550/arxiv.${wanted.arxivId}`;
  return `title.search:${(wanted.title.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')}`;
}

function detailsOf({ publication_year: year, is_retracted, locations, primary_location }: Result) {
  const sources = [primary_location, ...(locations ?? [])].flatMap((place) => place?.source ?? []);
  const venues = sources.flatMap((source) => [source.display_name, source.host_organization_name]);
  return {
    titles: [],
    years: year ? [year] : [],
    venues: venues.flatMap((name) => name ?? []),
    isRetracted: is_retracted ?? false,
  };
}

function filterOf({ dateFrom, dateTo }: DateRange): string | undefined {
  const parts = [
    ...(dateFrom === undefined ? [] : [`from_publication_date:${dateFrom}`]),
    ...(dateTo === undefined ? [] : [`to_publication_date:${dateTo}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(',');
}

function toPaper({ id, doi, primary_location, best_oa_location, ...work }: Result): FoundPaper {
  const pages = [primary_location, best_oa_location, ...(work.locations ?? [])];
  const onArxiv = pages.find((place) => place?.landing_page_url?.includes('arxiv.org/abs/'));
  return {
    id: id.replace('https://openalex.org/', ''),
    arxivId: onArxiv?.landing_page_url ?? null,
    title: work.display_name ?? '',
    authors: (work.authorships ?? []).map(({ author }) => author.display_name ?? ''),
    abstract: rebuild(work.abstract_inverted_index ?? {}),
    url: doi ?? primary_location?.landing_page_url ?? id,
    pdfUrl: best_oa_location?.pdf_url ?? primary_location?.pdf_url ?? null,
    publishedDate: work.publication_date ?? null,
    doi: doi ?? null,
    isOpen: work.open_access?.is_oa ?? undefined,
    license: best_oa_location?.license ?? undefined,
  };
}

/** Rebuilds a text from the positions of its words. */
function rebuild(index: Record<string, number[]>): string {
  const words: string[] = [];
  for (const [word, places] of Object.entries(index))
    for (const place of places) if (place < MAX_WORDS) words[place] = word;
  return words.filter((word) => word !== undefined).join(' ');
}
