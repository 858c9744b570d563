import type { StreamPart } from './stream-part.ts';

/** What the reader must know of an answer, beside it. */
export function notice(code: string, text: string): StreamPart {
  return { type: 'data-notice', data: { code, text } };
}
