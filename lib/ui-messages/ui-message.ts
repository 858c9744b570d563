import * as z from 'zod';
import { providerIdSchema } from '../ports/language-model.ts';

/**
 * The fields that are used of messages from plain chat clients and from the AI SDK's `DefaultChatTransport`.
 * The transport's body is `{id, messages, trigger, messageId}`, each message `{id, role, parts}`.
 */
const MAX_PARTS = 2000;

/** Unknown keys and part types are ignored. */
const partSchema = z
  .looseObject({
    type: z.string(),
    text: z.string().optional(),
    url: z
      .string()
      .optional()
      .describe(
        'URL of a file: a `data:` URL, `workspace:` and a path, or the URL of an attachment of the conversation.',
      ),
    mediaType: z.string().max(200).optional(),
    filename: z.string().max(1000).optional(),
    toolCallId: z.string().max(200).optional(),
    state: z.string().optional(),
    input: z.unknown().optional(),
    output: z.unknown().optional(),
    errorText: z.string().optional(),
    approval: z
      .looseObject({
        id: z.string(),
        approved: z
          .boolean()
          .optional()
          .describe('Whether the call was approved. Missing until it is answered.'),
        reason: z.string().max(1000).optional(),
      })
      .meta({ title: 'MessageApproval' })
      .optional(),
  })
  .meta({ title: 'MessagePart' });
export type MessagePart = z.infer<typeof partSchema>;

/** A message with `content`, as sent by plain chat clients, or with `parts`, as sent by the AI SDK. */
export const uiMessageSchema = z
  .object({
    id: z
      .string()
      .max(200, { abort: true })
      .refine((id) => id.isWellFormed(), 'must be well-formed Unicode')
      .optional(),
    role: z.enum(['system', 'user', 'assistant']).meta({ title: 'ChatRole' }),
    content: z.string().optional(),
    parts: z.array(partSchema).max(MAX_PARTS).optional(),
  })
  .refine(({ content, parts }) => content !== undefined || parts !== undefined, {
    message: 'must have content or parts',
    abort: true,
  })
  .meta({
    title: 'ChatMessage',
    description: 'Chat message. It needs `content` (text) or `parts` (as the AI SDK sends them).',
  })
  .transform(({ id, role, content, parts }) => ({
    ...(id !== undefined && id !== '' && { id }),
    role,
    parts: content === undefined ? withFileNames(role, parts ?? []) : [textPart(content)],
  }));
export type UiMessage = z.output<typeof uiMessageSchema>;

function textPart(text: string): MessagePart {
  return { type: 'text', text };
}

/**
 * Uses file names as the text of a message without text, because the text is searched for, stored, and shown.
 */
function withFileNames(role: string, parts: MessagePart[]): MessagePart[] {
  const files = parts.filter(({ type }) => type === 'file');
  if (role !== 'user' || files.length === 0 || joinText(parts).trim() !== '') return parts;
  return [textPart(files.map(nameOf).join(', ')), ...parts.filter(({ type }) => type !== 'text')];
}

const MAX_NAME = 200;

/** Returns the file name in quotes on one line, which shows that it isn't the user's sentence. */
function nameOf({ filename, url = '', mediaType }: MessagePart): string {
  const path = url.startsWith('workspace:') ? url.slice('workspace:'.length) : undefined;
  return JSON.stringify((filename ?? path ?? mediaType ?? 'file').slice(0, MAX_NAME).toWellFormed());
}

export function joinText(parts: MessagePart[]): string {
  return parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n');
}

/** Fields of every request body in this protocol: the protocol's own, and the choice of a model. */
export const clientFields = {
  provider: providerIdSchema
    .optional()
    .describe('Model provider: `a` (OpenAI-compatible), `b` (Anthropic), or `c` (Gemini). It needs `model`.'),
  model: z.string().min(1).max(200).optional().describe('Name of the model. It needs `provider`.'),
  id: z.string().max(200).optional().describe('ID that the client sends. It is ignored.'),
  trigger: z.string().max(100).optional().describe('Trigger that the client sends. It is ignored.'),
  messageId: z.string().max(200).nullish().describe('Message ID that the client sends. It is ignored.'),
  parentId: z
    .string()
    .max(200)
    .nullish()
    .describe(
      'ID of the last message of the stored conversation, as the client shows it. For an edit or a regeneration, also that of the message before the replaced one. Null if the client shows none. With another ID, the request is refused.',
    ),
};

/** Checks a model choice, for z.refine. */
export function isWholeChoice({ provider, model }: { provider?: unknown; model?: unknown }): boolean {
  return (provider === undefined) === (model === undefined);
}

export const WHOLE_CHOICE = {
  path: ['model'],
  message: 'and provider must be sent together',
};
