import type { Schemas } from '../../lib/api-contract/schema.ts';

type Settings = Schemas['Settings'];
export type Provider = NonNullable<Settings['llmProvider']>;

export const PROVIDERS: Provider[] = ['a', 'b', 'c'];

/** Whether the service would accept the text as a base URL, as far as that can be seen: it has its scheme. */
export function isBaseUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Whether what was typed can't become a base URL any longer. While the scheme is being typed, nothing is wrong yet. */
export function isWrongBaseUrl(text: string): boolean {
  const isBeginning = ['http://', 'https://'].some((scheme) => scheme.startsWith(text.toLowerCase()));
  return !isBeginning && !isBaseUrl(text);
}

/** The host that answers, where it is one of the operator's own: the makers' own addresses need no saying. */
export function hostOf(
  providers: Partial<Record<Provider, { baseUrl: string | null }>>,
  provider: Provider,
): string | undefined {
  const baseUrl = providers[provider]?.baseUrl ?? null;
  return baseUrl === null ? undefined : (URL.parse(baseUrl)?.host ?? baseUrl);
}
