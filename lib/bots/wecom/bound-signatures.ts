import { createHash } from 'node:crypto';
import * as z from 'zod';
import { expiryAfter } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';
import { notVerified } from '../not-verified.ts';

/** A signature, and the only content accepted with it. */
const boundSignatureSchema = z.object({
  signature: z.string(),
  /** SHA-256 in hex. */
  digest: z.string(),
  expiresAt: z.int(),
});

const boundSignatures = collection({
  kind: 'bot-signature',
  schema: boundSignatureSchema,
  key: ({ signature }: { signature: string }) => ({
    partition: `BOT_SIGNATURE#imb#${signature}`,
    sort: 'SIGNATURE',
  }),
  expiresAt: (bound) => bound.expiresAt,
});

/** In seconds: longer than any signature is accepted, which is an hour before its time and an hour after. */
const KEEP_SECONDS = 3 * 60 * 60;

export interface SignedContent {
  signature: string;
  content: string | Uint8Array;
}

/**
 * Binds a signature to the first content that arrives with it, across all instances, because a signature over
 * the query alone doesn't cover the body. The same content again is WeCom's retry, which the message's ID
 * identifies. Throws Unauthorized for any other content.
 */
export async function bindSignature(
  { records, clock }: TimedRecords,
  { signature, content }: SignedContent,
): Promise<void> {
  const digest = createHash('sha256').update(content).digest('hex');
  const expiresAt = expiryAfter(clock, KEEP_SECONDS);
  if (await boundSignatures.create(records, { signature, digest, expiresAt })) return;
  const bound = await boundSignatures.get(records, { signature });
  if (bound?.digest !== digest) throw notVerified('WeCom');
}
