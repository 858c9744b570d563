import { timestamp } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { type ReceivePorts, receiveEvent } from '../inbox/receive.ts';
import { bindSignature } from './bound-signatures.ts';
import type { WecomKeys } from './crypto.ts';
import { readWecomMessage } from './message.ts';
import { openPassiveReply, takePassiveReply } from './passive-reply.ts';
import { replyXml, sealReply } from './reply.ts';
import { openWecomCallback, signatureOf, signsNoContent, verifyUrl, type WecomQuery } from './verify.ts';

/** In milliseconds. WeCom waits 5 s, so this leaves time for a cold start and the response. */
const WAIT_MS = 3800;

/**
 * Queues a message for the worker, and briefly waits for the answer. Returns the reply's XML. Undefined if no
 * reply is ready in time, or if the callback isn't a message. Throws Unauthorized and InvalidInput.
 */
export async function answerCallback(
  ports: ReceivePorts,
  keys: WecomKeys,
  { query, body }: { query: WecomQuery; body: Uint8Array },
  waitMs = WAIT_MS,
): Promise<string | undefined> {
  const { clock } = ports;
  const { fields, encrypted, ...signed } = openWecomCallback(keys, query, body, clock.now());
  await bindSignature(ports, signed);
  const received = readWecomMessage(fields, timestamp(clock));
  if (received === undefined) return undefined;
  const { message, toUserName } = received;
  const { messageId } = message;
  const until = clock.now() + waitMs;
  const opened = await openPassiveReply(ports, messageId, until);
  const isNew = await receiveEvent(ports, { platform: 'imb', ids: [messageId], message });
  // The message is a replay after its answer was forgotten, so no worker will answer it.
  if (opened && !isNew) return undefined;
  const content = await takePassiveReply(ports, messageId, until);
  if (content === undefined) return undefined;
  const createTime = Math.floor(clock.now() / 1000);
  const xml = replyXml({ toUserName: message.senderId, fromUserName: toUserName, createTime, content });
  return encrypted ? sealReply(keys, xml, { timestamp: String(createTime) }) : xml;
}

/**
 * Returns the response to WeCom's check of the URL. If only the query is signed, the signature is bound to
 * its echo, so that it can't authenticate a message later. Throws Unauthorized.
 */
export async function answerUrlCheck(
  ports: TimedRecords,
  keys: WecomKeys,
  query: WecomQuery & { echostr: string },
): Promise<string> {
  const echo = verifyUrl(keys, query);
  const content = query.echostr;
  if (signsNoContent(keys, query)) await bindSignature(ports, { signature: signatureOf(query), content });
  return echo;
}
