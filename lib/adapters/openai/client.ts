import type OpenAI from 'openai';
import { boundedAnswer } from '../outbound/bounded-answer.ts';
import { cacheClients } from '../outbound/client-cache.ts';

export interface OpenaiSettings {
  apiKey?: string;
  /** Where the API is; undefined = the provider's own. */
  baseUrl?: string;
}

/** A hundred vectors of 4,096 dimensions, and some room. */
const MAX_EMBEDDING_VALUES = 500_000;

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
    fetch: async (url, init) => boundedAnswer(await fetch(url, init), limitsOf(String(url))),
  });
}

function limitsOf(url: string) {
  const who = 'The provider';
  return url.endsWith('/embeddings') ? { who, maxValues: MAX_EMBEDDING_VALUES } : { who };
}

/** People write the address with or without its `/v1`. */
function withVersion(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.pathname === '/' ? `${url.origin}/v1` : baseUrl;
}
