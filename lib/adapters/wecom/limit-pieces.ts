import { MAX_TEXT_BYTES, splitText } from './split-text.ts';

/**
 * Maximum messages per text. WeCom silently drops more than 30 messages per minute to a person, and other
 * texts need some of these.
 */
const MAX_PIECES = 20;
/** Bytes of the notice, with any number in it. */
const NOTE_BYTES = 200;

/** Splits a text into messages. If it's too long, the last message says how much was omitted. */
export function limitPieces(text: string, maxPieces = MAX_PIECES): string[] {
  const pieces = splitText(text);
  if (pieces.length <= maxPieces) return pieces;
  const shown = pieces.slice(0, maxPieces - 1);
  const rest = pieces.slice(maxPieces - 1).join('');
  const [last = ''] = splitText(rest, MAX_TEXT_BYTES - NOTE_BYTES);
  return [...shown, `${last}${note(rest.length - last.length)}`];
}

function note(leftOut: number): string {
  return `\n… and ${leftOut} more characters, too many for this chat. Ask for the rest, or for the whole text as a file.`;
}
