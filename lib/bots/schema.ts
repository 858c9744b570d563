import * as z from 'zod';
import { PLATFORMS, type Platform } from '../api-contract/chat-platforms.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { depthSchema } from '../research/request-schema.ts';
import { modeSchema } from '../runs/schema.ts';

const platformSchema = z.enum(PLATFORMS);

/** The platform's key of a file: it is kept in the record of the chat. */
const fileKey = z.string().max(1000);

/** The platforms' own ids become parts of keys and of queue groups: SQS takes 128 characters, and these alone. */
const outsideId = z.string().regex(/^[\x21-\x7e]{1,120}$/);

/** The pattern of a rule, as a button brings it back. */
export const MAX_ALWAYS = 300;

const messageContentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('file'), key: fileKey, name: z.string() }),
  z.object({ type: z.literal('audio'), key: fileKey, durationMs: z.int().nullable() }),
  /** A button under an approval. */
  z.object({
    type: z.literal('answer'),
    approvalId: z.string(),
    approved: z.boolean(),
    always: z.string().max(MAX_ALWAYS).optional(),
  }),
  /** A message of an unsupported kind; the name is for the reply: `image`. */
  z.object({ type: z.literal('other'), name: z.string() }),
]);
export type MessageContent = z.infer<typeof messageContentSchema>;

export const personMessageSchema = z.object({
  kind: z.literal('message'),
  platform: platformSchema,
  chatId: outsideId,
  chatType: z.enum(['p2p', 'group']),
  senderId: outsideId,
  /** The platform's id of the message, or of the event that is no message. */
  messageId: outsideId,
  /** The message that it answers: the platform shows it as a quote. */
  quotedId: outsideId.optional(),
  content: messageContentSchema,
  receivedAt: timestampSchema,
});
/** A person's message. Mentions of the bot are removed from its text. */
export type PersonMessage = z.infer<typeof personMessageSchema>;

/**
 * A message on the queue `bot`: what a person sent, or the word that a chat, or a report in it, has something to work
 * off.
 */
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
 * The message that a chat works on. The ID of its run is stored before the run starts: a process that continues after a crash
 * starts it once.
 */
const activeRunSchema = z.object({
  runId: z.uuid(),
  message: personMessageSchema,
  /** Text of a file or a voice message, once it was read. */
  reading: z.string().nullable(),
  /** Text of the message that is quoted, once it was read. */
  quoted: z.string().nullable(),
  /** Where it is kept what was asked and answered; null until it is decided. */
  conversationId: z.string().nullable(),
  startedAt: timestampSchema,
  /** The message of the bot that shows how far it is. */
  cardId: z.string().nullable(),
  /**
   * What waits for a person's answer: the place of an approval in it is its number, also when others are answered. A
   * message that came before `at` answers none of them.
   */
  question: z.object({ ids: z.array(z.string()), at: timestampSchema }).nullable(),
  /** The approvals that a person was asked for, and can see. */
  asked: z.array(z.string()),
  /** The approvals that the person could see whole: only these can be approved in the chat. */
  approvable: z.array(z.string()),
  /** The chat was cleared meanwhile: its next message begins another conversation than this one's. */
  forget: z.boolean(),
  /** How often working on it failed. */
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
  /** The real location of the directory that the chat is bound to. */
  workspacePath: z.string(),
  mode: modeSchema,
  /** The conversation that the next message continues; null: it starts one. */
  conversationId: z.string().nullable(),
  /** The one before it, which was full: what was said last in it is still remembered. */
  earlierId: z.string().nullable(),
  activeRun: activeRunSchema.nullable(),
  /** The latest file, for a `/check` after it. */
  lastFile: fileOfChatSchema.nullable(),
  /** Counts the writes: each one expects the version that was read. */
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

/** A message that waits for its turn. Its key is the same however often it is delivered, and sorts by its arrival. */
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
  /** How often it could not be shown. */
  failures: z.int(),
  expiresAt: z.int(),
});
export type ChatReport = z.infer<typeof chatReportSchema>;
export type WantedReport = NonNullable<ChatReport['wanted']>;
type ReportId = ChatId & { runId: string };

/** A report, or the check of a draft, that a chat is to get. It goes when the chat has it; the oldest is the first. */
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
  /** The report that it is about; absent: it is the chat's own. */
  runId: z.string().optional(),
  /** The current worker; empty = none. */
  owner: z.string(),
  /** The time by which the owner sends a heartbeat, or the tick looks after the chat. */
  until: timestampSchema,
  /** Counts the messages that came: a worker ends only when it has seen them all. */
  wanted: z.int(),
});
export type ChatLease = z.infer<typeof leaseSchema>;

export const CHATS_DUE = 'BOT_DUE';

/**
 * Exists while a chat has something to work off, and one for each report. The minute tick reads only those that are due.
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
  /** An event that came, a message that is worked off, a reply that went out. */
  kind: z.enum(['event', 'handled', 'sent']),
  id: z.string(),
  /** The platform's id of what was sent. */
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
