import * as z from 'zod';
import { log } from '../log.ts';
import type { ProviderId } from '../ports/language-model.ts';
import type { Secrets } from '../ports/secrets.ts';

/**
 * An administrator's connection to a provider: one secret, so that a key and its URL are replaced together. Not strict,
 * because a later version may have added a field.
 */
const connectionSchema = z.object({
  apiKey: z.string().optional(),
  baseUrl: z.string().optional(),
  embeddingModel: z.string().nullable().default(null),
});
export type ModelConnection = z.infer<typeof connectionSchema>;

/**
 * Returns the secret's name. It has the prefix of the operators' keys, because AWS permissions select secrets
 * by prefix.
 */
function secretName(provider: ProviderId): string {
  return `PROVIDER_${provider.toUpperCase()}_CONNECTION`;
}

/**
 * Returns a connection. Undefined if it's missing or unreadable, in which case the provider counts as not
 * connected.
 */
export async function readConnection(
  secrets: Secrets,
  provider: ProviderId,
): Promise<ModelConnection | undefined> {
  const text = await secrets.get(secretName(provider));
  if (text === undefined) return undefined;
  try {
    return connectionSchema.parse(JSON.parse(text));
  } catch {
    // The parser's message would quote the secret.
    log.error("a stored model connection can't be read", { provider });
    return undefined;
  }
}

/** Stores a connection; null removes it. */
export async function writeConnection(
  secrets: Secrets,
  provider: ProviderId,
  connection: ModelConnection | null,
): Promise<void> {
  await secrets.set(secretName(provider), connection && JSON.stringify(connection));
}
