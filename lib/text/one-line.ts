import { withoutBidiCharacters } from './bidi-characters.ts';
import { beginning } from './cut-text.ts';

/** Names, paths, and claims are untrusted: here they become text on one line. */
export function toLine(text: string, length: number): string {
  const plain = withoutBidiCharacters(text.toWellFormed()).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length <= length ? plain : `${beginning(plain, length - 1)}…`;
}
