import { openaiEmbedder } from '../adapters/openai/embedder.ts';
import { GEMINI_BASE_URL } from '../adapters/openai/gemini.ts';
import { findEmbeddings, type ProviderSettings } from '../config/models.ts';
import type { Config } from '../config.ts';
import type { Embedder } from '../ports/embedder.ts';
import { PROVIDER_NAMES, providerNameAt } from '../text/vendor-names.ts';
import { tracedEmbedder } from './traced.ts';

type Service = Parameters<typeof openaiEmbedder>[0];

const OPENAI_MODEL = 'text-embedding-3-small';
const GEMINI_MODEL = 'gemini-embedding-001';

/**
 * Opens the embedding service: EMBEDDING_* if set, otherwise OpenAI, otherwise Gemini (Anthropic has none),
 * otherwise the one on this host. Undefined if there is no service, or it's disabled; search then uses
 * keywords only.
 */
export function openEmbedder(config: Config): Embedder | undefined {
  const services = configuredServices(config);
  const [first] = services;
  return (
    first && tracedEmbedder({ ...openaiEmbedder(first), ofModel: (model) => askForModel(services, model) })
  );
}

/**
 * Returns the model of an index that was built with other settings, from the service that has that model,
 * otherwise from the current one.
 */
function askForModel(services: Service[], model: string): Embedder | undefined {
  const own = services.find((service) => service.model === model);
  const [first] = services;
  return own === undefined ? first && openaiEmbedder({ ...first, model }) : openaiEmbedder(own);
}

/** Returns the services in order of preference. EMBEDDING_MODEL is a model of the first. */
function configuredServices(config: Config): Service[] {
  const { embedding } = config;
  const services = findEmbeddings(config).map(({ of, settings }) => SERVICES[of](settings));
  const [first, ...others] = [...services, ...localService(config)];
  return first === undefined ? [] : [{ ...first, model: embedding.model ?? first.model }, ...others];
}

const SERVICES: Record<ReturnType<typeof findEmbeddings>[number]['of'], (of: ProviderSettings) => Service> = {
  embedding: (settings) => ({ who: 'The embedding service', settings, model: OPENAI_MODEL }),
  openai: (settings) => ({
    who: providerNameAt('a', settings.baseUrl),
    settings,
    model: settings.embeddingModel ?? OPENAI_MODEL,
  }),
  gemini: ({ baseUrl = GEMINI_BASE_URL, ...settings }) => ({
    who: PROVIDER_NAMES.c,
    settings: { ...settings, baseUrl },
    model: settings.embeddingModel ?? GEMINI_MODEL,
  }),
};

function localService({ localEmbedder, embedding }: Config): Service[] {
  if (localEmbedder === undefined || embedding.isOff) return [];
  const { model, ...settings } = localEmbedder;
  return [{ who: 'The local embedder', settings, model, tellsQuestions: true }];
}
