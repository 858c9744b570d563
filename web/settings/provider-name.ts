import type { Schemas } from '../../lib/api-contract/schema.ts';

type Settings = Schemas['Settings'];
export type Provider = NonNullable<Settings['llmProvider']>;

export const PROVIDERS: Provider[] = ['a', 'b', 'c'];

/** Returns whether the service would probably accept the text as a base URL, because it has a scheme. */
export function isBaseUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Returns whether the typed text can no longer become a base URL. A partial scheme isn't wrong yet. */
export function isWrongBaseUrl(text: string): boolean {
  const isBeginning = ['http://', 'https://'].some((scheme) => scheme.startsWith(text.toLowerCase()));
  return !isBeginning && !isBaseUrl(text);
}

/** Returns the host of a server that the operator chose; undefined for the vendors' own. */
export function hostOf(
  providers: Partial<Record<Provider, { baseUrl: string | null }>>,
  provider: Provider,
): string | undefined {
  const baseUrl = providers[provider]?.baseUrl ?? null;
  return baseUrl === null ? undefined : (URL.parse(baseUrl)?.host ?? baseUrl);
}
