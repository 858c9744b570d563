import { createHash } from 'node:crypto';
import * as z from 'zod';
import { ownerKey } from '../access/owner-key.ts';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import type { RecordKey, Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';

const kindSchema = z.enum(['chat', 'agent', 'bot', 'research']).meta({ title: 'ConversationKind' });

/** The client's own ID, which appears in paths. */
export const conversationIdSchema = z
  .string()
  .min(1)
  .max(200, { abort: true })
  .regex(/^[^\p{Cc}/\\]+$/u, "can't contain slashes or control characters")
  .refine(
    (id) => id.isWellFormed() && id !== '.' && id !== '..',
    'must be well-formed Unicode, and not . or ..',
  )
  .meta({ pattern: '^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]+$' });

const fields = {
  id: z.string().describe('ID of the conversation, chosen by the client.'),
  workspaceId: z.string(),
  workspaceIds: z
    .array(z.string())
    .optional()
    .describe(
      'IDs of all workspaces that its questions were about, if there are several. Only people who may read all of them can read it.',
    ),
  title: z.string(),
  kind: kindSchema,
  mode: z.string().nullable().describe('Agent mode, in a conversation with the agent.'),
  ownerId: z
    .string()
    .describe(
      "ID of the caller who started the conversation. In a bot's chat, the user ID of the chat platform.",
    ),
  shared: z.boolean().describe('Whether all users of the workspace can read the conversation.'),
  pinned: z.boolean().describe('Whether the conversation is listed before others.'),
  messageCount: z.int().describe('Number of questions and answers.'),
  createdAt: timestampSchema,
  updatedAt: timestampSchema.describe('Time of the latest question or answer.'),
};

const storedSchema = z.object({
  ...fields,
  key: z.string(),
  /** True if a user set the title, which is then never replaced. */
  titleGiven: z.boolean(),
  /** The positions of the chosen branch, as ranges. */
  live: z.array(z.tuple([z.int(), z.int()])),
  /** The next free position. No message has this position or a later one. */
  nextPlace: z.int(),
  /** The number of changes. A change requires that the version is the one that was read. */
  version: z.int(),
  /** The ID of the answer in progress, its message, and its events. */
  turnId: z.string().nullable(),
  /** The time by which the answering process sends a heartbeat. */
  turnUntil: z.string().nullable(),
  /** The message that is being answered, by the ID that its client uses. */
  questionId: z.string().nullable(),
  /** The position of that message. */
  questionPlace: z.int().nullable().default(null),
  /** The position that the answer will have. */
  answerPlace: z.int().nullable(),
  stopRequested: z.boolean(),
  /** The previous answer, whose events exist for clients that still read them. */
  lastTurnId: z.string().nullable(),
  /** The latest run in the conversation. */
  runId: z.string().nullable(),
  /** True if that run failed, or one of its calls did. */
  failed: z.boolean().optional(),
});
export type Conversation = z.infer<typeof storedSchema>;

/** The data needed to remove a conversation after its head has been removed. */
export const removedConversation = storedSchema.pick({
  ...{
    id: true,
    workspaceId: true,
    workspaceIds: true,
    ownerId: true,
    key: true,
    turnId: true,
    lastTurnId: true,
  },
});
export type RemovedConversation = z.infer<typeof removedConversation>;

/**
 * Returns a key that includes the owner, so that choosing the same ID doesn't give access to another user's
 * conversation.
 */
export function keyOf(ownerId: string, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([ownerId, id]))
    .digest('base64url');
}

/**
 * Returns the key of a bot's chat. The service created the ID, and no API caller owns it. The key hashes three values,
 * so no caller's owner and ID produce the same key.
 */
export function botKeyOf(id: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['bot', null, id]))
    .digest('base64url');
}

/**
 * Finds a conversation that was handed over, because its key still contains the caller who started it.
 * Written before the new owner is, and removed after the next one is written.
 */
export const handOvers = collection({
  kind: 'conversation-hand-over',
  schema: z.object({ key: z.string(), of: z.string() }),
  key: ({ key }: { key: string }) => ({ partition: `CONVERSATION_OF_OTHERS#${key}`, sort: 'KEY' }),
});

/** Returns the key of the conversation that has this ID for its owner. */
export async function conversationKeyOf(records: Records, ownerId: string, id: string): Promise<string> {
  const key = keyOf(ownerId, id);
  return (await handOvers.get(records, { key }))?.of ?? key;
}

export function conversationPartition(key: string): string {
  return `CONVERSATION#${key}`;
}

/**
 * Pinned conversations come first, then the others by their last message: a user's private ones, the bots',
 * and shared ones.
 */
export const conversations = collection({
  kind: 'conversation',
  schema: storedSchema,
  key: ({ key }: { key: string }) => ({ partition: conversationPartition(key), sort: 'HEAD' }),
  index: listPlace,
});

function listPlace(
  conversation: Pick<
    Conversation,
    'key' | 'workspaceId' | 'ownerId' | 'kind' | 'shared' | 'pinned' | 'updatedAt'
  >,
): RecordKey {
  return { partition: listPartition(conversation), sort: listSort(conversation) };
}

function listPartition({
  workspaceId,
  ownerId,
  kind,
  shared,
}: Pick<Conversation, 'workspaceId' | 'ownerId' | 'kind' | 'shared'>): string {
  if (shared) return sharedPartition(workspaceId);
  return kind === 'bot' ? botsPartition(workspaceId) : ownPartition(workspaceId, ownerId);
}

