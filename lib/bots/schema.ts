import * as z from 'zod';
import { PLATFORMS, type Platform } from '../api-contract/chat-platforms.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { depthSchema } from '../research/request-schema.ts';
import { modeSchema } from '../runs/schema.ts';

const platformSchema = z.enum(PLATFORMS);

/** The platform's key of a file, which the chat's record stores. */
const fileKey = z.string().max(1000);

/**
 * IDs from the platforms, which become parts of keys and of queue groups. SQS allows up to 128 of these
 * characters.
 */
const outsideId = z.string().regex(/^[\x21-\x7e]{1,120}$/);

/** The maximum length of a rule's pattern in the value that a button returns. */
export const MAX_ALWAYS = 300;

const messageContentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('file'), key: fileKey, name: z.string() }),
  z.object({ type: z.literal('audio'), key: fileKey, durationMs: z.int().nullable() }),
  /** A button below an approval. */
  z.object({
    type: z.literal('answer'),
    approvalId: z.string(),
    approved: z.boolean(),
    always: z.string().max(MAX_ALWAYS).optional(),
  }),
  /** A message of an unsupported kind. The reply contains its name, such as `image`. */
  z.object({ type: z.literal('other'), name: z.string() }),
]);
export type MessageContent = z.infer<typeof messageContentSchema>;

export const personMessageSchema = z.object({
  kind: z.literal('message'),
  platform: platformSchema,
  chatId: outsideId,
  chatType: z.enum(['p2p', 'group']),
  senderId: outsideId,
  /**
   * The platform's ID of the message, or of an event without a message. Unique across all chats of the
   * platform.
   */
  messageId: outsideId,
  /** The message to which it replies, shown by the platform as a quote. */
  quotedId: outsideId.optional(),
  content: messageContentSchema,
  receivedAt: timestampSchema,
});
/** A person's message. Mentions of the bot are removed from its text. */
export type PersonMessage = z.infer<typeof personMessageSchema>;

/** A message on the queue `bot`: a person's message, or a notification that a chat or one of its reports has work. */
export const botMessageSchema = z.discriminatedUnion('kind', [
  personMessageSchema,
  z.object({
    kind: z.literal('follow'),
    platform: platformSchema,
    chatId: outsideId,
    runId: z.string().optional(),
  }),
]);
export type BotMessage = z.infer<typeof botMessageSchema>;

export interface ChatId {
  platform: Platform;
  chatId: string;
}

export interface HistoryMessage {
  role: 'user' | 'assistant';
  text: string;
}

/**
 * The message that a chat works on. The ID of its run is stored before the run starts, so a process that continues
 * after a crash starts the run only once.
 */
const activeRunSchema = z.object({
  runId: z.uuid(),
  message: personMessageSchema,
  /** Text of a file or a voice message, once it has been read. */
  reading: z.string().nullable(),
  /** Text of the quoted message, once it has been read. */
  quoted: z.string().nullable(),
  /** The conversation of the question and its answer; null until one is chosen. */
  conversationId: z.string().nullable(),
  startedAt: timestampSchema,
  /** The bot's message that shows the progress. */
  cardId: z.string().nullable(),
  /**
   * The open approvals. An approval's position is its number, even after others are answered. A message sent
   * before `at` answers none of them.
   */
  question: z.object({ ids: z.array(z.string()), at: timestampSchema }).nullable(),
  /** The approvals that the person was asked for, and can see. */
  asked: z.array(z.string()),
  /** The approvals that the person could see in full. Only these can be approved in the chat. */
  approvable: z.array(z.string()),
  /** Whether the chat was cleared in the meantime, so that its next message starts a new conversation. */
  forget: z.boolean(),
  /** The number of failures while working on it. */
  failures: z.int(),
});
export type ActiveRun = z.infer<typeof activeRunSchema>;

/** A file that a person sent to the chat. */
const fileOfChatSchema = z.object({
  messageId: outsideId,
  senderId: outsideId,
  key: fileKey,
  name: z.string(),
});
export type FileOfChat = z.infer<typeof fileOfChatSchema>;

