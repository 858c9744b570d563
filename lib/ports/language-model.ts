import * as z from 'zod';
import type { ErrorCode } from '../error-codes.ts';

/** The codes with which a model provider fails or refuses: what lib/adapters/outbound/provider-failure.ts throws, and unusable answers. */
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

/** The codes of a model that isn't called at all: no provider is set up, or a budget is used up. */
export const MODEL_ADMISSION_ERRORS = [
  'budget_used_up',
  'model_not_configured',
] as const satisfies ErrorCode[];

/** The codes of routes that wait for a whole answer of a model. */
export const MODEL_ERRORS = [
  ...MODEL_ADMISSION_ERRORS,
  ...PROVIDER_ERRORS,
  'model_interrupted',
] as const satisfies ErrorCode[];

/** A language model that answers with a stream of typed events. */
export interface LanguageModel {
  readonly provider: ProviderId;
  readonly model: string;
  /** Accepts images. */
  readonly sees?: boolean;
  /**
   * Returns the model's window, as far as it is known; undefined if it isn't. The first call may wait for the server, for a limited time. What
   * a refusal or a cut prompt tells of it counts from then on. Never throws.
   */
  readWindow?(): Promise<ContextWindow | undefined>;
  /**
   * Streams one answer. The last event is always `finish`; a stream that ends without one, stalls, or breaks throws
   * UpstreamFailed with a text for the caller, from which keys and addresses are removed.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /**
   * Set for a model that may run on the person's own server: what is known of it, or undefined for a provider's. There, a prompt that
   * begins like the one before is read faster.
   */
  ownServer?(): Promise<OwnServer | undefined>;
  /**
   * Set for a model with budgets. Throws OverBudget if no call may start, so that a request can be rejected before the first
   * byte of its response; each call also checks on its own. Returns the warning for the reader when a budget is nearly used up.
   */
  admit?(): Promise<string | undefined>;
}

export interface OwnServer {
  /** How long it may be silent. */
  patienceMs: number;
  /** Undefined before its first answer. */
  tokensReadPerSecond: number | undefined;
}

/** A window as people set it. */
export const contextTokensSchema = z.int().min(512).max(100_000_000);

/** Where the size of a window is known from; `list`: the service's own list of hosted models. */
export const windowSourceSchema = z
  .enum(['settings', 'server', 'refusal', 'cut', 'list'])
  .meta({ title: 'WindowSource' })
  .describe(
    'Origin of the size: the settings, the model server, a refusal of the server, a prompt that the server cut, or the list of hosted models in the service.',
  );

/** What a model can read and write in one call. */
export interface ContextWindow {
  /** Tokens of the prompt and the answer together. */
  contextTokens: number;
  from: z.infer<typeof windowSourceSchema>;
}

/** OpenAI-compatible, Anthropic, Gemini: as requests and records name them. */
export const providerIdSchema = z.enum(['a', 'b', 'c']).meta({ title: 'ProviderId' });
export type ProviderId = z.infer<typeof providerIdSchema>;

export interface ModelRequest {
  system: string;
  messages: ModelMessage[];
  tools?: ModelTool[];
  maxOutputTokens?: number;
  /** The JSON that is wanted, which a server may then enforce. The answer is to be checked anyway. */
  responseSchema?: ResponseSchema;
  signal?: AbortSignal;
  /** Asks for no thoughts, where a server can leave them out: for calls whose answer is short. */
  thinking?: 'off';
  /**
   * `live`: a person reads along. `whole`: only the whole answer is used, so it may come in one piece, and waits for others where a
   * server answers one at a time.
   */
  reader?: 'live' | 'whole';
  /** Whether the call has lost its last reader: another one may need the server. */
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
  /** Its text, or a description of the image that follows. */
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
  /** The text so far was a thought: its end came without a beginning. Never for a reader of the `whole`. */
  | { type: 'text-was-reasoning' }
  /** The first piece takes long, at a server that reads this many tokens first. Only for a `live` reader. */
  | { type: 'waiting'; tokens: number }
  | { type: 'tool-call-start'; id: string; name: string }
  | { type: 'tool-call-delta'; id: string; text: string }
  | { type: 'tool-call'; call: ToolCall }
  /** The provider's rate limit is reached: the request is sent again after so many seconds. */
  | { type: 'rate-limited'; seconds: number }
  | {
      type: 'finish';
      reason: FinishReason;
      usage: Usage;
      /** The server read only a part of the prompt. */
      promptCut?: true;
    };

/** `repeats`: the model wrote the same again and again, so that it was stopped. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'repeats' | 'other';

/** Tokens; null if the provider doesn't say. */
export interface Usage {
  inputTokens: number | null;
  outputTokens: number | null;
}