export function listSort({ pinned, updatedAt, key }: Pick<Conversation, 'pinned' | 'updatedAt' | 'key'>) {
  return `${pinned ? 1 : 0}#${updatedAt}#${key}`;
}

export function ownPartition(workspaceId: string, ownerId: string): string {
  return `CONVERSATIONS#${workspaceId}#${ownerKey(ownerId)}`;
}

export function sharedPartition(workspaceId: string): string {
  return `SHARED_CONVERSATIONS#${workspaceId}`;
}

export function botsPartition(workspaceId: string): string {
  return `BOT_CONVERSATIONS#${workspaceId}`;
}

const storedMessageSchema = z.object({
  key: z.string(),
  place: z.int(),
  /** The position of the message before it. Null for the first one. Missing in records of 1.0.0-rc.1. */
  parent: z.int().nullable().optional(),
  id: z.string(),
  /** The ID by which the page that edited it knows an edited question. */
  knownAs: z.string().optional(),
  role: z.enum(['user', 'assistant']),
  /** JSON text, because parts may be nested deeper than a record can be. */
  parts: z.string(),
  metadata: z.string().nullable(),
  createdAt: timestampSchema,
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;

export const MESSAGES = 'MESSAGE#';
export const messages = collection({
  kind: 'conversation-message',
  schema: storedMessageSchema,
  key: ({ key, place }: { key: string; place: number }) => ({
    partition: conversationPartition(key),
    sort: `${MESSAGES}${String(place).padStart(10, '0')}`,
  }),
});

/** Search terms of conversations. */
export const searchTerms = collection({
  kind: 'conversation-words',
  schema: z.object({ key: z.string(), words: z.string() }),
  key: ({ key }: { key: string }) => ({ partition: conversationPartition(key), sort: 'WORDS' }),
});

/**
 * Marks a conversation as belonging to a workspace. Written before the conversation, and removed after it. All are
 * deleted with the workspace.
 */
export const members = collection({
  kind: 'conversation-of-workspace',
  schema: z.object({ workspaceId: z.string(), key: z.string() }),
  key: ({ workspaceId, key }: { workspaceId: string; key: string }) => ({
    partition: membersPartition(workspaceId),
    sort: key,
  }),
});

export function membersPartition(workspaceId: string): string {
  return `WORKSPACE_CONVERSATIONS#${workspaceId}`;
}

/** Finds a shared conversation by its ID alone, for users other than its owner. */
export const shares = collection({
  kind: 'conversation-share',
  schema: z.object({ workspaceId: z.string(), id: z.string(), key: z.string() }),
  key: ({ id }: { id: string }) => ({ partition: `SHARED_CONVERSATION#${keyOf('', id)}`, sort: 'SHARE' }),
});

const messageSchema = z
  .strictObject({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    parts: z
      .array(
        z.looseObject({ type: z.string().describe('Type of the part, such as `text` or `tool-readFile`.') }),
      )
      .describe('Parts of the message, in the format of the AI SDK.'),
    metadata: z.looseObject({}).optional(),
  })
  .meta({ id: 'ConversationMessage', description: 'UI message of the AI SDK.' });
export type Message = z.infer<typeof messageSchema>;

export const conversationSchema = z
  .strictObject({
    ...fields,
    answering: z.boolean().describe('Whether an answer is in progress.'),
    failed: z
      .boolean()
      .optional()
      .describe('Whether the latest run failed, or a call in it. Left out if nothing did.'),
    ownerName: z
      .string()
      .optional()
      .describe("Name of the caller who started another caller's conversation, as far as it is known."),
  })
  .meta({ id: 'Conversation' });
export const conversationWithMessagesSchema = z.strictObject({
  ...conversationSchema.shape,
  messages: z
    .array(
      messageSchema
        .extend({
          parentId: z.string().nullable().describe('ID of the message before it. Null for the first one.'),
        })
        .meta({ id: 'PlacedMessage' }),
    )
    .describe('Messages of the chosen branch, oldest first. With `branches=all`, of all branches.'),
  branches: z
    .record(z.string(), z.array(z.string()))
    .describe(
      'IDs of the alternatives to a message of the chosen branch, itself included, oldest first: edits of a question, and regenerated answers. By the ID of the message. Messages without alternatives are left out.',
    ),
});

export const conversationParams = z.object({
  conversationId: conversationIdSchema.describe('ID of the conversation.'),
});
export const conversationQuery = z.object({
  branches: z
    .enum(['chosen', 'all'])
    .default('chosen')
    .describe('Whose messages are returned: those of the chosen branch, or of all.'),
});
export const conversationsQuery = pageQuery.extend({
  workspaceId: idSchema.describe('ID of the workspace.'),
  q: z.string().trim().max(200).optional().describe('Words that the conversation must all contain.'),
});
export const changeBody = z
  .strictObject({
    title: z.string().trim().min(1).max(200).meta({ pattern: '\\S' }).optional(),
    pinned: fields.pinned.optional(),
    shared: fields.shared.optional(),
    leafId: z
      .string()
      .max(200)
      .optional()
      .describe('ID of a message whose branch is chosen, up to the latest message after it.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'must have title, pinned, shared, or leafId',
  })
  .meta({ minProperties: 1 });
export type ConversationChange = z.output<typeof changeBody>;
