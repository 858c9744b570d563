import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { expiryAfter } from '../../ports/clock.ts';
import { ifExpected, type Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';

/**
 * A reply that is sent in the response to the platform's own request, if it's ready in time. The request waits, the
 * worker offers; each step is one conditional write, so that either the request takes the text or the worker sends it,
 * never both and never neither, even if one of them dies. A repeated request takes again what was taken: the platform
 * repeats it only if it saw no answer.
 */
const passiveReplySchema = z.object({
  messageId: z.string(),
  status: z.enum(['open', 'offered', 'taken', 'closed']),
  /** How long the request waits, in milliseconds since the epoch. */
  until: z.int(),
  /** The key of what was offered. */
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
 * A request that has neither taken nor closed by then has died; the time covers the clocks of two machines, and a slow
 * write.
 */
const GRACE_MS = 1500;

/** From now on the worker may hand the answer over; false when an earlier request of the same message opened it. */
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

/** For the request: the answer if there is one in time; undefined closes it, and the worker sends the text itself. */
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
 * For the worker: whether the request has taken the text. If not, it is not going to, and the text has to be sent. Called
 * again with the same key after a crash it answers for what was offered before.
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

/** Nothing, when another has moved it meanwhile: the caller looks again. */
async function move(records: Records, reply: PassiveReply, to: Partial<PassiveReply>): Promise<void> {
  const { status, until } = reply;
  await ifExpected(passiveReplies.update(records, reply, { set: to }, { status, until }));
}
