import { withoutBidiCharacters } from './bidi-characters.ts';
import { beginning } from './cut-text.ts';

/** Returns untrusted text, such as a name, path, or claim, on one line. */
export function toLine(text: string, length: number): string {
  const plain = withoutBidiCharacters(text.toWellFormed()).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length <= length ? plain : `${beginning(plain, length - 1)}…`;
}
