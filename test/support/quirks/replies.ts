/**
 * A server's response to a request: a rejection, or lines of a stream. A number is a pause in milliseconds.
 */
export type Reply =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | { lines: Iterable<string | number>; headersAfterMs?: number; end?: 'close' | 'cut' | 'open' };

type Delta = Record<string, unknown>;

/** Returns a chunk of a stream. */
export function chunk(fields: Record<string, unknown>): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...fields })}\n\n`;
}

export function delta(piece: Delta): string {
  return chunk({ choices: [{ index: 0, delta: piece, finish_reason: null }] });
}

export function finish(reason: string | null): string {
  return chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
}

export const DONE = 'data: [DONE]\n\n';

/** Yields a text in parts of 24 characters, as deltas of one field. */
export function* pieces(text: string, field = 'content'): Iterable<string> {
  for (const piece of text.match(/[\s\S]{1,24}/gu) ?? []) yield delta({ [field]: piece });
}

/** Returns a complete answer: its thoughts in a separate field, its text, its end, and its usage. */
export function says(
  text: string,
  {
    thoughts = '',
    field = 'reasoning_content',
    reason = 'stop',
    promptTokens = 100,
  }: { thoughts?: string; field?: string; reason?: string; promptTokens?: number } = {},
): Reply {
  const usage = { prompt_tokens: promptTokens, completion_tokens: text.length / 4 };
  return {
    lines: [...pieces(thoughts, field), ...pieces(text), finish(reason), chunk({ choices: [], usage }), DONE],
  };
}

/** Returns an answer that calls tools, with deltas as a server sends them. */
export function calls(...toolCalls: Delta[]): Reply {
  return { lines: [...toolCalls.map((call) => delta({ tool_calls: [call] })), finish('tool_calls'), DONE] };
}

/** Returns a rejection in OpenAI's format. */
export function refuses(status: number, error: Delta | string, headers?: Record<string, string>): Reply {
  const body = { error: typeof error === 'string' ? { message: error } : error };
  return { status, body, ...(headers && { headers }) };
}
