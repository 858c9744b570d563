import type { Schemas } from '../../lib/api-contract/schema.ts';

type Settings = Schemas['Settings'];
export type Provider = NonNullable<Settings['llmProvider']>;

export const PROVIDERS: Provider[] = ['a', 'b', 'c'];

/** The host that answers, where it is one of the operator's own: the makers' own addresses need no saying. */
export function hostOf(
  providers: Partial<Record<Provider, { baseUrl: string | null }>>,
  provider: Provider,
): string | undefined {
  const baseUrl = providers[provider]?.baseUrl ?? null;
  return baseUrl === null ? undefined : (URL.parse(baseUrl)?.host ?? baseUrl);
}
