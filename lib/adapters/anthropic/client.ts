import type Anthropic from '@anthropic-ai/sdk';
import type { ProviderSettings } from '../../config/models.ts';
import type { ModelEntry } from '../../ports/models.ts';
import { PROVIDER_NAMES } from '../../text/vendor-names.ts';
import { boundedAnswer } from '../outbound/bounded-answer.ts';
import { cacheClients } from '../outbound/client-cache.ts';
import { modelFetch } from '../outbound/model-fetch.ts';
import { keepRefusal } from '../outbound/refusal.ts';
import { isFinalForAnswer } from '../outbound/refusal-cause.ts';

/** `baseUrl` is the API's URL, with or without `/v1`. Without it, the client uses Anthropic's own API. */
export type AnthropicSettings = Pick<ProviderSettings, 'apiKey' | 'baseUrl' | 'guard'>;

export const anthropicClient = cacheClients(makeClient);

/**
 * The SDK adds `/v1` itself. Its default headers (`Authorization: Bearer` for `x-api-key`, version
 * 2026-10-21) are too new for proxies and compatible servers, so this client sends the established ones.
 */
async function makeClient({ apiKey = 'none', baseUrl, guard }: AnthropicSettings): Promise<Anthropic> {
  const send = modelFetch(guard);
  const { default: Client } = await import('@anthropic-ai/sdk');
  return new Client({
    apiKey,
    authToken: null,
    baseURL: baseUrl?.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '') ?? 'https://api.anthropic.com',
    defaultHeaders: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01', authorization: null },
    logLevel: 'off',
    fetch: async (url, init) => {
      const response = await send(url, init);
      if (response.status >= 400) return keepRefusal(response, isFinalForAnswer);
      return boundedAnswer(response, { who: PROVIDER_NAMES.b });
    },
  });
}

/** Returns all pages of Anthropic's model list. */
export async function listAnthropicModels(
  settings: AnthropicSettings,
  signal: AbortSignal,
): Promise<ModelEntry[]> {
  const client = await anthropicClient(settings);
  const models: ModelEntry[] = [];
  for await (const { id, display_name: name } of client.models.list(
    { limit: 1000 },
    { signal, maxRetries: 1 },
  )) {
    models.push({ id, name: name ?? id });
  }
  return models;
}