const chatSchema = z.object({
  platform: platformSchema,
  chatId: z.string(),
  /** The real path of the directory that the chat is linked to. */
  workspacePath: z.string(),
  mode: modeSchema,
  /** The conversation that the next message continues; null if it starts one. */
  conversationId: z.string().nullable(),
  /** The previous conversation, which became full. The model still gets its latest messages. */
  earlierId: z.string().nullable(),
  activeRun: activeRunSchema.nullable(),
  /** The latest file, for a later `/check` or `/references`. */
  lastFile: fileOfChatSchema.nullable(),
  /** The number of writes. A write requires that the version is the one that was read. */
  version: z.int(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type Chat = z.infer<typeof chatSchema>;

export const chats = collection({
  kind: 'bot-chat',
  schema: chatSchema,
  key: (id: ChatId) => ({ partition: chatPartition(id), sort: 'CHAT' }),
});

function chatPartition({ platform, chatId }: ChatId): string {
  return `BOT_CHAT#${platform}#${chatId}`;
}

/** A waiting message. Its key is the same for each repeated delivery, and sorts by arrival. */
export const inbox = collection({
  kind: 'bot-message',
  schema: personMessageSchema,
  key: (message: ChatId & Pick<PersonMessage, 'receivedAt' | 'messageId'>) => ({
    partition: chatPartition(message),
    sort: `${INBOX}${message.receivedAt}#${message.messageId}`,
  }),
});

const INBOX = 'INBOX#';

export function inboxOf(chat: ChatId) {
  return { partition: chatPartition(chat), sortPrefix: INBOX };
}

const chatReportSchema = z.object({
  platform: platformSchema,
  chatId: z.string(),
  runId: z.string(),
  /** The message that requested the report or check. */
  message: personMessageSchema,
  /** The requested report, until its run has started. */
  wanted: z.object({ depth: depthSchema, question: z.string() }).nullable(),
  /** The draft to check: a file, or the text of the message. Null for a report. */
  check: z.object({ file: fileOfChatSchema.nullable(), references: z.boolean().default(false) }).nullable(),
  /** The number of failures while showing it. */
  failures: z.int(),
  expiresAt: z.int(),
});
export type ChatReport = z.infer<typeof chatReportSchema>;
export type WantedReport = NonNullable<ChatReport['wanted']>;
type ReportId = ChatId & { runId: string };

/** A report or a check to deliver to a chat. Deleted on delivery. The oldest comes first. */
export const chatReports = collection({
  kind: 'bot-report',
  schema: chatReportSchema,
  key: (id: ReportId) => ({ partition: chatPartition(id), sort: `${REPORT}${id.runId}` }),
  expiresAt: (report) => report.expiresAt,
});

const REPORT = 'REPORT#';

export function reportsOf(chat: ChatId) {
  return { partition: chatPartition(chat), sortPrefix: REPORT };
}

/** A chat, or a report that it waits for. */
export type ChatWork = ChatId & { runId?: string | undefined };

const leaseSchema = z.object({
  platform: platformSchema,
  chatId: z.string(),
  /** The report; absent if the work is for the chat itself. */
  runId: z.string().optional(),
  /** The current worker; empty if no worker has the chat. */
  owner: z.string(),
  /** The time by which the owner must send a heartbeat. After it, the scheduler tick checks on the chat. */
  until: timestampSchema,
  /** The number of messages that have arrived. A worker ends only after it has seen all of them. */
  wanted: z.int(),
});
export type ChatLease = z.infer<typeof leaseSchema>;

export const CHATS_DUE = 'BOT_DUE';

/**
 * A chat has one lease while it has work, and one for each report. The scheduler tick reads only those that
 * are due.
 */
export const chatLeases = collection({
  kind: 'bot-turn',
  schema: leaseSchema,
  key: ({ runId, ...chat }: ChatWork) => ({
    partition: chatPartition(chat),
    sort: runId === undefined ? 'TURN' : `TURN#${runId}`,
  }),
  index: ({ platform, chatId, runId, until }) => ({
    partition: CHATS_DUE,
    sort: `${until}#${platform}#${chatId}${runId === undefined ? '' : `#${runId}`}`,
  }),
});

const markSchema = z.object({
  platform: platformSchema,
  /** A received event, a handled message, or a sent reply. */
  kind: z.enum(['event', 'handled', 'sent']),
  id: z.string(),
  /** The platform's ID of the sent message. */
  sentAs: z.string().nullable(),
  expiresAt: z.int(),
});
export type Mark = z.infer<typeof markSchema>;

/** Marks an event that has happened, so that it isn't repeated. */
export const marks = collection({
  kind: 'bot-mark',
  schema: markSchema,
  key: ({ platform, kind, id }: Pick<Mark, 'platform' | 'kind' | 'id'>) => ({
    partition: `BOT_MARK#${platform}#${kind}#${id}`,
    sort: 'MARK',
  }),
  expiresAt: (mark) => mark.expiresAt,
});
