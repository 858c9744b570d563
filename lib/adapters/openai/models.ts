import { UpstreamFailed } from '../../errors.ts';
import type { ModelEntry } from '../../ports/models.ts';
import { type OpenaiSettings, openaiClient } from './client.ts';

/** What a server of provider A's protocol offers; provider C writes `models/` before its ids, and takes them without. */
export async function listOpenaiModels(settings: OpenaiSettings, signal: AbortSignal): Promise<ModelEntry[]> {
  const client = await openaiClient(settings);
  const { data } = await client.models.list({ signal, maxRetries: 1 });
  if (!Array.isArray(data)) throw new UpstreamFailed('the list of models is none');
  return data.map(({ id }) => {
    const plain = id.replace(/^models\//, '');
    return { id: plain, name: plain };
  });
}
