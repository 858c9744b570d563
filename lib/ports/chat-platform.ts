import type { Platform } from '../api-contract/chat-platforms.ts';
import type { ErrorCode } from '../error-codes.ts';

/** Error codes for calls to a chat platform. */
export const CHAT_PLATFORM_ERRORS = [
  'chat_platform_answer_unusable',
  'chat_platform_credential_refused',
  'chat_platform_rate_limited',
  'chat_platform_refused',
  'chat_platform_unreachable',
  'response_too_large',
] as const satisfies ErrorCode[];

/** The platforms whose bot is enabled. */
export type ChatPlatforms = Partial<Record<Platform, ChatPlatform>>;

/**
 * A chat platform from a bot's point of view. Texts are Markdown; the platform decides how they are shown,
 * truncated, or split.
 */
export interface ChatPlatform {
  /**
   * Sends a message to the chat. Returns its ID if it can be changed later. Within an hour, the same key
   * sends it once; the adapter of a platform without such keys remembers what it sent. Throws UpstreamFailed
   * or TooManyRequests.
   */
  send(chatId: string, content: BotContent, options: SendOptions): Promise<string | undefined>;
  /** Replaces a message by the ID that `send` returned. Absent if a platform can't change sent messages. */
  change?(messageId: string, content: BotContent): Promise<void>;
  /** Returns the IDs of the approvals that a message with all of them wouldn't show completely and exactly. */
  cutApprovals(approvals: BotApproval[]): string[];
  /** The largest file that the platform accepts, in bytes. */
  maxFileBytes: number;
  /** Sends a file to the chat, once per key like `send`. Throws UpstreamFailed or TooManyRequests. */
  sendFile(chatId: string, file: ChatFile, options: Pick<SendOptions, 'key'>): Promise<void>;
  /** Downloads an attachment of a user's message. Throws TooLarge over `maxBytes`, without reading further. */
  download(messageId: string, fileKey: string, options: DownloadOptions): Promise<Uint8Array>;
  /** Returns a message of a chat in the form of Feishu's callbacks (lib/bots/feishu/content.ts). Throws UpstreamFailed or TooManyRequests. */
  fetchMessage?(messageId: string, signal?: AbortSignal): Promise<unknown>;
  /**
   * Transcribes audio in the platform's own format with its speech service. Throws InvalidInput for
   * unreadable audio.
   */
  transcribe?(audio: Uint8Array, signal?: AbortSignal): Promise<string>;
}

interface SendOptions {
  /** At most 50 characters. */
  key: string;
  /** The message that this one answers. A platform may send it as the response to its own request. */
  replyTo?: string;
}

export interface ChatFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

interface DownloadOptions {
  maxBytes: number;
  signal?: AbortSignal;
}

/** The content of a bot's message. */
export type BotContent =
  | { kind: 'text'; text: string }
  /** A pushed message that isn't a reply. */
  | { kind: 'notice'; title: string; text: string }
  | {
      kind: 'progress';
      /** Number of model calls so far. */
      step: number;
      maxSteps: number;
      calls: BotCall[];
      /** The model's text in this step so far. */
      text: string;
      /** The directory that the chat is bound to. */
      workspace: string;
      /** Approvals that wait for the person who asked. */
      approvals: BotApproval[];
      /** Notices in addition to the answer, one per line. */
      notices: string[];
    }
  | {
      kind: 'final';
      calls: BotCall[];
      text: string;
      workspace: string;
      seconds: number;
      notices: string[];
    }
  | { kind: 'error'; text: string }
  /** The response to a slash command. `command` has no slash. */
  | { kind: 'command'; command: string; ok: boolean; text: string };

export interface BotCall {
  toolName: string;
  /** The call's arguments on one line. */
  summary: string;
  status: 'running' | 'done' | 'failed';
}

export interface BotApproval {
  id: string;
  /** The number with which a person can answer the approval. It stays the same while others are answered. */
  number: number;
  runId: string;
  toolName: string;
  /** The action, in one sentence. */
  summary: string;
  /** The exact arguments that are approved. */
  input: unknown;
  /** True if the person sees the whole call. A call that they can't see in full can only be denied. */
  approvable: boolean;
  /** Where to see the whole call, or why it can't be approved here. Empty if the message shows it. */
  note: string;
  /**
   * The pattern of the rule that an "always" answer adds. It allows exactly this call from then on. Null if
   * no rule is offered.
   */
  always: string | null;
}
