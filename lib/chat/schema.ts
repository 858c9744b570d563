import * as z from 'zod';
import { idSchema } from '../identifiers.ts';

const MAX_MESSAGES = 200;
const MAX_QUESTION_LENGTH = 20_000;

const partSchema = z.object({ type: z.string(), text: z.string().optional() });

/** A message as plain chat clients send it (`content`) or as the AI SDK does (`parts`); unknown keys are ignored. */
const messageSchema = z
  .object({
    role: z.enum(['system', 'user', 'assistant']),
    content: z.string().optional(),
    parts: z.array(partSchema).max(1000).optional(),
  })
  .refine(({ content, parts }) => content !== undefined || parts !== undefined, {
    message: 'content or parts is missing',
    abort: true,
  })
  .transform(({ role, content, parts }) => ({ role, text: content ?? joinText(parts ?? []) }));
export type ChatMessage = z.output<typeof messageSchema>;

export const chatBody = z
  .strictObject({
    workspaceId: idSchema,
    messages: z.array(messageSchema).min(1).max(MAX_MESSAGES),
    provider: z.enum(['a', 'b', 'c']).optional(),
    model: z.string().min(1).max(200).optional(),
    id: z.string().max(200).optional().describe("the client's own, not used"),
    trigger: z.string().max(100).optional().describe("the client's own, not used"),
    messageId: z.string().max(200).nullish().describe("the client's own, not used"),
  })
  .refine(({ provider, model }) => (provider === undefined) === (model === undefined), {
    path: ['model'],
    message: 'provider and model go together',
  })
  .superRefine(({ messages }, context) => {
    const problem = questionProblem(messages.at(-1));
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['messages'], message: problem });
  });
export type ChatBody = z.output<typeof chatBody>;

export const searchQuery = z.object({
  q: z.string().trim().min(1).max(2000).meta({ pattern: '\\S' }),
  k: z.coerce.number().int().min(1).max(50).default(8),
});

export const foundSchema = z
  .strictObject({
    path: z.string(),
    startLine: z.number().int(),
    endLine: z.number().int(),
    page: z.number().int().optional().describe('of a PDF, from 1'),
    text: z.string(),
    score: z.number().describe('rises with relevance; comparable within one answer only'),
    fileHash: z.string(),
  })
  .meta({ id: 'FoundPassage' });

function joinText(parts: z.output<typeof partSchema>[]): string {
  return parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n');
}

function questionProblem(last: ChatMessage | undefined): string | undefined {
  if (last?.role !== 'user') return 'the last message must be of the user';
  if (last.text.trim() === '') return 'the last message has no text';
  if (last.text.length <= MAX_QUESTION_LENGTH) return undefined;
  return `the last message is longer than ${MAX_QUESTION_LENGTH} characters`;
}
