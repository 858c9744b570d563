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

/** Encodes a file name for the parameter `filename*` of a header (RFC 8187). */
export function encodeFileName(name: string): string {
  return `UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escapeByte)}`;
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
