import * as z from 'zod';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';

const sendingSchema = z.object({
  key: z.string(),
  /** Number of pieces that were sent. The next one was attempted at `triedAt`. */
  sent: z.int(),
  /** Milliseconds since the epoch. */
  triedAt: z.int(),
  expiresAt: z.int(),
});

/** How much of a text was sent. The service must remember it, because WeCom has no idempotency keys. */
const sendings = collection({
  kind: 'bot-sending',
  schema: sendingSchema,
  key: ({ key }: { key: string }) => ({ partition: `BOT_SENDING#imb#${key}`, sort: 'SENDING' }),
  expiresAt: (sending) => sending.expiresAt,
});

const KEEP_SECONDS = 24 * 60 * 60;

/**
 * Sends pieces in order, each once. After a crash, another sender continues where the last one stopped. One
 * piece may have been sent without a record, so `send` gets how many seconds ago, and WeCom drops the
 * duplicate.
 */
export async function sendPieces<Piece>(
  { records, clock }: TimedRecords,
  key: string,
  pieces: Piece[],
  send: (piece: Piece, triedSecondsAgo?: number) => Promise<void>,
): Promise<void> {
  const earlier = await sendings.get(records, { key });
  const from = earlier?.sent ?? 0;
  for (const [index, piece] of pieces.entries()) {
    if (index < from) continue;
    const now = clock.now();
    const again = earlier !== undefined && index === from;
    // The first time stays, because WeCom must compare with messages since then.
    const triedAt = again ? earlier.triedAt : now;
    await note(records, { key, sent: index, triedAt, now });
    await send(piece, again ? Math.ceil((now - triedAt) / 1000) : undefined);
  }
  const now = clock.now();
  if (from < pieces.length) await note(records, { key, sent: pieces.length, triedAt: now, now });
}

async function note(
  records: Records,
  { key, sent, triedAt, now }: { key: string; sent: number; triedAt: number; now: number },
): Promise<void> {
  const expiresAt = Math.floor(now / 1000) + KEEP_SECONDS;
  await sendings.put(records, { key, sent, triedAt, expiresAt });
}
