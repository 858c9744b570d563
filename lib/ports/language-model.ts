import * as z from 'zod';

/** A language model that answers as a stream of typed events. */
export interface LanguageModel {
  readonly provider: ProviderId;
  readonly model: string;
  /** Pictures may be sent to it. */
  readonly sees?: boolean;
  /**
   * Streams one answer. The last event is always `finish`; a stream that ends without one, stalls, or breaks throws
   * UpstreamFailed with a text for the caller (never the provider's own, which may carry keys).
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /**
   * Set for a model that must keep to budgets. Throws OverBudget when no call may begin, so that a request can be
   * refused before the first byte of its answer; each call also checks by itself. Answers what the reader is told when a
   * budget is nearly used up.
   */
  admit?(): Promise<string | undefined>;
}

/** OpenAI and what speaks its protocol, Anthropic, Gemini: as requests and records name them. */
export const providerIdSchema = z.enum(['a', 'b', 'c']).meta({ title: 'ProviderId' });
export type ProviderId = z.infer<typeof providerIdSchema>;

export interface ModelRequest {
  system: string;
  messages: ModelMessage[];
  tools?: ModelTool[];
  maxOutputTokens?: number;
  signal?: AbortSignal;
}

export type ModelMessage =
  | { role: 'user'; content: string; attachments?: ModelAttachment[] }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string; isError?: boolean };

/** What came with a message, before its own text. */
export interface ModelAttachment {
  name: string;
  /** Its text, or what is said of the picture that follows. */
  text: string;
  picture?: { mediaType: PictureType; base64: string };
}

/** Those that every maker's models take. */
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
  /** The arguments as the model wrote them: JSON text, not checked. */
  input: string;
  /** What the provider wants to see again with this call in later requests (signatures); opaque. */
  echo?: Record<string, unknown>;
}

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool-call-start'; id: string; name: string }
  | { type: 'tool-call-delta'; id: string; text: string }
  | { type: 'tool-call'; call: ToolCall }
  | { type: 'finish'; reason: FinishReason; usage: Usage };

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other';

/** Tokens; null where the provider does not say. */
export interface Usage {
  inputTokens: number | null;
  outputTokens: number | null;
}
