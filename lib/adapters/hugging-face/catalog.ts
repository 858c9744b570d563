import * as z from 'zod';
import type { Catalog, FoundPaper } from '../../ports/papers.ts';
import { HUB_NAMES } from '../../text/vendor-names.ts';
import { type CatalogSettings, catalogRequests } from '../outbound/catalog-request.ts';

const NAME = HUB_NAMES.a;
/**
 * The API's maximum number of results. It can't filter by date, so this adapter drops papers outside a range
 * afterwards.
 */
const LIMIT_OF_RANGE = 120;

const resultsSchema = z.array(
  z.object({
    paper: z.object({
      id: z.string(),
      title: z.string().nullish(),
      summary: z.string().nullish(),
      authors: z.array(z.object({ name: z.string().nullish() })).nullish(),
      publishedAt: z.string().nullish(),
    }),
  }),
);
type Result = z.infer<typeof resultsSchema>[number];

/** Hugging Face's papers (`/api/papers/search`), all of which are on arXiv and have its IDs. */
export function huggingFaceCatalog(settings: CatalogSettings): Catalog {
  const requests = catalogRequests({ ...settings, name: NAME });
  return {
    name: NAME,
    async find({ keywords, limit, dateFrom, dateTo, lookUp }, { signal }) {
      const ranged = dateFrom !== undefined || dateTo !== undefined;
      const words = lookUp === undefined ? keywords : Object.values(lookUp).slice(0, 1);
      const query = { q: words.join(' '), limit: `${ranged ? LIMIT_OF_RANGE : limit}` };
      const asked = { path: '/api/papers/search', query, credentials: {}, schema: resultsSchema, signal };
      const results = await requests.json(asked);
      return results.map(toPaper);
    },
  };
}

function toPaper({ paper: { id, title, summary, authors, publishedAt } }: Result): FoundPaper {
  return {
    id,
    arxivId: id,
    title: title ?? '',
    authors: (authors ?? []).map(({ name }) => name ?? ''),
    abstract: summary ?? '',
    url: `https://huggingface.co/papers/${encodeURIComponent(id)}`,
    pdfUrl: `https://arxiv.org/pdf/${encodeURIComponent(id)}`,
    publishedDate: publishedAt ?? null,
    doi: null,
    isOpen: true,
  };
}
