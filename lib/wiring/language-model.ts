import { anthropicLanguageModel } from '../adapters/anthropic/language-model.ts';
import { askWindow } from '../adapters/openai/ask-window.ts';
import { GEMINI_BASE_URL } from '../adapters/openai/gemini.ts';
import { openaiLanguageModel, serverKey } from '../adapters/openai/language-model.ts';
import { refusedOptions, rememberRefused } from '../adapters/openai/refused-options.ts';
import { forgetWindow, type WindowOptions, withKnownWindow } from '../adapters/outbound/known-window.ts';
import { defaultProvider, isConfigured, PROVIDERS } from '../config/models.ts';
import type { Config } from '../config.ts';
import { NotConfigured } from '../errors.ts';
import type { CheckedModel } from '../models/check-model.ts';
import { hostedWindow } from '../models/hosted-windows.ts';
import { seesPictures } from '../models/sees-pictures.ts';
import type { LanguageModel, ProviderId } from '../ports/language-model.ts';
import { capabilitiesOf } from '../settings/model-checks.ts';
import type { CurrentConfig } from '../settings/with-settings.ts';
import { isOwnServer, PROVIDER_NAMES } from '../text/vendor-names.ts';
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

/** Returns a function that opens the model of a call and records its usage. */
export function modelOpener(config: Config, ports: UsePorts) {
  return (use: Use, choice?: ModelChoice) => meteredModel(openLanguageModel(config, choice), use, ports);
}

/**
 * Opens the model for a call: the caller's choice, otherwise the configured model. Throws NotConfigured,
 * which names the missing connection.
 */
export function openLanguageModel(config: KnowingConfig, choice?: ModelChoice): LanguageModel {
  const { provider, vendor, settings } = configuredProvider(config, choice?.provider);
  const model = choice?.model ?? defaultModelOf(config, vendor);
  const { sighted, maxOutputTokens } = config.provider;
  const ownPatienceMs = config.ownModelPatienceMs;
  const own = { ...settings, model, sees: seesPictures(model, sighted), maxOutputTokens, ownPatienceMs };
  const callsTools = capabilitiesOf(config, provider, model)?.tools ?? undefined;
  const opened =
    vendor === 'anthropic'
      ? anthropicLanguageModel(own)
      : openaiLanguageModel({ ...own, provider, callsTools });
  return tracedModel(withKnownWindow(opened, windowOptions(config, { provider, model })));
}

/**
 * Returns the options for the window. The configured window belongs to the default model. Only self-hosted
 * servers are asked for their window.
 */
function windowOptions(config: Config, { provider, model }: ModelChoice): WindowOptions {
  const vendor = PROVIDERS[provider];
  const settings = config.providers[vendor];
  const isDefault = provider === defaultProvider(config) && model === defaultModelOf(config, vendor);
  return {
    key: JSON.stringify([provider, settings.baseUrl, model]),
    contextTokens: isDefault ? config.provider.contextTokens : undefined,
    listed: hostedWindow(model),
    ask: isOwnServer({ provider, ...settings }) ? () => askWindow(settings, model) : undefined,
  };
}

function defaultModelOf(config: Config, vendor: keyof typeof DEFAULT_MODELS): string {
  return config.provider.model ?? DEFAULT_MODELS[vendor];
}

/**
 * Returns the model for a request that names none; null if the configured model belongs to another provider,
 * or if there is none.
 */
export function defaultModelAt(config: Config, provider: ProviderId): string | null {
  return defaultProvider(config) === provider ? defaultModelOf(config, PROVIDERS[provider]) : null;
}

/** A configuration with the results of model checks. */
type KnowingConfig = Config & { modelChecks?: CurrentConfig['modelChecks'] };

/** Opens a model for a check, ignoring earlier results. Throws NotConfigured. */
export function openCheckedModel(
  config: Config,
  ports: UsePorts,
  use: Use,
  choice: ModelChoice,
): CheckedModel {
  const { baseUrl } = configuredProvider(config, choice.provider).settings;
  const key = serverKey({ baseUrl, model: choice.model });
  rememberRefused(key, new Set());
  forgetWindow(windowOptions(config, choice).key);
  const model = openLanguageModel({ ...config, modelChecks: {} }, choice);
  return { model: meteredModel(model, use, ports), refused: () => refusedOptions(key) };
}

/**
 * Returns the provider of a call with its configuration. Gemini is an OpenAI-compatible server at a URL of its own.
 * Throws NotConfigured.
 */
export function configuredProvider(config: Config, choice: ProviderId | undefined) {
  const provider = choice ?? defaultProvider(config) ?? missing(config);
  const vendor = PROVIDERS[provider];
  const settings = config.providers[vendor];
  if (!isConfigured(settings)) throw notConnected(`${PROVIDER_NAMES[provider]} isn't connected.`);
  const { baseUrl = vendor === 'gemini' ? GEMINI_BASE_URL : undefined } = settings;
  return { provider, vendor, settings: { ...settings, baseUrl } };
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
