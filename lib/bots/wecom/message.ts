import * as z from 'zod';
import { InvalidInput } from '../../errors.ts';
import type { MessageContent, PersonMessage } from '../schema.ts';

const MAX_ID = 120;

/**
 * The ID of a single person in WeCom's notation. `@all` and `a|b` address many people, all of whom would get
 * the answer.
 */
const PERSON = /^(?!@all$)[\w.@-]{1,64}$/i;

/** The fields of a message that are used here. MsgId has 64 bits, so it stays text. */
const fieldsSchema = z.object({
  ToUserName: z.string().max(MAX_ID).default(''),
  FromUserName: z.string().regex(PERSON),
  MsgType: z.string().min(1).max(50),
  MsgId: z
    .string()
    .regex(/^[\w-]*$/)
    .max(MAX_ID)
    .default(''),
  Content: z.string().default(''),
  MediaId: z.string().max(1000).default(''),
  FileName: z.string().max(255).default(''),
});
type Fields = z.infer<typeof fieldsSchema>;

/** A message of a person, and the names for a passive reply to it. */
export interface WecomMessage {
  message: PersonMessage;
  /** The company, as in the message. */
  toUserName: string;
}

/**
 * Converts a callback to a message of the bot. Undefined for events, and for messages without an ID, because
 * their repetition couldn't be recognized. A conversation is with one person, and has that person's ID.
 * Throws InvalidInput.
 */
export function readWecomMessage(
  fields: Record<string, unknown>,
  receivedAt: string,
): WecomMessage | undefined {
  const parsed = fieldsSchema.safeParse(fields);
  if (!parsed.success)
    throw new InvalidInput(
      'invalid_value',
      `body has a missing or invalid ${parsed.error.issues[0]?.path.join('.')}.`,
      { field: 'body' },
    );
  const { data } = parsed;
  if (data.MsgType === 'event') return undefined;
  if (data.MsgId === '') throw new InvalidInput('missing_value', 'body has no MsgId.', { field: 'body' });
  const message: PersonMessage = {
    kind: 'message',
    platform: 'imb',
    chatId: data.FromUserName,
    chatType: 'p2p',
    senderId: data.FromUserName,
    messageId: data.MsgId,
    content: readContent(data),
    receivedAt,
  };
  return { message, toUserName: data.ToUserName };
}

function readContent({ MsgType, Content, MediaId, FileName }: Fields): MessageContent {
  if (MsgType === 'text') return { type: 'text', text: Content };
  if (MsgType === 'voice' && MediaId !== '') return { type: 'audio', key: MediaId, durationMs: null };
  if (MsgType === 'file' && MediaId !== '') return { type: 'file', key: MediaId, name: FileName || 'file' };
  return { type: 'other', name: MsgType };
}
