import type { ModelEntry } from '../../ports/models.ts';
import { type AnthropicSettings, anthropicClient } from './client.ts';

/** All pages of what Anthropic offers. */
export async function listAnthropicModels(
  settings: AnthropicSettings,
  signal: AbortSignal,
): Promise<ModelEntry[]> {
  const client = await anthropicClient(settings);
  const models: ModelEntry[] = [];
  for await (const { id, display_name: name } of client.models.list(
    { limit: 1000 },
    { signal, maxRetries: 1 },
  )) {
    models.push({ id, name: name ?? id });
  }
  return models;
}
