import * as z from 'zod';
import {
  WEB_SEARCH_NAMES,
  WEB_SEARCH_PROVIDERS,
  type WebSearchProvider,
} from '../api-contract/web-search-providers.ts';
import type { ServerGuard } from '../config/models.ts';
import type { Config } from '../config.ts';
import { InvalidInput } from '../errors.ts';
import type { Secrets } from '../ports/secrets.ts';
import { webSearchProviderSchema } from '../ports/web-search.ts';
import { redactUrl } from '../secrets/redact-url.ts';
import { keyField } from '../validation/pasted-fields.ts';
import { baseUrlSchema } from './connection-schema.ts';
import { serverGuard } from './stored-keys.ts';

/** The choice in the settings; absent for that of the environment. Keys are in the secret store. */
export const storedWebSearchSchema = z.object({
  provider: z.enum(['off', ...WEB_SEARCH_PROVIDERS]),
  baseUrl: z.string().optional(),
});
type StoredWebSearch = z.infer<typeof storedWebSearchSchema>;

export const putWebSearchSchema = z
  .strictObject({
    provider: z
      .enum(['off', ...WEB_SEARCH_PROVIDERS])
      .meta({ title: 'WebSearchChoice' })
      .describe('Provider that gets the words of web searches. `off` disables web search.'),
    baseUrl: baseUrlSchema.optional().describe('URL of a SearXNG server. Only for `searxng`.'),
    apiKey: keyField
      .max(1000)
      .optional()
      .describe(
        'API key, kept in the secret store. Only for `brave` and `tavily`. Omitted, the stored key stays.',
      ),
  })
  .refine(({ provider, baseUrl }) => (provider === 'searxng') === (baseUrl !== undefined), {
    path: ['baseUrl'],
    message: 'must be given for searxng, and only for it',
  })
  .refine(({ provider, apiKey }) => apiKey === undefined || keyNameOf(provider) !== undefined, {
    path: ['apiKey'],
    message: 'must only be given for brave or tavily',
  })
  .meta({ id: 'WebSearchChange' });
type PutWebSearch = z.output<typeof putWebSearchSchema>;

export const webSearchStateSchema = z
  .strictObject({
    provider: webSearchProviderSchema.nullable().describe('Provider of web search. Null if it is disabled.'),
    source: z
      .enum(['env', 'settings'])
      .meta({ title: 'WebSearchSource' })
      .nullable()
      .describe('Origin of the choice: an environment variable, or the settings. Null if there is none.'),
    baseUrl: z.string().nullable().describe('URL of the SearXNG server. Null for other providers.'),
    hasKey: z.boolean().describe('Whether a key for the provider is set.'),
  })
  .meta({ id: 'WebSearchState' });

/** Providers with keys, and the names of their variables and secrets. */
const KEY_NAMES = { brave: 'WEB_SEARCH_BRAVE_API_KEY', tavily: 'WEB_SEARCH_TAVILY_API_KEY' } as const;
type Keyed = keyof typeof KEY_NAMES;
const KEYED = Object.keys(KEY_NAMES) as Keyed[];

function keyNameOf(provider: string): string | undefined {
  return KEYED.find((keyed) => keyed === provider) && KEY_NAMES[provider as Keyed];
}

/** The provider that searches, with the way to reach it. */
export interface ChosenWebSearch {
  provider: WebSearchProvider;
  baseUrl?: string | undefined;
  /** The operator's key; otherwise the secret store may have one. */
  apiKey?: string | undefined;
  /** Set for a server that the settings name. */
  guard?: ServerGuard | undefined;
}

/** Returns the provider of the settings, otherwise of the environment; undefined if web search is disabled. */
export function chosenWebSearch(
  config: Pick<Config, 'webSearch' | 'deployed' | 'proxy'>,
  stored: StoredWebSearch | undefined,
): ChosenWebSearch | undefined {
  const provider = stored === undefined ? config.webSearch.provider : stored.provider;
  if (provider === undefined || provider === 'off') return undefined;
  if (provider !== 'searxng') return { provider, ...config.webSearch[provider] };
  const own = stored?.baseUrl;
  if (own !== undefined) return { provider, baseUrl: own, guard: serverGuard(config) };
  const { baseUrl } = config.webSearch.searxng;
  return baseUrl === undefined ? undefined : { provider, baseUrl };
}

/** Adds the key from the secret store, if the environment has no key. */
export async function withSearchKey(chosen: ChosenWebSearch, secrets: Secrets): Promise<ChosenWebSearch> {
  const name = keyNameOf(chosen.provider);
  if (name === undefined || chosen.apiKey !== undefined) return chosen;
  return { ...chosen, apiKey: await secrets.get(name) };
}

/** Returns the provider, and only whether its key is set. */
export async function describeWebSearch(
  config: Config,
  secrets: Secrets,
  stored: StoredWebSearch | undefined,
): Promise<z.infer<typeof webSearchStateSchema>> {
  const chosen = chosenWebSearch(config, stored);
  const current = chosen && (await withSearchKey(chosen, secrets));
  const isSet = stored !== undefined || config.webSearch.provider !== undefined;
  return {
    provider: current?.provider ?? null,
    source: !isSet ? null : stored === undefined ? 'env' : 'settings',
    baseUrl: current?.provider === 'searxng' && current.baseUrl ? redactUrl(current.baseUrl) : null,
    hasKey: current?.apiKey !== undefined,
  };
}

/**
 * Stores the key of a choice, and removes those of the other providers. Returns what the settings record keeps. Throws
 * InvalidInput for a provider without its key.
 */
export async function storeSearchKey(
  config: Pick<Config, 'webSearch'>,
  secrets: Secrets,
  choice: PutWebSearch | null,
): Promise<StoredWebSearch | null> {
  const chosen = KEYED.find((provider) => provider === choice?.provider);
  if (chosen !== undefined) await storeKey(config, secrets, chosen, choice?.apiKey);
  for (const provider of KEYED) if (provider !== chosen) await removeKey(secrets, provider);
  if (choice === null) return null;
  const { provider, baseUrl } = choice;
  return { provider, ...(baseUrl !== undefined && { baseUrl }) };
}

async function storeKey(
  { webSearch }: Pick<Config, 'webSearch'>,
  secrets: Secrets,
  provider: Keyed,
  apiKey: string | undefined,
): Promise<void> {
  const name = KEY_NAMES[provider];
  if (apiKey !== undefined) return secrets.set(name, apiKey);
  const known = webSearch[provider].apiKey ?? (await secrets.get(name, { fresh: true }));
  if (known === undefined) throw keyRequired(provider);
}

async function removeKey(secrets: Secrets, provider: Keyed): Promise<void> {
  const name = KEY_NAMES[provider];
  if ((await secrets.get(name, { fresh: true })) !== undefined) await secrets.set(name, null);
}

function keyRequired(provider: Keyed): InvalidInput {
  return new InvalidInput(
    'invalid_value',
    `webSearch.apiKey is required for ${WEB_SEARCH_NAMES[provider]}.`,
    {
      field: 'webSearch.apiKey',
    },
  );
}
