import { withoutBidiCharacters } from './bidi-characters.ts';
import { beginning } from './cut-text.ts';

/**
 * A name for a file, made of a text that others wrote: one line without what a file system, a header or a terminal takes for
 * more. Marks that turn the direction of writing go without a trace. May be empty.
 */
export function toFileName(text: string, maxUnits: number): string {
  const shown = withoutBidiCharacters(text.toWellFormed());
  return beginning(shown.replace(/[\p{Cc}\p{Zl}\p{Zp}\s\\/:*?"<>|]+/gu, ' ').trim(), maxUnits).trim();
}
