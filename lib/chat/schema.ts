import * as z from 'zod';
import type { Attached } from '../conversations/attachments/attach.ts';
import { conversationIdSchema } from '../conversations/schema.ts';
import { namedShape } from '../documents/named.ts';
import { idSchema } from '../identifiers.ts';
import { filePartShape } from '../ports/file-part.ts';
import { pageQuery } from '../records/page.ts';
import { judgeChoice } from '../retrieval/cite/judge-citations.ts';
import { filterQuery, searchFilter } from '../retrieval/filter/filter-schema.ts';
import { scopeLines, scopePaths, scopeTypes } from '../retrieval/scope-schema.ts';
import {
  clientFields,
  isWholeChoice,
  joinText,
  uiMessageSchema,
  WHOLE_CHOICE,
} from '../ui-messages/ui-message.ts';
import { ONE_OR_SEVERAL, workspaceIdsQuery, workspaceIdsSchema } from '../workspaces/several-schema.ts';

const MAX_MESSAGES = 200;
export const MAX_QUESTION_LENGTH = 20_000;
/** The maximum number of messages, because clients send a whole stored conversation every time. */
const MAX_KEPT_MESSAGES = 2000;

const messageSchema = uiMessageSchema.transform(({ id, role, parts }) => ({
  id,
  role,
  text: joinText(parts),
  /** Only a question may have files. */
  files: role === 'user' ? parts.filter(({ type }) => type === 'file') : [],
}));
export interface ChatMessage {
  id?: string | undefined;
  role: 'system' | 'user' | 'assistant';
  text: string;
  /** Attachments of the message. */
  attached?: Attached[];
}

export const chatBody = z
  .strictObject({
    workspaceId: idSchema.optional().describe('ID of the workspace. Required without `workspaceIds`.'),
    workspaceIds: workspaceIdsSchema
      .optional()
      .describe(
        'IDs of 1 to 20 workspaces to search in, instead of `workspaceId`. You must be able to read all of them. A conversation is stored in the first one.',
      ),
    messages: z
      .array(messageSchema)
      .min(1)
      .max(MAX_KEPT_MESSAGES)
      .describe(`Messages of the chat. At most ${MAX_MESSAGES} without \`id\`.`),
    ...clientFields,
    paths: scopePaths.optional(),
    filter: searchFilter.optional(),
    web: z
      .boolean()
      .default(false)
      .describe(
        'Whether the words of your question are also sent to the web search provider. Pages that the answer cites are saved in `sources/web/`, which needs the role `member`.',
      ),
    judge: judgeChoice,
    id: conversationIdSchema
      .optional()
      .describe('ID of the conversation. With it, the conversation is stored.'),
    trigger: z.enum(['submit-message', 'regenerate-message']).meta({ title: 'ChatTrigger' }).optional(),
    messageId: z
      .string()
      .max(200)
      .nullish()
      .describe('ID of the message that is edited, or of the answer that is regenerated.'),
  })
  .refine(isWholeChoice, WHOLE_CHOICE)
  .refine(...ONE_OR_SEVERAL)
  .refine(({ paths, workspaceIds }) => paths === undefined || workspaceIds === undefined, {
    path: ['paths'],
    message: 'must not be given with workspaceIds, because paths are relative to one workspace',
  })
  .superRefine(
    ({ id, messages }, context) => {
      const isTooLong = id === undefined && messages.length > MAX_MESSAGES;
      const problem = isTooLong
        ? `must have at most ${MAX_MESSAGES} items, unless id is sent`
        : questionProblem(messages.at(-1));
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['messages'], message: problem });
    },
    // If its own schema has refused a message, the message has no `text`.
    { when: ({ issues }) => issues.length === 0 },
  );

export type ChatBody = z.output<typeof chatBody>;

export const searchQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .meta({ pattern: '\\S', description: 'Question or keywords to search for.' }),
  k: z.coerce.number().int().min(1).max(100).default(8).describe('Maximum number of passages on the page.'),
  cursor: pageQuery.shape.cursor,
  paths: scopeLines,
  types: scopeTypes,
  filter: filterQuery,
});
export type SearchQuery = z.output<typeof searchQuery>;

export const severalSearchQuery = searchQuery
  .omit({ paths: true })
  .extend({ workspaceIds: workspaceIdsQuery });

export const foundSchema = z
  .strictObject({
    workspaceId: z
      .string()
      .optional()
      .describe('ID of the workspace of the file. Present if several workspaces can be searched.'),
    path: z.string().describe('Path of the file, relative to the workspace.'),
    ...namedShape,
    startLine: z.number().int().describe('First line of the passage, starting at 1.'),
    endLine: z.number().int().describe('Last line of the passage, inclusive.'),
    ...filePartShape,
    context: z.string().describe('Text above the passage: title, headings, or the header row of a table.'),
    text: z.string().describe('Text of the passage, as it is indexed.'),
    score: z
      .number()
      .describe(
        'Relevance from 0 to 1: the similarity of the best passage to the query, multiplied by the rank of this passage relative to it.',
      ),
    fileHash: z.string().describe('SHA-256 of the file when it was indexed, in hexadecimal.'),
  })
  .meta({ id: 'FoundPassage' });

function questionProblem(last: ChatMessage | undefined): string | undefined {
  if (last?.role !== 'user') return 'must end with a message of the user';
  if (last.text.trim() === '') return 'must end with a message that has text';
  if (last.text.length <= MAX_QUESTION_LENGTH) return undefined;
  return `must end with a message of at most ${MAX_QUESTION_LENGTH} characters`;
}
