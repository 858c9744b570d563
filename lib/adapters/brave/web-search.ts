import * as z from 'zod';
import type { WebSearch } from '../../ports/web-search.ts';
import { keyRefused, requestSearch, type SearchEndpoint } from '../outbound/web-search-request.ts';

/** A query without results has no `web`. */
const answerSchema = z.object({
  web: z.object({ results: z.array(z.object({ url: z.string(), title: z.string().nullish() })) }).optional(),
});
const errorSchema = z.object({ error: z.object({ code: z.string() }) });
const MAX_COUNT = 20;

/** Brave's web search API (https://api-dashboard.search.brave.com/app/documentation/web-search). */
export function braveWebSearch(settings: SearchEndpoint & { baseUrl: string; apiKey: string }): WebSearch {
  const { name, baseUrl, apiKey } = settings;
  return {
    name,
    host: new URL(baseUrl).hostname,
    async search(query, { limit, signal }) {
      const url = new URL(`${baseUrl.replace(/\/$/, '')}/res/v1/web/search`);
      url.search = String(new URLSearchParams({ q: query, count: String(Math.min(limit, MAX_COUNT)) }));
      const { web } = await requestSearch(settings, {
        ...{ url, headers: { 'x-subscription-token': apiKey }, schema: answerSchema, signal },
        // An unknown key is an invalid parameter there.
        refusal: (status, body) =>
          status === 422 && errorSchema.safeParse(body).data?.error.code === 'SUBSCRIPTION_TOKEN_INVALID'
            ? keyRefused(name)
            : undefined,
      });
      return (web?.results ?? []).slice(0, limit).map(({ url, title }) => ({ url, title: title ?? '' }));
    },
  };
}
