import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { ModelEntry } from '../../ports/models.ts';
import { type OpenaiSettings, openaiClient } from './client.ts';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * What a server of OpenAI's protocol offers; Gemini writes `models/` before its ids, and takes them without. Read as
 * it comes: the SDK takes whatever is no list for an empty one.
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
