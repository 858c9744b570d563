import type { ErrorCode } from '../error-codes.ts';

/** Error codes of a web search that failed, at the provider or because of its limits. */
export const WEB_SEARCH_ERRORS = [
  'web_search_answer_unusable',
  'web_search_failed',
  'web_search_key_refused',
  'web_search_not_configured',
  'web_search_rate_limited',
  'web_search_timeout',
] as const satisfies ErrorCode[];

/** A search engine for the public web. */
export interface WebSearch {
  /** The provider's name in texts: `Brave Search`. */
  name: string;
  /** The host that gets the query, which rules match. */
  host: string;
  /**
   * Returns results in the order of the provider, unchecked. Throws NotConfigured without a key, UpstreamFailed,
   * TooManyRequests with the time that the provider asks for, and the signal's reason.
   */
  search(query: string, options: { limit: number; signal: AbortSignal }): Promise<WebResult[]>;
}

/** A page that a provider found. Everything in it is untrusted. */
export interface WebResult {
  url: string;
  title: string;
}
