import * as z from 'zod';
import { MAX_ALWAYS, type PersonMessage, personMessageSchema } from '../schema.ts';
import { type FeishuPayload, isChallenge } from './callback.ts';
import { parseContent, platformMessageSchema, readContent } from './content.ts';

/** The event that a callback reports. */
export type FeishuEvent =
  | { kind: 'challenge'; challenge: string }
  /** `ids` has every ID under which Feishu may send the same message again. */
  | { kind: 'message'; ids: string[]; message: PersonMessage }
  | { kind: 'press'; ids: string[]; message: PersonMessage }
  | { kind: 'ignored' };

const IGNORED = { kind: 'ignored' } as const;
/** The text to use if the bot is mentioned without text, but a message is quoted. */
const NOTHING_SAID = { type: 'text', text: '' } as const;

const challengeSchema = z.looseObject({ challenge: z.string().max(2000) });

const headerSchema = z.looseObject({ event_id: z.string().min(1).max(200), event_type: z.string() });
const eventSchema = z.looseObject({ header: headerSchema, event: z.unknown() });

const messageSchema = z.looseObject({
  sender: z.looseObject({
    sender_id: z.looseObject({ open_id: z.string() }),
    sender_type: z.string().optional(),
  }),
  message: platformMessageSchema.extend({
    message_id: z.string(),
    chat_id: z.string(),
    chat_type: z.string().optional(),
    parent_id: z.string().optional(),
  }),
});

/** The value that lib/adapters/feishu/card.ts put into the button. Older clients send it as text. */
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

/**
 * Reads a callback that lib/bots/feishu/callback.ts has opened. Ignores events that the bot doesn't use or recognize.
 */
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

/** Ignores messages of apps, because two bots in a group would answer each other forever. */
function readMessage(eventId: string, event: unknown, receivedAt: string): FeishuEvent {
  const parsed = messageSchema.safeParse(event);
  if (!parsed.success || parsed.data.sender.sender_type === 'app') return IGNORED;
  const { sender, message } = parsed.data;
  const quotedId = message.parent_id || undefined;
  const content = readContent(message) ?? (quotedId && NOTHING_SAID);
  if (!content) return IGNORED;
  const received = personMessageSchema.safeParse({
    kind: 'message',
    platform: 'ima',
    chatId: message.chat_id,
    chatType: message.chat_type === 'p2p' ? 'p2p' : 'group',
    senderId: sender.sender_id.open_id,
    messageId: message.message_id,
    ...(quotedId && { quotedId }),
    content,
    receivedAt,
  });
  if (!received.success) return IGNORED;
  return { kind: 'message', ids: [eventId, message.message_id], message: received.data };
}

/**
 * Answers an approval for the person who pressed the button, with that person's rights. A forwarded card
 * carries no other person's.
 */
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
