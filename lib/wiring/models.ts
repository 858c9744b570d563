import { listAnthropicModels } from '../adapters/anthropic/client.ts';
import { listOpenaiModels } from '../adapters/openai/client.ts';
import { GEMINI_BASE_URL } from '../adapters/openai/gemini.ts';
import { providerFailure } from '../adapters/outbound/provider-failure.ts';
import type { Config } from '../config.ts';
import { UpstreamFailed } from '../errors.ts';
import type { ProviderId } from '../ports/language-model.ts';
import type { ModelEntry } from '../ports/models.ts';
import { toPlainModel } from '../text/model-kind.ts';
import { providerNameAt } from '../text/vendor-names.ts';
import { configuredProvider } from './language-model.ts';

const TIMEOUT_MS = 15_000;

/** Lists what a provider (default: the configured one) offers now. Throws NotConfigured, UpstreamFailed. */
export async function listModels(
  config: Config,
  choice: ProviderId | undefined,
): Promise<{ provider: ProviderId; models: ModelEntry[] }> {
  const { provider, vendor, settings } = configuredProvider(config, choice);
  const models = await listOf({ provider, vendor, settings });
  return { provider, models: models.map(toPlainModel) };
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
    const baseUrl = settings.baseUrl ?? (vendor === 'gemini' ? GEMINI_BASE_URL : undefined);
    return await listOpenaiModels(who, { ...settings, baseUrl }, signal);
  } catch (error) {
    if (signal.aborted)
      throw new UpstreamFailed('model_timeout', `${who} did not answer within 15 s. Try again later.`);
    throw providerFailure(who, error);
  }
}
