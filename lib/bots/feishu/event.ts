import * as z from 'zod';
import { parseBoundedJson } from '../../validation/bounded-json.ts';
import { MAX_ALWAYS, type MessageContent, type PersonMessage, personMessageSchema } from '../schema.ts';
import { type FeishuPayload, isChallenge } from './callback.ts';
import { mentionSchema, readPost, stripMentions } from './text.ts';

/** The subject of a callback. */
export type FeishuEvent =
  | { kind: 'challenge'; challenge: string }
  /** `ids`: every name under which the platform may send the same again. */
  | { kind: 'message'; ids: string[]; message: PersonMessage }
  | { kind: 'press'; ids: string[]; message: PersonMessage }
  | { kind: 'ignored' };

const IGNORED = { kind: 'ignored' } as const;
const MAX_NAME = 255;

const challengeSchema = z.looseObject({ challenge: z.string().max(2000) });

const headerSchema = z.looseObject({ event_id: z.string().min(1).max(200), event_type: z.string() });
const eventSchema = z.looseObject({ header: headerSchema, event: z.unknown() });

const messageSchema = z.looseObject({
  sender: z.looseObject({
    sender_id: z.looseObject({ open_id: z.string() }),
    sender_type: z.string().optional(),
  }),
  message: z.looseObject({
    message_id: z.string(),
    chat_id: z.string(),
    chat_type: z.string().optional(),
    message_type: z.string(),
    content: z.string(),
    mentions: z.array(mentionSchema).nullish(),
  }),
});
type ReceivedMessage = z.infer<typeof messageSchema>['message'];

/** The value is what lib/adapters/feishu/card.ts put into the button; older clients send it as text. */
const answerSchema = z.object({
  approvalId: z.string().min(1).max(200),
  approved: z.boolean(),
  always: z.string().max(MAX_ALWAYS).optional(),
});
const pressSchema = z.looseObject({
  operator: z.looseObject({ open_id: z.string() }),
  action: z.looseObject({ value: z.unknown() }),
  context: z.looseObject({ open_chat_id: z.string() }),
});

/** Reads a callback that lib/bots/feishu/callback.ts has opened. What the bot has no use for, or no form it knows, is ignored. */
export function readEvent(payload: FeishuPayload, receivedAt: string): FeishuEvent {
  if (isChallenge(payload)) return readChallenge(payload);
  const parsed = eventSchema.safeParse(payload);
  if (!parsed.success) return IGNORED;
  const { header, event } = parsed.data;
  if (header.event_type === 'im.message.receive_v1') return readMessage(header.event_id, event, receivedAt);
  if (header.event_type === 'card.action.trigger') return readPress(header.event_id, event, receivedAt);
  return IGNORED;
}

function readChallenge(payload: FeishuPayload): FeishuEvent {
  const parsed = challengeSchema.safeParse(payload);
  return parsed.success ? { kind: 'challenge', challenge: parsed.data.challenge } : IGNORED;
}

/** Ignores messages of apps: two bots in a group would talk forever. */
function readMessage(eventId: string, event: unknown, receivedAt: string): FeishuEvent {
  const parsed = messageSchema.safeParse(event);
  if (!parsed.success || parsed.data.sender.sender_type === 'app') return IGNORED;
  const { sender, message } = parsed.data;
  const content = readContent(message);
  if (content === undefined) return IGNORED;
  const received = personMessageSchema.safeParse({
    kind: 'message',
    platform: 'ima',
    chatId: message.chat_id,
    chatType: message.chat_type === 'p2p' ? 'p2p' : 'group',
    senderId: sender.sender_id.open_id,
    messageId: message.message_id,
    content,
    receivedAt,
  });
  if (!received.success) return IGNORED;
  return { kind: 'message', ids: [eventId, message.message_id], message: received.data };
}

/** Undefined for what says nothing: a mention of the bot alone, or content that is not in the platform's form. */
function readContent({ message_type, content, mentions }: ReceivedMessage): MessageContent | undefined {
  const parts = parseContent(content);
  if (parts === undefined) return undefined;
  const text = message_type === 'text' ? parts.text : message_type === 'post' ? readPost(parts) : undefined;
  if (typeof text === 'string') {
    const stripped = stripMentions(text, mentions ?? []);
    return stripped === '' ? undefined : { type: 'text', text: stripped };
  }
  return readAttachment(message_type, parts);
}

function readAttachment(type: string, parts: Record<string, unknown>): MessageContent | undefined {
  if (type === 'system') return undefined; // a person joined, the group has another name
  const { file_key: key, file_name: name, duration } = parts;
  if (typeof key === 'string' && type === 'file') {
    return { type: 'file', key, name: String(name ?? 'file').slice(0, MAX_NAME) };
  }
  if (typeof key === 'string' && type === 'audio') {
    return { type: 'audio', key, durationMs: Number.isSafeInteger(duration) ? Number(duration) : null };
  }
  return { type: 'other', name: type === 'media' ? 'video' : type.slice(0, 40) };
}

function parseContent(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseBoundedJson(text, 'content');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The person who pressed answers, with their own rights: a forwarded card brings no one else's. */
function readPress(eventId: string, event: unknown, receivedAt: string): FeishuEvent {
  const parsed = pressSchema.safeParse(event);
  if (!parsed.success) return IGNORED;
  const { operator, action, context } = parsed.data;
  const value = typeof action.value === 'string' ? parseContent(action.value) : action.value;
  const answer = answerSchema.safeParse(value);
  if (!answer.success) return IGNORED;
  const message = personMessageSchema.safeParse({
    kind: 'message',
    platform: 'ima',
    chatId: context.open_chat_id,
    chatType: 'group',
    senderId: operator.open_id,
    messageId: eventId,
    content: { type: 'answer', ...answer.data },
    receivedAt,
  });
  return message.success ? { kind: 'press', ids: [eventId], message: message.data } : IGNORED;
}
