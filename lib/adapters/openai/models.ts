import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { ModelEntry } from '../../ports/models.ts';
import { type OpenaiSettings, openaiClient } from './client.ts';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * Lists the models of an OpenAI-compatible server; Gemini puts `models/` before its IDs, and accepts them without. Parsed here,
 * because the SDK takes anything that isn't a list for an empty one.
 */
export async function listOpenaiModels(
  who: string,
  settings: OpenaiSettings,
  signal: AbortSignal,
): Promise<ModelEntry[]> {
  const client = await openaiClient(settings);
  const list = listSchema.safeParse(await client.get<unknown>('/models', { signal, maxRetries: 1 }));
  if (!list.success)
    throw new UpstreamFailed(
      'model_answer_unusable',
      `${who} did not return a list of models. Check its base URL.`,
    );
  return list.data.data.map(({ id }) => {
    const plain = id.replace(/^models\//, '');
    return { id: plain, name: plain };
  });
}
