import * as z from 'zod';
import type { ReceivePorts } from '../../lib/bots/inbox/receive.ts';
import { requireWecomKeys } from '../../lib/bots/settings.ts';
import { answerCallback, answerUrlCheck } from '../../lib/bots/wecom/answer-callback.ts';
import { MAX_CALLBACK_BYTES } from '../../lib/bots/wecom/verify.ts';
import type { Config } from '../../lib/config.ts';
import { reply } from '../../lib/http/reply.ts';
import { rawBody, routeFor } from '../../lib/http/route.ts';

export interface WecomPorts extends ReceivePorts {
  bots: Config['bots'];
}

const route = routeFor<WecomPorts>();
const path = '/api/bot/imb';
const credential = 'the signature of WeCom in the query';
/** A missing parameter counts as a wrong signature, so that unknown callers learn nothing. */
const signedQuery = z.object({
  msg_signature: z.string().optional().describe('Signature in encrypted mode.'),
  signature: z.string().optional().describe('Signature in plaintext mode.'),
  timestamp: z.string().default('').describe('Time of the callback, in seconds since the epoch.'),
  nonce: z.string().default('').describe('Random value that is part of the signature.'),
});

export const wecomRoutes = [
  route({
    method: 'GET',
    path,
    operationId: 'verifyWecomUrl',
    summary: 'Verify the WeCom callback URL',
    description: 'Callback for WeCom, which checks that the URL belongs to the service.',
    access: 'public',
    credential,
    admit: (_headers, { bots }) => void requireWecomKeys(bots),
    query: signedQuery.extend({
      echostr: z.string().default('').describe('Text that proves the ownership of the URL.'),
    }),
    replies: { 200: { mediaType: 'text/plain', description: 'Decrypted `echostr` of WeCom.' } },
    errors: ['bot_not_configured', 'callback_not_verified'],
    async handle({ query }, ports) {
      return reply(200, await answerUrlCheck(ports, requireWecomKeys(ports.bots), query), {
        'content-type': 'text/plain; charset=utf-8',
      });
    },
  }),
  route({
    method: 'POST',
    path,
    operationId: 'receiveWecomMessage',
    summary: 'Receive a WeCom message',
    description:
      'The message is encrypted or plaintext. If the answer is ready within about 4 seconds, it is returned in the body as XML. Otherwise the body is empty, and the answer is sent through the WeCom API.',
    access: 'public',
    credential,
    admit: (_headers, { bots }) => void requireWecomKeys(bots),
    query: signedQuery,
    body: rawBody,
    bodyType: { raw: 'text/xml', maxBytes: MAX_CALLBACK_BYTES },
    replies: { 200: { mediaType: 'text/xml', description: 'Encrypted reply, or an empty body.' } },
    errors: ['bot_not_configured', 'callback_not_verified'],
    async handle({ query, body }, ports) {
      const xml = await answerCallback(ports, requireWecomKeys(ports.bots), { query, body });
      if (xml === undefined) return reply(200, '', { 'content-type': 'text/plain; charset=utf-8' });
      return reply(200, xml, { 'content-type': 'text/xml; charset=utf-8' });
    },
  }),
];
