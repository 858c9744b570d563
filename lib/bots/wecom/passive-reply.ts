import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { expiryAfter } from '../../ports/clock.ts';
import { ifExpected, type Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';

/**
 * A reply in the response to WeCom's own request, if it's ready in time. The request waits for the text, and
 * the worker offers it. Each step is one conditional write, so exactly one of the two sends the text, even if
 * the other dies. A repeated request takes the same text again: WeCom repeats a request only if it got no
 * response.
 */
const passiveReplySchema = z.object({
  messageId: z.string(),
  status: z.enum(['open', 'offered', 'taken', 'closed']),
  /** The time until which the request waits, in milliseconds since the epoch. */
  until: z.int(),
  /** The key of the offered text. */
  key: z.string().nullable(),
  text: z.string().nullable(),
  expiresAt: z.int(),
});
type PassiveReply = z.infer<typeof passiveReplySchema>;

const passiveReplies = collection({
  kind: 'bot-passive-reply',
  schema: passiveReplySchema,
  key: ({ messageId }: { messageId: string }) => ({
    partition: `BOT_PASSIVE_REPLY#imb#${messageId}`,
    sort: 'REPLY',
  }),
  expiresAt: (reply) => reply.expiresAt,
});

const KEEP_SECONDS = 24 * 60 * 60;
const LOOK_EVERY_MS = 100;
/**
 * Milliseconds after which a request that has neither taken nor closed the reply counts as dead. Includes the
 * clock skew between two hosts, and a slow write.
 */
const GRACE_MS = 1500;

/**
 * Opens the reply, so that the worker may offer its answer. Returns false if an earlier request for the same
 * message has opened it.
 */
export async function openPassiveReply(
  { records, clock }: TimedRecords,
  messageId: string,
  until: number,
): Promise<boolean> {
  const expiresAt = expiryAfter(clock, KEEP_SECONDS);
  const reply: PassiveReply = { messageId, status: 'open', until, key: null, text: null, expiresAt };
  if (await passiveReplies.create(records, reply)) return true;
  await passiveReplies.update(records, { messageId }, { set: { until } });
  return false;
}

/**
 * For the request: returns the answer if it arrives in time. Otherwise, closes the reply and returns
 * undefined; the worker then sends the text itself.
 */
export async function takePassiveReply(
  { records, clock }: TimedRecords,
  messageId: string,
  until: number,
): Promise<string | undefined> {
  for (;;) {
    const reply = await passiveReplies.get(records, { messageId });
    if (reply?.status === 'taken') return reply.text ?? undefined;
    if (reply === undefined || reply.status === 'closed') return undefined;
    if (reply.status === 'offered') await move(records, reply, { status: 'taken' });
    else if (clock.now() >= until) await move(records, reply, { status: 'closed' });
    else await sleep(LOOK_EVERY_MS);
  }
}

/**
 * For the worker: returns whether the request took the text. If it didn't, it never will, and the worker must
 * send the text. Repeated with the same key after a crash, this returns the earlier result.
 */
export async function handOver(
  { records, clock }: TimedRecords,
  messageId: string,
  { key, text }: { key: string; text: string },
): Promise<boolean> {
  for (;;) {
    const reply = await passiveReplies.get(records, { messageId });
    if (reply?.status === 'taken') return reply.key === key;
    if (reply === undefined || reply.status === 'closed' || isOfAnother(reply, key)) return false;
    if (clock.now() > reply.until + GRACE_MS) await move(records, reply, { status: 'closed' });
    else if (reply.status === 'open') await move(records, reply, { status: 'offered', key, text });
    else await sleep(LOOK_EVERY_MS);
  }
}

function isOfAnother({ status, key }: PassiveReply, wanted: string): boolean {
  return status === 'offered' && key !== wanted;
}

/** Does nothing if the other side has changed the reply in the meantime. The caller then reads it again. */
async function move(records: Records, reply: PassiveReply, to: Partial<PassiveReply>): Promise<void> {
  const { status, until } = reply;
  await ifExpected(passiveReplies.update(records, reply, { set: to }, { status, until }));
}
