import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { newId } from '../identifiers.ts';
import type { Clock } from '../ports/clock.ts';
import { timestamp, timestampSchema } from '../ports/clock.ts';
import type { Secrets } from '../ports/secrets.ts';

/** A webhook's secret. After a rotation, the previous value also signs for a while. */
const storedSchema = z.object({
  secretId: z.string(),
  current: z.string(),
  previous: z.object({ secret: z.string(), until: timestampSchema }).nullable(),
});
type StoredSecret = z.infer<typeof storedSchema>;

/** Milliseconds for which events have both signatures after a rotation. */
const OVERLAP_MS = 24 * 60 * 60_000;
const PREFIX = 'whsec_';

/** Returns another secret with the previous one, to be stored with `storeSecret`. */
export async function nextSecret(
  { secrets, clock }: { secrets: Secrets; clock: Clock },
  webhookId: string,
): Promise<StoredSecret> {
  const before = parse(await secrets.get(nameOf(webhookId), { fresh: true }));
  const current = `${PREFIX}${randomBytes(32).toString('base64')}`;
  const previous = before && { secret: before.current, until: timestamp(clock, OVERLAP_MS) };
  return { secretId: newId(), current, previous: previous ?? null };
}

export function storeSecret(secrets: Secrets, webhookId: string, stored: StoredSecret | null): Promise<void> {
  return secrets.set(nameOf(webhookId), stored && JSON.stringify(stored));
}

/** Returns the secrets that sign now, the current one first; empty if the secret is missing. */
export async function readSecrets(
  { secrets, clock }: { secrets: Secrets; clock: Clock },
  { id, secretId }: { id: string; secretId: string },
): Promise<string[]> {
  const cached = parse(await secrets.get(nameOf(id)));
  const stored =
    cached?.secretId === secretId ? cached : parse(await secrets.get(nameOf(id), { fresh: true }));
  if (stored === undefined) return [];
  const { current, previous } = stored;
  return previous !== null && previous.until > timestamp(clock) ? [current, previous.secret] : [current];
}

/**
 * Returns the headers of Standard Webhooks for a message, with one signature per secret.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders(secrets: string[], id: string, seconds: number, body: string) {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}

/** Parses a secret; a damaged one counts as missing, so that it can be rotated. */
function parse(text: string | undefined): StoredSecret | undefined {
  if (text === undefined) return undefined;
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // the parser's message would quote the secret
  }
}

function nameOf(webhookId: string): string {
  return `WEBHOOK_${webhookId}`;
}
