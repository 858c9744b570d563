/** The vendors behind the letters of the API, as people know them. */
export const PROVIDER_NAMES = { a: 'The OpenAI-compatible endpoint', b: 'Anthropic', c: 'Gemini' } as const;
/** The name behind `a` where no other server answers. */
export const OPENAI_NAME = 'OpenAI';
export const HUB_NAMES = { a: 'Hugging Face', b: 'ModelScope' } as const;

/** The name of a model provider, for the start of a sentence. */
export function providerName(provider: string): string {
  return PROVIDER_NAMES[provider as keyof typeof PROVIDER_NAMES] ?? 'The model provider';
}

/** Whether a server of the operator's own choice answers, which may lack what the providers' own have. */
export function isOwnServer({
  provider,
  baseUrl,
}: {
  provider: string;
  baseUrl?: string | undefined;
}): boolean {
  return provider === 'a' && providerNameAt('a', baseUrl) !== OPENAI_NAME;
}

/** The same where it's known which server answers: OpenAI is one of many that speak its protocol. */
export function providerNameAt(provider: keyof typeof PROVIDER_NAMES, baseUrl: string | undefined): string {
  const isOpenai = baseUrl === undefined || URL.parse(baseUrl)?.hostname === 'api.openai.com';
  return provider === 'a' && isOpenai ? OPENAI_NAME : PROVIDER_NAMES[provider];
}
