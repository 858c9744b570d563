import { listAnthropicModels } from '../adapters/anthropic/client.ts';
import { listOpenaiModels } from '../adapters/openai/client.ts';
import { providerFailure } from '../adapters/outbound/provider-failure.ts';
import { defaultProvider, isConfigured, PROVIDERS } from '../config/models.ts';
import type { Config } from '../config.ts';
import { UpstreamFailed } from '../errors.ts';
import { hostedWindow } from '../models/hosted-windows.ts';
import type { ContextWindow, ProviderId } from '../ports/language-model.ts';
import type { ModelEntry } from '../ports/models.ts';
import { toPlainModel } from '../text/model-kind.ts';
import { providerNameAt } from '../text/vendor-names.ts';
import { configuredProvider, openLanguageModel } from './language-model.ts';

const TIMEOUT_MS = 15_000;

/** Lists a provider's current models (default: the configured provider). Throws NotConfigured, UpstreamFailed. */
export async function listModels(
  config: Config,
  choice: ProviderId | undefined,
): Promise<{ provider: ProviderId; models: ModelEntry[] }> {
  const { provider, vendor, settings } = configuredProvider(config, choice);
  const models = await listOf({ provider, vendor, settings });
  const sized = models.map((model) => withWindow(config, provider, model));
  return { provider, models: (await Promise.all(sized)).map(toPlainModel) };
}

/**
 * Adds the windows: for the default model, the window of its calls; for other models, the window in the list.
 */
async function withWindow(config: Config, provider: ProviderId, model: ModelEntry): Promise<ModelEntry> {
  const opened = openLanguageModel(config, { provider, model: model.id });
  const isDefault = opened.model === config.provider.model && provider === defaultProvider(config);
  const own = isDefault ? await opened.readWindow?.() : undefined;
  if (own !== undefined) return { ...model, contextTokens: own.contextTokens, contextTokensFrom: own.from };
  const { contextTokens } = model;
  if (contextTokens !== undefined) return { ...model, contextTokensFrom: 'server' };
  const listed = hostedWindow(model.id);
  return listed === undefined ? model : { ...model, contextTokens: listed, contextTokensFrom: 'list' };
}

/** Returns the window of the default model; undefined without one. */
export async function readDefaultWindow(config: Config): Promise<ContextWindow | undefined> {
  const provider = defaultProvider(config);
  if (provider === undefined || !isConfigured(config.providers[PROVIDERS[provider]])) return undefined;
  return openLanguageModel(config).readWindow?.();
}

async function listOf({
  provider,
  vendor,
  settings,
}: ReturnType<typeof configuredProvider>): Promise<ModelEntry[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const who = providerNameAt(provider, settings.baseUrl);
  try {
    if (vendor === 'anthropic') return await listAnthropicModels(settings, signal);
    return await listOpenaiModels(who, settings, signal);
  } catch (error) {
    if (signal.aborted)
      throw new UpstreamFailed('model_timeout', `${who} did not answer within 15 s. Try again later.`);
    throw providerFailure(who, error, settings);
  }
}
