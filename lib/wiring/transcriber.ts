import { openaiTranscriber } from '../adapters/openai/transcriber.ts';
import { type Config, isConfigured } from '../config.ts';
import type { Transcriber } from '../ports/transcriber.ts';
import { PROVIDER_NAMES } from '../text/vendor-names.ts';

/** OpenAI, the only one of the three with speech to text; undefined when it is not configured. */
export function openTranscriber({ providers }: Pick<Config, 'providers'>): Transcriber | undefined {
  return isConfigured(providers.openai) ? openaiTranscriber(PROVIDER_NAMES.a, providers.openai) : undefined;
}
