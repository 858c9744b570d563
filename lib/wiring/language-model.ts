import { anthropicLanguageModel } from '../adapters/anthropic/language-model.ts';
import { GEMINI_BASE_URL } from '../adapters/openai/gemini.ts';
import { openaiLanguageModel } from '../adapters/openai/language-model.ts';
import { type Config, defaultProvider, isConfigured, PROVIDERS, whyNoProvider } from '../config.ts';
import { NotConfigured } from '../errors.ts';
import { seesPictures } from '../models/sees-pictures.ts';
import type { LanguageModel, ProviderId } from '../ports/language-model.ts';
import { meteredModel } from '../usage/metered-ports.ts';
import type { UsePorts } from '../usage/ports.ts';
import type { Use } from '../usage/schema.ts';
import { tracedModel } from './traced.ts';

/** Used if LLM_MODEL isn't set. */
const DEFAULT_MODELS = {
  openai: 'gpt-4.1-mini',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
};

/** The model that a caller chose. */
interface ModelChoice {
  provider: ProviderId;
  model: string;
}

/** Returns how to open the model of a call, whose usage is recorded. */
export function modelOpener(config: Config, ports: UsePorts) {
  return (use: Use, choice?: ModelChoice) => meteredModel(openLanguageModel(config, choice), use, ports);
}

/**
 * Opens the model of a call: the caller's choice, otherwise the configured one. Throws NotConfigured, naming the variable to
 * set.
 */
export function openLanguageModel(config: Config, choice?: ModelChoice): LanguageModel {
  const { provider, vendor, settings } = configuredProvider(config, choice?.provider);
  const model = choice?.model ?? config.provider.model ?? DEFAULT_MODELS[vendor];
  const sees = seesPictures(model, config.provider.sighted);
  if (vendor === 'anthropic') return tracedModel(anthropicLanguageModel({ ...settings, model, sees }));
  const baseUrl = settings.baseUrl ?? (vendor === 'gemini' ? GEMINI_BASE_URL : undefined);
  return tracedModel(openaiLanguageModel({ provider, model, sees, apiKey: settings.apiKey, baseUrl }));
}

/** Returns the provider of a call with its configuration. Throws NotConfigured, naming the variable to set. */
export function configuredProvider(config: Config, choice: ProviderId | undefined) {
  const provider = choice ?? defaultProvider(config) ?? missing(config);
  const vendor = PROVIDERS[provider];
  const settings = config.providers[vendor];
  if (!isConfigured(settings))
    throw new NotConfigured('model_not_configured', `AI isn't available. Set ${keyName(provider)}.`);
  return { provider, vendor, settings };
}

function missing(config: Config): never {
  throw new NotConfigured('model_not_configured', `AI isn't available. ${whyNoProvider(config)}`);
}

function keyName(provider: ProviderId): string {
  return `PROVIDER_${provider.toUpperCase()}_API_KEY`;
}
