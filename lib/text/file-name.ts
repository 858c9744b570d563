import { withoutBidiCharacters } from './bidi-characters.ts';
import { beginning } from './cut-text.ts';

/**
 * Makes a file name from untrusted text: one line without characters that are special to a file system, a header, or a
 * terminal. Bidirectional control characters are removed. The result can be empty.
 */
export function toFileName(text: string, maxUnits: number): string {
  const shown = withoutBidiCharacters(text.toWellFormed());
  return beginning(shown.replace(/[\p{Cc}\p{Zl}\p{Zp}\s\\/:*?"<>|]+/gu, ' ').trim(), maxUnits).trim();
}
