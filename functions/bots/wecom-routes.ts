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
const credential = 'the signature of platform B in the query';
/** A missing parameter counts as a wrong signature: strangers learn nothing more. */
const signedQuery = z.object({
  msg_signature: z.string().optional(),
  signature: z.string().optional().describe('in plaintext mode'),
  timestamp: z.string().default('').describe('in seconds'),
  nonce: z.string().default(''),
});

export const wecomRoutes = [
  route({
    method: 'GET',
    path,
    summary: 'Platform B checks the address',
    access: 'public',
    credential,
    admit: (_headers, { bots }) => void requireWecomKeys(bots),
    query: signedQuery.extend({ echostr: z.string().default('') }),
    replies: { 200: { mediaType: 'text/plain', description: 'what the platform encrypted' } },
    refusals: [401, 503],
    async handle({ query }, ports) {
      return reply(200, await answerUrlCheck(ports, requireWecomKeys(ports.bots), query), {
        'content-type': 'text/plain; charset=utf-8',
      });
    },
  }),
  route({
    method: 'POST',
    path,
    summary: 'A message from platform B',
    description:
      'Encrypted, or in plaintext. The answer comes in the body as XML when it is ready within about 4 seconds; else the body is empty, and the answer goes out through the API of the platform.',
    access: 'public',
    credential,
    admit: (_headers, { bots }) => void requireWecomKeys(bots),
    query: signedQuery,
    body: rawBody,
    bodyType: { raw: 'text/xml', maxBytes: MAX_CALLBACK_BYTES },
    replies: { 200: { mediaType: 'text/xml', description: 'the answer, or nothing' } },
    refusals: [401, 413, 503],
    async handle({ query, body }, ports) {
      const xml = await answerCallback(ports, requireWecomKeys(ports.bots), { query, body });
      if (xml === undefined) return reply(200, '', { 'content-type': 'text/plain; charset=utf-8' });
      return reply(200, xml, { 'content-type': 'text/xml; charset=utf-8' });
    },
  }),
];
