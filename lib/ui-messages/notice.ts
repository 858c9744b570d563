import type { StreamPart } from '../api-contract/stream-part.ts';

/** A notice for the reader in addition to an answer. */
export function notice(code: string, text: string): StreamPart {
  return { type: 'data-notice', data: { code, text } };
}
