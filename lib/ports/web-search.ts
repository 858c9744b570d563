import * as z from 'zod';
import { WEB_SEARCH_PROVIDERS } from '../api-contract/web-search-providers.ts';

export const webSearchProviderSchema = z.enum(WEB_SEARCH_PROVIDERS).meta({ title: 'WebSearchProvider' });

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
