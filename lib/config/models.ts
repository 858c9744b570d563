import * as z from 'zod';
import type { ServiceEnvironment } from './service.ts';
import { baseUrl, choice, commaList, httpUrl, key, wholeNumber } from './values.ts';

/** Variables of the environment, with a check and a default. */
export const modelsVariables = {
  LLM_PROVIDER: choice(['a', 'b', 'c']).optional(),
  LLM_MODEL: z.string().optional(),
  LLM_MAX_OUTPUT_TOKENS: wholeNumber(256, 1_000_000).optional(),
  LLM_CONTEXT_TOKENS: wholeNumber(512, 100_000_000).optional(),
  VISION_MODELS: commaList().default([]),
  OWN_MODEL_PATIENCE_MINUTES: wholeNumber(1, 120).default(10),
  PROVIDER_A_API_KEY: key().optional(),
  PROVIDER_A_BASE_URL: baseUrl().optional(),
  PROVIDER_B_API_KEY: key().optional(),
  PROVIDER_B_BASE_URL: baseUrl().optional(),
  PROVIDER_C_API_KEY: key().optional(),
  PROVIDER_C_BASE_URL: baseUrl().optional(),
  EMBEDDING_API_KEY: key().optional(),
  EMBEDDING_BASE_URL: baseUrl().optional(),
  EMBEDDING_MODEL: z.string().optional(),
  RERANK_API_KEY: key().optional(),
  RERANK_BASE_URL: baseUrl().optional(),
  RERANK_MODEL: z.string().optional(),
  ENTAILMENT_API_KEY: key().optional(),
  ENTAILMENT_BASE_URL: baseUrl().optional(),
  ENTAILMENT_MODEL: z.string().optional(),
  LOCAL_EMBEDDER_URL: httpUrl().optional(),
  LOCAL_EMBEDDER_KEY: z.string().optional(),
  LOCAL_EMBEDDER_MODEL: z.string().optional(),
  LOCAL_RERANKER_MODEL: z.string().optional(),
  LOCAL_ENTAILMENT_MODEL: z.string().optional(),
};
export type ModelsEnvironment = z.infer<z.ZodObject<typeof modelsVariables>>;

/** The settings for reaching a model provider. */
export interface ProviderSettings {
  apiKey?: string | undefined;
  /** Undefined for the provider's own URL. */
  baseUrl?: string | undefined;
  /**
   * For connections in the settings only: the embedding model that the connection offers. Null means none,
   * undefined its default.
   */
  embeddingModel?: string | null | undefined;
  guard?: ServerGuard | undefined;
}

/** The restrictions on requests to a model server that the settings, not the operator, name. */
export interface ServerGuard {
  policy: ServerPolicy;
  proxy: { http: string | undefined; https: string | undefined; no: string | undefined };
}
/** The allowed addresses of that server. On a single host, they include loopback. */
export type ServerPolicy = 'host' | 'cloud';

export function readModels(env: ModelsEnvironment & ServiceEnvironment) {
  const providers: Record<(typeof PROVIDERS)[ProviderLetter], ProviderSettings> = {
    openai: { apiKey: env.PROVIDER_A_API_KEY, baseUrl: env.PROVIDER_A_BASE_URL },
    anthropic: { apiKey: env.PROVIDER_B_API_KEY, baseUrl: env.PROVIDER_B_BASE_URL },
    gemini: { apiKey: env.PROVIDER_C_API_KEY, baseUrl: env.PROVIDER_C_BASE_URL },
  };
  return {
    provider: {
      ...{ id: env.LLM_PROVIDER, model: env.LLM_MODEL, sighted: env.VISION_MODELS },
      maxOutputTokens: env.LLM_MAX_OUTPUT_TOKENS,
      contextTokens: env.LLM_CONTEXT_TOKENS,
    },
    ownModelPatienceMs: readPatience(env),
    providers,
    embedding: readEmbedding(env),
    rerank: { apiKey: env.RERANK_API_KEY, baseUrl: env.RERANK_BASE_URL, model: env.RERANK_MODEL },
    entailment: {
      apiKey: env.ENTAILMENT_API_KEY,
      baseUrl: env.ENTAILMENT_BASE_URL,
      model: env.ENTAILMENT_MODEL,
    },
    localEmbedder: localModel(env, env.LOCAL_EMBEDDER_MODEL),
    localReranker: localModel(env, env.LOCAL_RERANKER_MODEL),
    localEntailment: localModel(env, env.LOCAL_ENTAILMENT_MODEL),
  };
}

