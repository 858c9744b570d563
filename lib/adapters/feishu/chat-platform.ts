import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { BotContent, ChatFile, ChatPlatform } from '../../ports/chat-platform.ts';
import { cutApprovals, type FeishuMessage, formatCard, formatMessage } from './card.ts';
import { CARD_CONTENT_INVALID, type FeishuClient, FeishuRefusal } from './client.ts';
import { recognizeSpeech } from './speech.ts';

const uploadedSchema = z.looseObject({ file_key: z.string() });
const sentSchema = z.looseObject({ message_id: z.string() });

/** Bytes. Feishu accepts 30 MB, including the rest of the request around a file. */
const MAX_FILE_BYTES = 29_000_000;

/** Feishu's chats, with cards that are changed in place. */
export function feishuChatPlatform(client: FeishuClient): ChatPlatform {
  return {
    send: (chatId, content, { key }) =>
      unlessRefused((plain) => sendMessage(client, chatId, content, key, plain)),
    cutApprovals,
    maxFileBytes: MAX_FILE_BYTES,
    sendFile: (chatId, file, { key }) => sendFile(client, chatId, file, key),
    change: (messageId, content) => unlessRefused((plain) => changeCard(client, messageId, content, plain)),
    download: (messageId, fileKey, { maxBytes, signal }) =>
      client.bytes({
        method: 'GET',
        path: `/im/v1/messages/${encodeURIComponent(messageId)}/resources/${encodeURIComponent(fileKey)}?type=file`,
        maxBytes,
        signal,
      }),
    fetchMessage: (messageId, signal) => fetchMessage(client, messageId, signal),
    transcribe: (audio, signal) => recognizeSpeech(client, audio, signal),
  };
}

/** Models write many variants of Markdown. If Feishu can't read a card, this sends its text plain. */
async function unlessRefused<Answer>(show: (plain: boolean) => Promise<Answer>): Promise<Answer> {
  try {
    return await show(false);
  } catch (error) {
    if (!(error instanceof FeishuRefusal && error.feishuCode === CARD_CONTENT_INVALID)) throw error;
    return show(true);
  }
}

async function sendMessage(
  client: FeishuClient,
  chatId: string,
  content: BotContent,
  key: string,
  plain: boolean,
): Promise<string> {
  const data = await postMessage(client, chatId, formatMessage(content, { plain }), key);
  const sent = sentSchema.safeParse(data);
  if (!sent.success)
    throw new UpstreamFailed(
      'chat_platform_answer_unusable',
      'Feishu did not return the ID of the message that it sent.',
    );
  return sent.data.message_id;
}

function postMessage(
  client: FeishuClient,
  chatId: string,
  message: FeishuMessage,
  key: string,
): Promise<unknown> {
  return client.json({
    method: 'POST',
    path: `/im/v1/messages?receive_id_type=${receiverType(chatId)}`,
    body: { receive_id: chatId, ...message, uuid: key },
  });
}

async function sendFile(
  client: FeishuClient,
  chatId: string,
  { name, bytes }: ChatFile,
  key: string,
): Promise<void> {
  const body = new FormData();
  body.set('file_type', 'stream');
  body.set('file_name', name);
  body.set('file', new Blob([bytes]), name);
  const uploaded = uploadedSchema.safeParse(
    await client.json({ method: 'POST', path: '/im/v1/files', body }),
  );
  if (!uploaded.success)
    throw new UpstreamFailed(
      'chat_platform_answer_unusable',
      'Feishu did not return the ID of the file that it received.',
    );
  const { file_key } = uploaded.data;
  await postMessage(client, chatId, { msg_type: 'file', content: JSON.stringify({ file_key }) }, key);
}

/** The first item is the message itself; the others are messages that it forwards. */
const fetchedSchema = z.looseObject({
  items: z.tuple(
    [z.looseObject({ msg_type: z.string(), body: z.looseObject({ content: z.string() }).optional() })],
    z.unknown(),
  ),
});

async function fetchMessage(client: FeishuClient, messageId: string, signal?: AbortSignal): Promise<unknown> {
  const path = `/im/v1/messages/${encodeURIComponent(messageId)}`;
  const fetched = fetchedSchema.safeParse(await client.json({ method: 'GET', path, signal }));
  if (!fetched.success)
    throw new UpstreamFailed('chat_platform_answer_unusable', 'Feishu did not return the message.');
  const [{ msg_type, body, ...rest }] = fetched.data.items;
  return { ...rest, message_type: msg_type, content: body?.content ?? '' };
}

/** Feishu can change only cards, and only into other cards. */
async function changeCard(
  client: FeishuClient,
  messageId: string,
  content: BotContent,
  plain: boolean,
): Promise<void> {
  const shown = content.kind === 'text' ? { ...content, kind: 'notice' as const, title: 'Message' } : content;
  await client.json({
    method: 'PATCH',
    path: `/im/v1/messages/${encodeURIComponent(messageId)}`,
    body: { content: JSON.stringify(formatCard(shown, { plain })) },
  });
}

/** Returns the type of a receiver, as its ID shows it. Pushes go to users as well as to chats. */
function receiverType(id: string): string {
  if (id.startsWith('ou_')) return 'open_id';
  if (id.startsWith('on_')) return 'union_id';
  return id.includes('@') ? 'email' : 'chat_id';
}
