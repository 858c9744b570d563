import * as z from 'zod';
import { openCallback } from '../../lib/bots/ima/callback.ts';
import { admitPush, push, pushBody, pushedSchema } from '../../lib/bots/ima/push.ts';
import { takeImaEvent } from '../../lib/bots/ima/take-event.ts';
import type { ReceivePorts } from '../../lib/bots/receive.ts';
import { requireImaSecrets } from '../../lib/bots/settings.ts';
import type { Config } from '../../lib/config.ts';
import { reply } from '../../lib/http/reply.ts';
import { rawBody, routeFor } from '../../lib/http/route.ts';
import type { ChatPlatform } from '../../lib/ports/chat-platform.ts';

export interface ImaPorts extends ReceivePorts {
  bots: Config['bots'];
  /** Opened when something is pushed: callbacks must be answered fast, from a cold start too. */
  openIma(): Promise<ChatPlatform | undefined>;
}

const route = routeFor<ImaPorts>();
/** The longest text is 150 KB, which encryption and JSON make a few times longer. */
const MAX_CALLBACK_BYTES = 1024 * 1024;

export const imaRoutes = [
  route({
    method: 'POST',
    path: '/api/bot/ima',
    summary: 'Take an event of platform A',
    description:
      "The platform's callback: the check of the address, messages, and presses of a card's buttons. It is checked, kept against repetition and put into a queue; the reply comes through the platform.",
    access: 'public',
    credential: "the platform's verification token, and its signature where an encrypt key is set",
    admit: (_, { bots }) => void requireImaSecrets(bots),
    bodyType: { raw: 'application/json', maxBytes: MAX_CALLBACK_BYTES },
    body: rawBody,
    replies: {
      200: z.union([
        z.strictObject({ challenge: z.string() }),
        z.strictObject({ toast: z.strictObject({ type: z.literal('info'), content: z.string() }) }),
        z.strictObject({ ok: z.literal(true) }),
      ]),
    },
    refusals: [401, 413, 503],
    async handle({ body, headers }, ports) {
      const secrets = requireImaSecrets(ports.bots);
      return reply(
        200,
        await takeImaEvent(ports, openCallback({ body, headers }, secrets, ports.clock.now())),
      );
    },
  }),
  route({
    method: 'POST',
    path: '/api/bot/ima/push',
    summary: 'Show a message in a chat of platform A',
    access: 'public',
    credential: 'IMA_PUSH_SECRET, as `Authorization: Bearer`',
    admit: ({ authorization }, { bots }) => admitPush(authorization, bots),
    body: pushBody,
    replies: { 200: pushedSchema },
    refusals: [401, 502, 503],
    idempotent: true,
    handle: async ({ body, headers }, { openIma }) =>
      reply(200, await push(await openIma(), body, headers['idempotency-key'])),
  }),
];
