import type OpenAI from 'openai';
import * as z from 'zod';
import type { ProviderSettings } from '../../config/models.ts';
import { UpstreamFailed } from '../../errors.ts';
import type { ModelEntry } from '../../ports/models.ts';
import { boundedAnswer } from '../outbound/bounded-answer.ts';
import { cacheClients } from '../outbound/client-cache.ts';
import { modelFetch } from '../outbound/model-fetch.ts';
import { keepRefusal } from '../outbound/refusal.ts';
import { isFinalForAnswer, isLasting } from '../outbound/refusal-cause.ts';
import { listedWindow } from './ask-window.ts';

/** `baseUrl` is the API's URL; undefined means the provider's own. */
export type OpenaiSettings = Pick<ProviderSettings, 'apiKey' | 'baseUrl' | 'guard'>;

/** Maximum numbers in a response: a hundred vectors of 4,096 dimensions, and some more. */
const MAX_EMBEDDING_VALUES = 500_000;

export const openaiClient = cacheClients(makeClient);

/**
 * Creates a client that reads nothing from the environment. The SDK requires a key, even for a self-hosted
 * model that needs none.
 */
async function makeClient({ apiKey, baseUrl, guard }: OpenaiSettings): Promise<OpenAI> {
  const send = modelFetch(guard);
  const { default: Client } = await import('openai');
  return new Client({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl === undefined ? 'https://api.openai.com/v1' : withVersion(baseUrl),
    organization: null,
    project: null,
    logLevel: 'off',
    fetch: async (url, init) => {
      const response = await send(url, init);
      const isFinal = String(url).endsWith('/completions') ? isFinalForAnswer : isLasting;
      if (response.status >= 400) return keepRefusal(response, isFinal);
      return boundedAnswer(response, limitsOf(String(url)));
    },
  });
}

function limitsOf(url: string) {
  const who = 'The provider';
  return url.endsWith('/embeddings') ? { who, maxValues: MAX_EMBEDDING_VALUES } : { who };
}

/** Returns the URL with `/v1`, which users may omit. */
function withVersion(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.pathname === '/' ? `${url.origin}/v1` : baseUrl;
}

const listSchema = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

/**
 * Lists the models of an OpenAI-compatible server. Gemini puts `models/` before its IDs, but accepts them
 * without. Parses the list itself, because the SDK treats any other response as an empty list.
 */
export async function listOpenaiModels(
  who: string,
  settings: OpenaiSettings,
  signal: AbortSignal,
): Promise<ModelEntry[]> {
  const client = await openaiClient(settings);
  const list = listSchema.safeParse(await client.get<unknown>('/models', { signal, maxRetries: 1 }));
  if (!list.success)
    throw new UpstreamFailed(
      'model_answer_unusable',
      `${who} did not return a list of models. Check its base URL.`,
    );
  return list.data.data.map((entry) => {
    const plain = entry.id.replace(/^models\//, '');
    return { id: plain, name: plain, contextTokens: listedWindow(entry) };
  });
}
