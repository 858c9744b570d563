import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { ChatFile, ChatPlatform } from '../../ports/chat-platform.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { type WecomClient, type WecomSettings, wecomClient } from './client.ts';
import { limitPieces } from './limit-pieces.ts';
import { sendPieces } from './send-pieces.ts';
import { cutApprovals, showAsText } from './show.ts';

export interface WecomPorts extends TimedRecords {
  /**
   * Offers a text as the response to Feishu's or WeCom's own waiting request. Returns whether the request
   * took it.
   */
  handOver(messageId: string, offer: { key: string; text: string }): Promise<boolean>;
}

/** Maximum seconds for which WeCom can compare a message with earlier ones: four hours. */
const MAX_DUPLICATE_SECONDS = 14_400;

/** In bytes. WeCom accepts 20 MB, including the rest of the request around a file. */
const MAX_FILE_BYTES = 19_000_000;

const uploadedSchema = z.looseObject({ media_id: z.string() });
const sentSchema = z.looseObject({ invaliduser: z.string().nullish() });

/**
 * WeCom's chats: plain texts, which can't be changed once they are sent. A short text that is ready in time
 * is part of the response to WeCom's request; others are sent through its API. WeCom has no speech service.
 */
export function wecomChatPlatform(settings: WecomSettings, ports: WecomPorts): ChatPlatform {
  const client = wecomClient(settings, ports.clock);
  return {
    async send(chatId, content, { key, replyTo }) {
      const text = showAsText(content);
      if (text === undefined) return undefined;
      const pieces = limitPieces(text);
      const fits = pieces.length === 1;
      if (fits && replyTo !== undefined && (await ports.handOver(replyTo, { key, text }))) return undefined;
      await sendPieces(ports, key, pieces, (piece, secondsAgo) =>
        sendMessage(client, settings, {
          to: chatId,
          what: { msgtype: 'text', text: { content: piece } },
          secondsAgo,
        }),
      );
      return undefined;
    },
    cutApprovals,
    maxFileBytes: MAX_FILE_BYTES,
    async sendFile(chatId, file, { key }) {
      await sendPieces(ports, key, [file], async (piece, secondsAgo) => {
        const media_id = await upload(client, piece);
        await sendMessage(client, settings, {
          to: chatId,
          what: { msgtype: 'file', file: { media_id } },
          secondsAgo,
        });
      });
    },
    download: (_messageId, fileKey, { maxBytes, signal }) =>
      client.bytes({ method: 'GET', path: '/media/get', query: { media_id: fileKey }, maxBytes, signal }),
  };
}

type Message =
  | { msgtype: 'text'; text: { content: string } }
  | { msgtype: 'file'; file: { media_id: string } };

/** Uploads a file; returns its ID, which is valid for three days. */
async function upload(client: WecomClient, { name, bytes }: ChatFile): Promise<string> {
  const body = new FormData();
  body.set('media', new Blob([bytes]), name);
  const answer = await client.json({ method: 'POST', path: '/media/upload', query: { type: 'file' }, body });
  const uploaded = uploadedSchema.safeParse(answer);
  if (!uploaded.success)
    throw new UpstreamFailed(
      'chat_platform_answer_unusable',
      'WeCom did not return the ID of the file that it received.',
    );
  return uploaded.data.media_id;
}

/**
 * Sends a message. `secondsAgo` means that it may already have been sent; WeCom then drops a duplicate. Never
 * set for a first attempt, because WeCom would also drop the same answer to another question. According to
 * its documentation, WeCom compares the content (the JSON of the request). If it compares only requests that
 * both ask for it, a crash at that moment shows a text twice.
 */
async function sendMessage(
  client: WecomClient,
  { agentId }: WecomSettings,
  { to, what, secondsAgo }: { to: string; what: Message; secondsAgo: number | undefined },
): Promise<void> {
  const lookBack =
    secondsAgo === undefined
      ? {}
      : {
          enable_duplicate_check: 1,
          duplicate_check_interval: Math.min(secondsAgo + 60, MAX_DUPLICATE_SECONDS),
        };
  const body = { touser: to, agentid: Number(agentId), ...what, ...lookBack };
  const { data: answer } = sentSchema.safeParse(
    await client.json({ method: 'POST', path: '/message/send', body }),
  );
  // A message to one receiver fails as a whole (81013). A response that lists invalid users is a failure too.
  if (answer?.invaliduser)
    throw new UpstreamFailed(
      'chat_platform_refused',
      'WeCom does not know this person (81013). Add them to the visible range of the app.',
    );
}
