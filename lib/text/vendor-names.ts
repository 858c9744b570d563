/** The vendors behind the letters of the API, as people know them. */
export const PROVIDER_NAMES = { a: 'The OpenAI-compatible endpoint', b: 'Anthropic', c: 'Gemini' } as const;
export const HUB_NAMES = { a: 'Hugging Face', b: 'ModelScope' } as const;

/** The name of a model provider, for the start of a sentence. */
export function providerName(provider: string): string {
  return PROVIDER_NAMES[provider as keyof typeof PROVIDER_NAMES] ?? 'The model provider';
}
