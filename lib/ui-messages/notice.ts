import { WAITING } from '../api-contract/answer-notices.ts';
import type { StreamPart } from '../api-contract/stream-part.ts';

/** Returns a notice for the reader, in addition to an answer. */
export function notice(code: string, text: string): StreamPart {
  return { type: 'data-notice', data: { code, text } };
}

/** Returns a waiting notice, which replaces an earlier one. */
export function waitingNotice(tokens: number): StreamPart {
  const text = `Reading ${tokens.toLocaleString('en-US')} tokens…`;
  return { type: 'data-notice', id: WAITING, data: { code: WAITING, text, tokens } };
}
