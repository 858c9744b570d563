import type { StreamPart } from './stream-part.ts';

/** What the reader must know in addition to an answer. */
export function notice(code: string, text: string): StreamPart {
  return { type: 'data-notice', data: { code, text } };
}
