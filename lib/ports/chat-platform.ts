/** The platforms as records and messages of the queue name them: `ima` is Feishu, `imb` is WeCom. */
export const PLATFORMS = ['ima', 'imb'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Those whose bot is switched on. */
export type ChatPlatforms = Partial<Record<Platform, ChatPlatform>>;

/** A platform of chats, as a bot sees it. The texts are Markdown; how they are shown, cut or split is the platform's. */
export interface ChatPlatform {
  /**
   * Shows it in the chat; answers the id of the message where it can be changed later. The same key within an hour shows
   * it once. Throws UpstreamFailed or TooManyRequests.
   */
  send(chatId: string, content: BotContent, options: SendOptions): Promise<string | undefined>;
  /** Shows something else in a message that `send` named. Absent where a platform cannot change what it sent. */
  change?(messageId: string, content: BotContent): Promise<void>;
  /** The ids of those approvals that a message with all of these would not show whole and to the letter. */
  cutApprovals(approvals: BotApproval[]): string[];
  /** The largest file that it takes. */
  maxFileBytes: number;
  /** Shows a file in the chat, once for a key as `send` does. Throws UpstreamFailed or TooManyRequests. */
  sendFile(chatId: string, file: ChatFile, options: Pick<SendOptions, 'key'>): Promise<void>;
  /** What a person sent along with a message. Throws TooLarge over `maxBytes`, without reading on. */
  download(messageId: string, fileKey: string, options: DownloadOptions): Promise<Uint8Array>;
  /** The platform's own speech service, for audio as people send it there. Throws InvalidInput for what it cannot read. */
  transcribe?(audio: Uint8Array, signal?: AbortSignal): Promise<string>;
}

export interface SendOptions {
  /** At most 50 characters. */
  key: string;
  /** The message of a person that this answers: a platform may bring it with the answer to its own request. */
  replyTo?: string;
}

export interface ChatFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface DownloadOptions {
  maxBytes: number;
  signal?: AbortSignal;
}

/** What a bot shows. */
export type BotContent =
  | { kind: 'text'; text: string }
  /** What nobody in the chat asked for: a message that was pushed. */
  | { kind: 'notice'; title: string; text: string }
  | {
      kind: 'progress';
      /** Calls of the model so far. */
      step: number;
      maxSteps: number;
      calls: BotCall[];
      /** What the model has said so far in this step. */
      text: string;
      /** The directory that the chat is bound to. */
      workspace: string;
      /** What waits for an answer of the person who asked. */
      approvals: BotApproval[];
      /** What the person must know of the answer beside it, each in a line. */
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
  /** The answer to a slash command; `command` without the slash. */
  | { kind: 'command'; command: string; ok: boolean; text: string };

export interface BotCall {
  toolName: string;
  /** Its arguments in a line. */
  summary: string;
  status: 'running' | 'done' | 'failed';
}

export interface BotApproval {
  id: string;
  /** The number by which a person can answer it; it stays the same while others are answered. */
  number: number;
  runId: string;
  toolName: string;
  /** What will be done, in a sentence. */
  summary: string;
  /** The exact arguments that the answer is about. */
  input: unknown;
  /** Whether the person sees all of it: what they do not see they can only refuse. */
  approvable: boolean;
  /** Where the whole of it is, or why it cannot be approved here; empty where the message shows it. */
  note: string;
  /** The rule that an answer can add, which allows exactly this from then on: its pattern. Null where none is offered. */
  always: string | null;
}
