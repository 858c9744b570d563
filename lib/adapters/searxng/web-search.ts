import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { WebSearch } from '../../ports/web-search.ts';
import { requestSearch, type SearchEndpoint } from '../outbound/web-search-request.ts';

const answerSchema = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().nullish() })),
});

/** SearXNG's search API (https://docs.searxng.org/dev/search_api.html). It has no keys. */
export function searxngWebSearch(settings: SearchEndpoint & { baseUrl: string }): WebSearch {
  const { name, baseUrl } = settings;
  return {
    name,
    host: new URL(baseUrl).hostname,
    async search(query, { limit, signal }) {
      const url = new URL(`${baseUrl.replace(/\/$/, '')}/search`);
      url.search = String(new URLSearchParams({ q: query, format: 'json', categories: 'general' }));
      const { results } = await requestSearch(settings, {
        ...{ url, schema: answerSchema, signal },
        // Its settings have no JSON by default, and another format is forbidden.
        refusal: (status) => (status === 403 ? formatRefused(name) : undefined),
      });
      return results.slice(0, limit).map(({ url, title }) => ({ url, title: title ?? '' }));
    },
  };
}

function formatRefused(name: string): UpstreamFailed {
  return new UpstreamFailed(
    'web_search_failed',
    `${name} refused JSON. Add json to search.formats in its settings.yml.`,
  );
}
