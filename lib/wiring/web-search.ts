import { braveWebSearch } from '../adapters/brave/web-search.ts';
import { missingKey } from '../adapters/outbound/web-search-request.ts';
import { searxngWebSearch } from '../adapters/searxng/web-search.ts';
import { tavilyWebSearch } from '../adapters/tavily/web-search.ts';
import { WEB_SEARCH_NAMES } from '../api-contract/web-search-providers.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { WebSearch } from '../ports/web-search.ts';
import { type ChosenWebSearch, withSearchKey } from '../settings/web-search.ts';
import { meteredWebSearch } from '../usage/metered-ports.ts';
import type { Use } from '../usage/schema.ts';
import type { WebSearchPorts } from '../web-search/ports.ts';

const BASE_URLS = { searxng: '', brave: 'https://api.search.brave.com', tavily: 'https://api.tavily.com' };

/** Web search by the chosen provider, whose searches are counted for each use. */
export interface OpenedWebSearch extends Pick<WebSearch, 'name' | 'host'> {
  webFor(use: Use): WebSearchPorts;
}

/** Opens the chosen provider; undefined if web search is disabled. Reads its key only for a search. */
export function openWebSearch(
  chosen: ChosenWebSearch | undefined,
  { secrets, ...ports }: Omit<WebSearchPorts, 'webSearch'> & { secrets: Secrets },
): OpenedWebSearch | undefined {
  if (chosen === undefined) return undefined;
  const { provider, baseUrl = BASE_URLS[provider] } = chosen;
  const shown = { name: WEB_SEARCH_NAMES[provider], host: new URL(baseUrl).hostname };
  const webSearch: WebSearch = {
    ...shown,
    async search(query, options) {
      const opened = openProvider({ ...(await withSearchKey(chosen, secrets)), baseUrl });
      return opened.search(query, options);
    },
  };
  return { ...shown, webFor: (use) => ({ ...ports, webSearch: meteredWebSearch(webSearch, use, ports) }) };
}

function openProvider({ provider, apiKey, ...of }: ChosenWebSearch & { baseUrl: string }): WebSearch {
  const settings = { name: WEB_SEARCH_NAMES[provider], ...of };
  if (provider === 'searxng') return searxngWebSearch(settings);
  if (apiKey === undefined) throw missingKey(settings.name, `WEB_SEARCH_${provider.toUpperCase()}_API_KEY`);
  return provider === 'brave'
    ? braveWebSearch({ ...settings, apiKey })
    : tavilyWebSearch({ ...settings, apiKey });
}
