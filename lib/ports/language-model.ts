import * as z from 'zod';
import type { ErrorCode } from '../error-codes.ts';

/**
 * Error codes for a model provider's failures and refusals (lib/adapters/outbound/provider-failure.ts), and for
 * unusable answers.
 */
export const PROVIDER_ERRORS = [
  'model_answer_unusable',
  'model_certificate_refused',
  'model_content_refused',
  'model_credential_refused',
  'model_failed',
  'model_loading',
  'model_not_found',
  'model_overloaded',
  'model_quota_used_up',
  'model_rate_limited',
  'model_request_refused',
  'model_roles_refused',
  'model_timeout',
  'model_tools_refused',
  'model_unreachable',
  'model_url_wrong',
  'model_window_exceeded',
] as const satisfies ErrorCode[];

/** Error codes for a model that isn't called, because no provider is configured or a budget is used up. */
export const MODEL_ADMISSION_ERRORS = [
  'budget_used_up',
  'model_not_configured',
] as const satisfies ErrorCode[];

/** Error codes of routes that wait for a model's whole answer. */
export const MODEL_ERRORS = [
  ...MODEL_ADMISSION_ERRORS,
  ...PROVIDER_ERRORS,
  'model_interrupted',
] as const satisfies ErrorCode[];

/** A language model that answers with a stream of typed events. */
export interface LanguageModel {
  readonly provider: ProviderId;
  readonly model: string;
  /** True if it accepts images. */
  readonly sees?: boolean;
  /**
   * Returns the model's context window; undefined if it isn't known. The first call may wait for the server,
   * for a limited time. Later calls take into account what a refusal or a truncated prompt revealed. Never
   * throws.
   */
  readWindow?(): Promise<ContextWindow | undefined>;
  /**
   * Streams one answer. The last event is always `finish`. Throws UpstreamFailed if the stream ends without it, stalls,
   * or breaks; the message is for the caller, without keys and URLs.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /**
   * Set for a model that may run on a self-hosted server. Returns the server's properties, or undefined for a provider.
   * Such a server reads a prompt faster if it starts like the previous prompt.
   */
  ownServer?(): Promise<OwnServer | undefined>;
  /**
   * Set for a model with budgets. Throws OverBudget if no call may start, so that a request can be rejected before the
   * first byte of its response; each call also checks this itself. Returns a warning for the reader when a budget is
   * nearly used up.
   */
  admit?(): Promise<string | undefined>;
}

export interface OwnServer {
  /** Milliseconds for which the server may be silent. */
  patienceMs: number;
  /** Undefined before the server's first answer. */
  tokensReadPerSecond: number | undefined;
}

/** A context window as set by people. */
export const contextTokensSchema = z.int().min(512).max(100_000_000);

/** How a window's size is known. `list` is the service's own list of hosted models. */
export const windowSourceSchema = z
  .enum(['settings', 'server', 'refusal', 'cut', 'list'])
  .meta({ title: 'WindowSource' })
  .describe(
    'Origin of the size: the settings, the model server, a refusal of the server, a prompt that the server cut, or the list of hosted models in the service.',
  );

/** How many tokens a model can read and write in one call. */
export interface ContextWindow {
  /** Tokens of the prompt and the answer together. */
  contextTokens: number;
  from: z.infer<typeof windowSourceSchema>;
}

/** OpenAI-compatible, Anthropic, or Gemini, as named in requests and records. */
export const providerIdSchema = z.enum(['a', 'b', 'c']).meta({ title: 'ProviderId' });
export type ProviderId = z.infer<typeof providerIdSchema>;

export interface ModelRequest {
  system: string;
  messages: ModelMessage[];
  tools?: ModelTool[];
  maxOutputTokens?: number;
  /** The schema of the expected JSON, which a server may enforce. The caller must check the answer anyway. */
  responseSchema?: ResponseSchema;
  signal?: AbortSignal;
  /** Disables reasoning, if the server can, for calls with short answers. */
  thinking?: 'off';
  /**
   * `live`: a person reads the answer as it arrives. `whole`: only the whole answer is used, so it may arrive
   * at once, and wait for other calls if a server handles one at a time.
   */
  reader?: 'live' | 'whole';
  /** Returns true if no one reads the answer any longer, because another call may need the server. */
  isAbandoned?: (() => boolean) | undefined;
}

interface ResponseSchema {
  /** Letters, digits, `_`, and `-`. */
  name: string;
  schema: Record<string, unknown>;
}

export type ModelMessage =
  | { role: 'user'; content: string; attachments?: ModelAttachment[] }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string; isError?: boolean };

/** An attachment of a message, before its own text. */
export interface ModelAttachment {
  name: string;
  /** The attachment's text, or a description of the image that follows. */
  text: string;
  picture?: { mediaType: PictureType; base64: string };
}

/** Types that the models of all vendors accept. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  inputSchema: Record<string, unknown>;
}

export interface ToolCall {
  id: string;
  name: string;
  /** The arguments as the model wrote them: JSON text, not validated. */
  input: string;
  /** Opaque data (signatures) that the provider expects with this call in later requests. */
  echo?: Record<string, unknown>;
}

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** The text so far was reasoning: its end arrived without a start. Never sent to a `whole` reader. */
  | { type: 'text-was-reasoning' }
  /**
   * The first chunk takes long, because the server must read this many tokens first. Sent only to a `live`
   * reader.
   */
  | { type: 'waiting'; tokens: number }
  | { type: 'tool-call-start'; id: string; name: string }
  | { type: 'tool-call-delta'; id: string; text: string }
  | { type: 'tool-call'; call: ToolCall }
  /** The provider's rate limit is reached. The request is retried after this many seconds. */
  | { type: 'rate-limited'; seconds: number }
  | {
      type: 'finish';
      reason: FinishReason;
      usage: Usage;
      /** True if the server read only part of the prompt. */
      promptCut?: true;
    };

/** `repeats`: the model was stopped because it repeated the same text. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'repeats' | 'other';

/** Numbers of tokens; null if the provider doesn't report one. */
export interface Usage {
  inputTokens: number | null;
  outputTokens: number | null;
}
