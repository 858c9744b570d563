import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { Catalog, FoundPaper, PaperDetails, PaperLookUp } from '../../ports/papers.ts';
import { type CatalogSettings, catalogRequests } from '../outbound/catalog-request.ts';

const NAME = 'Crossref';
/** The part of a reference that is sent. Matching looks at its words only. */
const MAX_REFERENCE = 600;

const datesSchema = z
  .object({ 'date-parts': z.array(z.array(z.number().nullish())).nullish() })
  .nullish()
  .catch(undefined);
const textsSchema = z.array(z.string()).nullish().catch(undefined);
const workSchema = z.object({
  DOI: z.string(),
  URL: z.string().nullish(),
  title: textsSchema,
  subtitle: textsSchema,
  'original-title': textsSchema,
  author: z
    .array(
      z.object({
        given: z.string().nullish(),
        family: z.string().nullish(),
        name: z.string().nullish(),
      }),
    )
    .nullish(),
  'container-title': textsSchema,
  'short-container-title': textsSchema,
  publisher: z.string().nullish(),
  event: z.object({ name: z.string().nullish(), acronym: z.string().nullish() }).nullish().catch(undefined),
  issued: datesSchema,
  published: datesSchema,
  'published-print': datesSchema,
  'published-online': datesSchema,
  posted: datesSchema,
  'updated-by': z
    .array(z.object({ type: z.string().nullish() }))
    .nullish()
    .catch(undefined),
});
type Work = z.infer<typeof workSchema>;
const workAnswer = z.object({ message: workSchema });
const worksAnswer = z.object({ message: z.object({ items: z.array(workSchema) }) });
const agencyAnswer = z.object({ message: z.object({ agency: z.object({ id: z.string() }) }) });

/** Crossref's works (https://api.crossref.org), only for papers that a reference names. */
export function crossrefCatalog(settings: CatalogSettings): Catalog {
  // Crossref redirects a DOI that was replaced by another one (https://community.crossref.org/t/13138).
  const requests = catalogRequests({ ...settings, name: NAME, maxRedirects: 1 });
  return {
    name: NAME,
    async find({ lookUp, limit }, { signal }) {
      if (lookUp === undefined || 'arxivId' in lookUp) return [];
      if (!('doi' in lookUp)) return (await byText(lookUp, limit, signal)).map(toPaper);
      // A replaced DOI still leads to its paper, so the paper has the DOI that was asked for.
      return (await byDoi(lookUp.doi, signal)).map((work) => ({ ...toPaper(work), doi: lookUp.doi }));
    },
  };

  async function byDoi(doi: string, signal: AbortSignal): Promise<Work[]> {
    const path = `/works/${encodeURIComponent(doi)}`;
    const asked = { query: {}, credentials: {}, signal };
    const work = await requests.jsonIfFound({ ...asked, path, schema: workAnswer });
    if (work !== undefined) return [work.message];
    // Crossref knows the agency of each DOI that exists, but not the papers of the others, such as DataCite.
    const known = await requests.jsonIfFound({ ...asked, path: `${path}/agency`, schema: agencyAnswer });
    if (known === undefined || known.message.agency.id === 'crossref') return [];
    throw new UpstreamFailed('paper_source_failed', `${NAME} does not describe DOIs of other agencies.`);
  }

  async function byText(
    { reference }: Extract<PaperLookUp, { title: string }>,
    limit: number,
    signal: AbortSignal,
  ): Promise<Work[]> {
    const query = {
      'query.bibliographic': reference.slice(0, MAX_REFERENCE).toWellFormed(),
      rows: `${limit}`,
    };
    const asked = { path: '/works', query, credentials: {}, schema: worksAnswer, signal };
    return (await requests.json(asked)).message.items;
  }
}

function toPaper(work: Work): FoundPaper {
  const [title = ''] = work.title ?? [];
  const names = (work.author ?? []).map(({ given, family, name }) =>
    family ? [given, family].filter(Boolean).join(' ') : (name ?? ''),
  );
  return {
    id: work.DOI,
    title,
    authors: names,
    abstract: '',
    url: work.URL ?? `https://doi.org/${work.DOI}`,
    pdfUrl: null,
    publishedDate: null,
    doi: work.DOI,
    arxivId: null,
    details: detailsOf(work, title),
  };
}

function detailsOf(work: Work, title: string): PaperDetails {
  const dates = [work.issued, work.published, work['published-print'], work['published-online'], work.posted];
  const names = [...(work['container-title'] ?? []), ...(work['short-container-title'] ?? [])];
  const others = [work.event?.name, work.event?.acronym, work.publisher].flatMap((name) => name ?? []);
  return {
    titles: [
      ...(work.title ?? []).slice(1),
      ...(work['original-title'] ?? []),
      ...(work.subtitle ?? []).map((subtitle) => `${title}: ${subtitle}`),
    ],
    years: dates.flatMap((date) => date?.['date-parts']?.[0]?.[0] ?? []),
    venues: [...names, ...others],
    isRetracted: (work['updated-by'] ?? []).some(({ type }) => type === 'retraction'),
  };
}
