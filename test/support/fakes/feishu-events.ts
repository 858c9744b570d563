import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { signCallback } from '../../../lib/bots/feishu/callback.ts';

/**
 * Callbacks in Feishu's format: events of schema 2.0 (`header`, `event`), with an encrypt key as `{"encrypt":
 * …}` (AES-256-CBC with the key's SHA-256) and signed in `X-Lark-Signature` over timestamp, nonce, key, and
 * the raw body.
 */
export interface FeishuTestMessage {
  eventId?: string;
  messageId?: string;
  chatId?: string;
  chatType?: 'p2p' | 'group';
  senderId?: string;
  senderType?: 'user' | 'app';
  type?: string;
  /** The message's content: an object that is sent as JSON, or any text. */
  content?: unknown;
  mentions?: unknown[];
  createTime?: string;
  parentId?: string;
}

export function feishuId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

/** im.message.receive_v1; default: a person's text in a direct chat. */
export function feishuMessageEvent(token: string, message: FeishuTestMessage = {}) {
  const { content = { text: 'hello' } } = message;
  return {
    schema: '2.0',
    header: feishuHeader(token, 'im.message.receive_v1', message),
    event: {
      sender: {
        sender_id: { open_id: message.senderId ?? 'ou_asker', union_id: 'on_asker', user_id: null },
        sender_type: message.senderType ?? 'user',
        tenant_key: 'tenant',
      },
      message: {
        message_id: message.messageId ?? feishuId('om'),
        create_time: message.createTime ?? String(Date.now()),
        ...(message.parentId !== undefined && { parent_id: message.parentId }),
        chat_id: message.chatId ?? 'oc_chat',
        chat_type: message.chatType ?? 'p2p',
        message_type: message.type ?? 'text',
        content: typeof content === 'string' ? content : JSON.stringify(content),
        ...(message.mentions === undefined ? {} : { mentions: message.mentions }),
      },
    },
  };
}

/** card.action.trigger: a user presses a button with the given value. */
export function feishuPressEvent(
  token: string,
  press: { value: unknown; senderId?: string; chatId?: string; cardId?: string; eventId?: string },
) {
  return {
    schema: '2.0',
    header: feishuHeader(token, 'card.action.trigger', press),
    event: {
      operator: { open_id: press.senderId ?? 'ou_asker', union_id: 'on_asker', tenant_key: 'tenant' },
      token: 'c-update',
      action: { value: press.value, tag: 'button' },
      host: 'im_message',
      context: { open_message_id: press.cardId ?? 'om_card', open_chat_id: press.chatId ?? 'oc_chat' },
    },
  };
}

function feishuHeader(token: string, type: string, { eventId }: { eventId?: string | undefined }) {
  return {
    event_id: eventId ?? randomBytes(16).toString('hex'),
    event_type: type,
    create_time: String(Date.now()),
    token,
    app_id: 'cli_0123456789abcdef',
    tenant_key: 'tenant',
  };
}

export function encryptFeishu(text: string, encryptKey: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(encryptKey).digest(), iv);
  return Buffer.concat([iv, cipher.update(text), cipher.final()]).toString('base64');
}

/** Feishu's request for an event: unencrypted, or encrypted and signed. `now` in milliseconds. */
export function feishuCallback(
  event: unknown,
  { encryptKey }: { encryptKey?: string | undefined },
  now = Date.now(),
): { body: Buffer; headers: Record<string, string> } {
  const json = { 'content-type': 'application/json; charset=utf-8' };
  if (encryptKey === undefined) return { body: Buffer.from(JSON.stringify(event)), headers: json };
  const body = Buffer.from(JSON.stringify({ encrypt: encryptFeishu(JSON.stringify(event), encryptKey) }));
  const timestamp = String(Math.floor(now / 1000));
  const nonce = randomBytes(8).toString('hex');
  return {
    body,
    headers: {
      ...json,
      'x-lark-request-timestamp': timestamp,
      'x-lark-request-nonce': nonce,
      'x-lark-signature': signCallback({ timestamp, nonce, encryptKey, body }),
    },
  };
}
