import * as z from 'zod';
import type { WebSearch } from '../../ports/web-search.ts';
import { requestSearch, type SearchEndpoint } from '../outbound/web-search-request.ts';

const answerSchema = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().nullish() })),
});
const MAX_RESULTS = 20;

/** Tavily's search API (https://docs.tavily.com/documentation/api-reference/endpoint/search). */
export function tavilyWebSearch(settings: SearchEndpoint & { baseUrl: string; apiKey: string }): WebSearch {
  const { name, baseUrl, apiKey } = settings;
  return {
    name,
    host: new URL(baseUrl).hostname,
    async search(query, { limit, signal }) {
      const { results } = await requestSearch(settings, {
        url: new URL(`${baseUrl.replace(/\/$/, '')}/search`),
        headers: { authorization: `Bearer ${apiKey}` },
        body: { query, max_results: Math.min(limit, MAX_RESULTS), search_depth: 'basic' },
        ...{ schema: answerSchema, signal },
      });
      return results.slice(0, limit).map(({ url, title }) => ({ url, title: title ?? '' }));
    },
  };
}
