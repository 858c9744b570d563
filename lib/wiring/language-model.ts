import { anthropicLanguageModel } from '../adapters/anthropic/language-model.ts';
import { GEMINI_BASE_URL } from '../adapters/openai/gemini.ts';
import { openaiLanguageModel } from '../adapters/openai/language-model.ts';
import { type Config, defaultProvider, isConfigured, PROVIDERS } from '../config.ts';
import { NotConfigured } from '../errors.ts';
import { seesPictures } from '../models/sees-pictures.ts';
import type { LanguageModel, ProviderId } from '../ports/language-model.ts';
import { PROVIDER_NAMES } from '../text/vendor-names.ts';
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
 * Opens the model of a call: the caller's choice, otherwise the configured one. Throws NotConfigured, naming what isn't connected.
 */
export function openLanguageModel(config: Config, choice?: ModelChoice): LanguageModel {
  const { provider, vendor, settings } = configuredProvider(config, choice?.provider);
  const model = choice?.model ?? config.provider.model ?? DEFAULT_MODELS[vendor];
  const { sighted, maxOutputTokens } = config.provider;
  const own = { ...settings, model, sees: seesPictures(model, sighted), maxOutputTokens };
  if (vendor === 'anthropic') return tracedModel(anthropicLanguageModel(own));
  const baseUrl = settings.baseUrl ?? (vendor === 'gemini' ? GEMINI_BASE_URL : undefined);
  return tracedModel(openaiLanguageModel({ ...own, provider, baseUrl }));
}

/** Returns the provider of a call with its configuration. Throws NotConfigured. */
export function configuredProvider(config: Config, choice: ProviderId | undefined) {
  const provider = choice ?? defaultProvider(config) ?? missing(config);
  const vendor = PROVIDERS[provider];
  const settings = config.providers[vendor];
  if (!isConfigured(settings)) throw notConnected(`${PROVIDER_NAMES[provider]} isn't connected.`);
  return { provider, vendor, settings };
}

function missing(config: Config): never {
  const { id } = config.provider;
  if (id === undefined) throw notConnected('No model is connected.');
  throw notConnected(`${PROVIDER_NAMES[id]} is the default provider, but isn't connected.`);
}

function notConnected(what: string): NotConfigured {
  return new NotConfigured(
    'model_not_configured',
    `${what} An administrator can connect it in the settings.`,
  );
}
