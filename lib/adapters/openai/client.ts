import type OpenAI from 'openai';
import { cacheClients } from '../outbound/client-cache.ts';

export interface OpenaiSettings {
  apiKey?: string;
  /** Where the API is; undefined = the provider's own. */
  baseUrl?: string;
}

export const openaiClient = cacheClients(makeClient);

/** A self-hosted model may need no key, but the SDK does not start without one. Nothing is taken from the environment. */
async function makeClient({ apiKey, baseUrl }: OpenaiSettings): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl === undefined ? 'https://api.openai.com/v1' : withVersion(baseUrl),
    organization: null,
    project: null,
    logLevel: 'off',
  });
}

/** People write the address with or without its `/v1`. */
function withVersion(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.pathname === '/' ? `${url.origin}/v1` : baseUrl;
}
