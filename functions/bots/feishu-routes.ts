import * as z from 'zod';
import { openFeishuCallback } from '../../lib/bots/feishu/callback.ts';
import { admitPush, push, pushBody, pushedSchema } from '../../lib/bots/feishu/push.ts';
import { takeFeishuEvent } from '../../lib/bots/feishu/take-event.ts';
import type { ReceivePorts } from '../../lib/bots/inbox/receive.ts';
import { requireFeishuSecrets } from '../../lib/bots/settings.ts';
import type { Config } from '../../lib/config.ts';
import { reply } from '../../lib/http/reply.ts';
import { rawBody, routeFor } from '../../lib/http/route.ts';
import type { ChatPlatform } from '../../lib/ports/chat-platform.ts';
import { CHAT_PLATFORM_ERRORS } from '../../lib/ports/chat-platform.ts';

export interface FeishuPorts extends ReceivePorts {
  bots: Config['bots'];
  /** Opened only for a push, because callbacks must be answered fast, even after a cold start. */
  openFeishu(): Promise<ChatPlatform | undefined>;
}

const route = routeFor<FeishuPorts>();
/** Maximum bytes. The longest text has 150 KB, and encryption and JSON make it a few times longer. */
const MAX_CALLBACK_BYTES = 1024 * 1024;

export const feishuRoutes = [
  route({
    method: 'POST',
    path: '/api/bot/ima',
    operationId: 'receiveFeishuEvent',
    summary: 'Receive a Feishu event',
    description:
      'Callback for Feishu: URL verification, messages, and clicks on card buttons. The event is verified, deduplicated, and queued. The reply is sent through Feishu.',
    access: 'public',
    credential: 'the verification token of Feishu, and its signature if an encrypt key is set',
    admit: (_, { bots }) => void requireFeishuSecrets(bots),
    bodyType: { raw: 'application/json', maxBytes: MAX_CALLBACK_BYTES },
    body: rawBody.meta({ override: { type: 'object', additionalProperties: true } }),
    example: { type: 'url_verification', challenge: 'ajls384kdjx98XX', token: 'the verification token' },
    replies: {
      200: z.union([
        z.strictObject({ challenge: z.string() }).meta({ title: 'FeishuChallenge' }),
        z
          .strictObject({
            toast: z
              .strictObject({
                type: z.literal('info').meta({ title: 'FeishuToastType' }),
                content: z.string(),
              })
              .meta({ title: 'FeishuToastText' }),
          })
          .meta({ title: 'FeishuToast' }),
        z.strictObject({ ok: z.literal(true).describe('Always true.') }).meta({ title: 'FeishuTaken' }),
      ]),
    },
    errors: ['bot_not_configured', 'callback_not_verified'],
    async handle({ body, headers }, ports) {
      const secrets = requireFeishuSecrets(ports.bots);
      return reply(
        200,
        await takeFeishuEvent(ports, openFeishuCallback({ body, headers }, secrets, ports.clock.now())),
      );
    },
  }),
  route({
    method: 'POST',
    path: '/api/bot/ima/push',
    operationId: 'sendFeishuMessage',
    summary: 'Send a message to a Feishu chat',
    access: 'public',
    credential: 'IMA_PUSH_SECRET, as `Authorization: Bearer`',
    admit: ({ authorization }, { bots }) => admitPush(authorization, bots),
    body: pushBody,
    example: { chatId: 'oc_1', title: 'Report', content: 'It is **ready**.' },
    replies: { 200: pushedSchema },
    errors: [...CHAT_PLATFORM_ERRORS, 'bot_not_configured', 'invalid_credential'],
    idempotent: true,
    handle: async ({ body, headers }, { openFeishu }) =>
      reply(200, await push(await openFeishu(), body, headers['idempotency-key'])),
  }),
];
