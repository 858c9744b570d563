/** The providers of web search, by their common names. */
export const WEB_SEARCH_NAMES = { searxng: 'SearXNG', brave: 'Brave Search', tavily: 'Tavily' } as const;
export type WebSearchProvider = keyof typeof WEB_SEARCH_NAMES;
export const WEB_SEARCH_PROVIDERS = Object.keys(WEB_SEARCH_NAMES) as [
  WebSearchProvider,
  ...WebSearchProvider[],
];
