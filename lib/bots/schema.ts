import * as z from 'zod';
import { PLATFORMS, type Platform } from '../api-contract/chat-platforms.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { depthSchema } from '../research/request-schema.ts';
import { modeSchema } from '../runs/schema.ts';

const platformSchema = z.enum(PLATFORMS);

/** The platform's key of a file, stored in the chat's record. */
const fileKey = z.string().max(1000);

/** The platforms' own IDs, which become parts of keys and of queue groups. SQS allows 128 characters of this kind. */
const outsideId = z.string().regex(/^[\x21-\x7e]{1,120}$/);

/** The maximum length of a rule's pattern that a button returns. */
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
  /** A message of an unsupported kind. The name is for the reply: `image`. */
  z.object({ type: z.literal('other'), name: z.string() }),
]);
export type MessageContent = z.infer<typeof messageContentSchema>;

export const personMessageSchema = z.object({
  kind: z.literal('message'),
  platform: platformSchema,
  chatId: outsideId,
  chatType: z.enum(['p2p', 'group']),
  senderId: outsideId,
  /** The platform's ID of the message, or of an event without a message; unique over all chats of the platform. */
  messageId: outsideId,
  /** The message that it replies to, which the platform shows as a quote. */
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
  /** Text of a file or a voice message, once it was read. */
  reading: z.string().nullable(),
  /** Text of the message that is quoted, once it was read. */
  quoted: z.string().nullable(),
  /** The conversation of the question and its answer; null until it's decided. */
  conversationId: z.string().nullable(),
  startedAt: timestampSchema,
  /** The bot's message that shows the progress. */
  cardId: z.string().nullable(),
  /**
   * The open approvals. An approval's position is its number, even after others are answered. A message from before
   * `at` answers none of them.
   */
  question: z.object({ ids: z.array(z.string()), at: timestampSchema }).nullable(),
  /** The approvals that a person was asked for, and can see. */
  asked: z.array(z.string()),
  /** The approvals that the person could see completely. Only these can be approved in the chat. */
  approvable: z.array(z.string()),
  /** Whether the chat was cleared in the meantime, so that its next message starts another conversation. */
  forget: z.boolean(),
  /** The number of times that working on it failed. */
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
  /** The previous conversation, which was full. Its latest messages are still remembered. */
  earlierId: z.string().nullable(),
  activeRun: activeRunSchema.nullable(),
  /** The latest file, for a later `/check`. */
  lastFile: fileOfChatSchema.nullable(),
  /** The number of writes. Each one requires the version that was read. */
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

/** A waiting message. Its key is the same for repeated deliveries, and sorts by arrival. */
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
  /** The message that requested it. */
  message: personMessageSchema,
  /** The requested report, until its run has started. */
  wanted: z.object({ depth: depthSchema, question: z.string() }).nullable(),
  /** The draft to check: a file, or the text of the message. Null for a report. */
  check: z.object({ file: fileOfChatSchema.nullable() }).nullable(),
  /** The number of times that showing it failed. */
  failures: z.int(),
  expiresAt: z.int(),
});
export type ChatReport = z.infer<typeof chatReportSchema>;
export type WantedReport = NonNullable<ChatReport['wanted']>;
type ReportId = ChatId & { runId: string };

/** A report, or a draft's check, to deliver to a chat. Deleted on delivery. The oldest comes first. */
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
  /** The report; absent for the chat itself. */
  runId: z.string().optional(),
  /** The current worker; empty if there is none. */
  owner: z.string(),
  /** The time by which the owner sends a heartbeat, or the tick looks after the chat. */
  until: timestampSchema,
  /** The number of arrived messages. A worker ends only when it has seen them all. */
  wanted: z.int(),
});
export type ChatLease = z.infer<typeof leaseSchema>;

export const CHATS_DUE = 'BOT_DUE';

/** Exists while a chat has work, plus one lease for each report. The scheduler tick reads only those that are due. */
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

/** Marks that something has happened, so that it isn't repeated. */
export const marks = collection({
  kind: 'bot-mark',
  schema: markSchema,
  key: ({ platform, kind, id }: Pick<Mark, 'platform' | 'kind' | 'id'>) => ({
    partition: `BOT_MARK#${platform}#${kind}#${id}`,
    sort: 'MARK',
  }),
  expiresAt: (mark) => mark.expiresAt,
});
