import type OpenAI from 'openai';

export interface OpenaiSettings {
  apiKey?: string;
  /** Where the API is; undefined = the provider's own. */
  baseUrl?: string;
}

const clients = new Map<string, Promise<OpenAI>>();

/** One client, with its connections, for each address and key. The SDK loads at the first use. */
export function openaiClient(settings: OpenaiSettings): Promise<OpenAI> {
  const key = JSON.stringify([settings.apiKey, settings.baseUrl]);
  const known = clients.get(key);
  if (known !== undefined) return known;
  const made = makeClient(settings);
  clients.set(key, made);
  return made;
}

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
