/** The vendors behind the API's letters, by their common names. */
export const PROVIDER_NAMES = { a: 'The OpenAI-compatible endpoint', b: 'Anthropic', c: 'Gemini' } as const;
/** The name for `a` if the server isn't a self-hosted one. */
const OPENAI_NAME = 'OpenAI';
export const HUB_NAMES = { a: 'Hugging Face', b: 'ModelScope' } as const;

/** Returns the name of a model provider, for the start of a sentence. */
export function providerName(provider: string): string {
  return PROVIDER_NAMES[provider as keyof typeof PROVIDER_NAMES] ?? 'The model provider';
}

/** Returns whether the operator chose the server that answers. It may lack features of the providers' own. */
export function isOwnServer({
  provider,
  baseUrl,
}: {
  provider: string;
  baseUrl?: string | undefined;
}): boolean {
  return provider === 'a' && baseUrl !== undefined && URL.parse(baseUrl)?.hostname !== 'api.openai.com';
}

/** Returns the provider's name for a known server URL. OpenAI is only one of many with its protocol. */
export function providerNameAt(provider: keyof typeof PROVIDER_NAMES, baseUrl: string | undefined): string {
  const isOpenai = provider === 'a' && !isOwnServer({ provider, baseUrl });
  return isOpenai ? OPENAI_NAME : PROVIDER_NAMES[provider];
}
