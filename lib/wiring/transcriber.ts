import { openaiTranscriber } from '../adapters/openai/transcriber.ts';
import { isConfigured } from '../config/models.ts';
import type { Config } from '../config.ts';
import type { Transcriber } from '../ports/transcriber.ts';
import { providerNameAt } from '../text/vendor-names.ts';

/** Opens OpenAI's transcription, the only one of the three providers with speech to text; undefined if it isn't configured. */
export function openTranscriber({
  providers: { openai },
}: Pick<Config, 'providers'>): Transcriber | undefined {
  return isConfigured(openai) ? openaiTranscriber(providerNameAt('a', openai.baseUrl), openai) : undefined;
}