type ModelSettings = ReturnType<typeof readModels>;

/** In milliseconds. A function's time is limited, however long the server takes. */
const FUNCTION_PATIENCE_MS = 50_000;

function readPatience(env: ModelsEnvironment & ServiceEnvironment): number {
  const asked = env.OWN_MODEL_PATIENCE_MINUTES * 60_000;
  return env.AWS_LAMBDA_FUNCTION_NAME === undefined ? asked : Math.min(asked, FUNCTION_PATIENCE_MS);
}

/** `EMBEDDING_MODEL=none` disables semantic search, whatever models are available. */
function readEmbedding(env: ModelsEnvironment) {
  const { EMBEDDING_API_KEY: apiKey, EMBEDDING_BASE_URL: baseUrl, EMBEDDING_MODEL: named } = env;
  const isOff = named?.toLowerCase() === 'none';
  return { apiKey, baseUrl, model: isOff ? undefined : named, isOff };
}

/** Returns the model of the process that `npm start` runs next to the service, if it's installed. */
function localModel(env: ModelsEnvironment, model: string | undefined) {
  const { LOCAL_EMBEDDER_URL: baseUrl, LOCAL_EMBEDDER_KEY: apiKey } = env;
  return baseUrl === undefined || model === undefined ? undefined : { baseUrl, apiKey, model };
}

/** The letters that stand for providers in requests, records, and variables, with the providers' names. */
export const PROVIDERS = { a: 'openai', b: 'anthropic', c: 'gemini' } as const;
type ProviderLetter = keyof typeof PROVIDERS;

/** Returns the provider for calls that name none: LLM_PROVIDER, otherwise the first that is configured. */
export function defaultProvider(
  config: Pick<ModelSettings, 'provider' | 'providers'>,
): keyof typeof PROVIDERS | undefined {
  const { provider, providers } = config;
  const isReady = (id: keyof typeof PROVIDERS) => isConfigured(providers[PROVIDERS[id]]);
  if (provider.id !== undefined) return isReady(provider.id) ? provider.id : undefined;
  return (['a', 'b', 'c'] as const).find(isReady);
}

/** Returns why there is no default provider, and which variable to set. */
export function whyNoProvider({ provider: { id } }: Pick<ModelSettings, 'provider'>): string {
  if (id === undefined)
    return 'Connect a model in the settings of the console, or set PROVIDER_A_API_KEY (or B, C) or PROVIDER_A_BASE_URL.';
  return `LLM_PROVIDER is ${id}, but ${operatorKeyName(id)} is not set. Set it, or change LLM_PROVIDER.`;
}

/**
 * Returns the name of the variable, which is also that of the secret, for the operator's key of a provider.
 */
export function operatorKeyName(provider: ProviderLetter): string {
  return `PROVIDER_${provider.toUpperCase()}_API_KEY`;
}

/**
 * Returns the embedding services in order of preference, ending with this host's own. Most servers with
 * OpenAI's API don't have its embedding models. So they embed only if the settings name a model, or if
 * EMBEDDING_MODEL, which belongs to the first service, does.
 */
export function findEmbeddings({
  embedding,
  providers: { openai, gemini },
}: Pick<ModelSettings, 'embedding' | 'providers'>) {
  const isNamed = embedding.model !== undefined && !isConfigured(embedding);
  const embedsUnnamed = isOpenai(openai) || isNamed;
  const services: { of: 'embedding' | 'openai' | 'gemini'; settings: ProviderSettings }[] = [
    { of: 'embedding', settings: embedding },
    { of: 'openai', settings: { embeddingModel: embedsUnnamed ? undefined : null, ...openai } },
    { of: 'gemini', settings: gemini },
  ];
  if (embedding.isOff) return [];
  return services.filter(({ settings }) => isConfigured(settings) && settings.embeddingModel !== null);
}

function isOpenai({ baseUrl }: ProviderSettings): boolean {
  return baseUrl === undefined || URL.parse(baseUrl)?.hostname === 'api.openai.com';
}

/** Returns whether a provider is configured. A self-hosted model at a base URL may not need a key. */
export function isConfigured({ apiKey, baseUrl }: Pick<ProviderSettings, 'apiKey' | 'baseUrl'>): boolean {
  return apiKey !== undefined || baseUrl !== undefined;
}
