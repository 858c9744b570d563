import { Conflict, InvalidInput, TooLarge } from '../../errors.ts';
import { MAX_READ_BYTES } from '../../files/schema.ts';
import { lineAt, lineStarts } from '../../formats/lines.ts';

export interface Edit {
  oldText: string;
  newText: string;
  replaceAll?: boolean;
}

/** The result of one edit, in the text after all edits. */
export interface AppliedEdit {
  /** The lines at which replacements start, at most a hundred. */
  lines: number[];
  replaced: number;
}

const MAX_LINES = 100;
/** The number of occurrences to list if a text should be unique but isn't. */
const MAX_NAMED = 5;

/**
 * Makes exact replacements one after another, each in the result of the previous one. Throws Conflict if an
 * old text is missing, or occurs several times without replaceAll; in that case, nothing is replaced.
 */
export function applyEdits(original: string, edits: Edit[]): { text: string; changes: AppliedEdit[] } {
  let text = original;
  const places: number[][] = [];
  for (const [index, edit] of edits.entries()) {
    const found = findAll(text, edit, `edits.${index}.oldText`);
    checkSize(text, edit, found.length);
    const grown = edit.newText.length - edit.oldText.length;
    for (const earlier of places) move(earlier, found, edit);
    places.push(found.map((at, number) => at + number * grown));
    text = replaceAt(text, found, edit);
  }
  const starts = lineStarts(text);
  const changes = places.map((found) => ({
    lines: found.slice(0, MAX_LINES).map((at) => lineAt(starts, at)),
    replaced: found.length,
  }));
  return { text, changes };
}

/** Finds the old text. It isn't unique if another occurrence overlaps it. */
function findAll(text: string, { oldText, replaceAll = false }: Edit, field: string): number[] {
  if (oldText === '') throw new InvalidInput('invalid_value', `${field} can't be empty.`, { field });
  const found = indexesOf(text, oldText, replaceAll ? undefined : { step: 1, most: MAX_NAMED });
  if (found.length === 0)
    throw new Conflict('edit_text_not_found', `${field} wasn't found. ${hintFor(text, oldText)}`, { field });
  if (found.length > 1 && !replaceAll) {
    const starts = lineStarts(text);
    const lines = found.map((at) => lineAt(starts, at)).join(', ');
    throw new Conflict(
      'edit_text_ambiguous',
      `${field} was found more than once (lines ${lines}). Include more of the surrounding text.`,
      { field },
    );
  }
  return found;
}

function indexesOf(text: string, part: string, { step = part.length, most = Number.POSITIVE_INFINITY } = {}) {
  const found: number[] = [];
  let at = text.indexOf(part);
  while (at !== -1 && found.length < most) {
    found.push(at);
    at = text.indexOf(part, at + step);
  }
  return found;
}

/** Hints at the two most frequent mistakes. */
function hintFor(text: string, oldText: string): string {
  if (text.includes('\r\n') && !oldText.includes('\r\n') && text.includes(oldText.replaceAll('\n', '\r\n')))
    return 'The lines of this file end in \\r\\n.';
  const squeeze = (some: string) => some.replace(/\s+/g, ' ').trim();
  if (squeeze(text).includes(squeeze(oldText)))
    return 'It appears only with different whitespace, which must match exactly.';
  return 'It must match the file exactly. Read the file again.';
}

function checkSize(text: string, { oldText, newText }: Edit, times: number): void {
  const size = text.length + times * (newText.length - oldText.length);
  if (size > MAX_READ_BYTES)
    throw new TooLarge('file_too_large', 'edits would make the file larger than 5 MB.', { field: 'edits' });
}

/** Moves earlier positions by the length inserted or removed before them. */
function move(places: number[], found: number[], { oldText, newText }: Edit): void {
  const grown = newText.length - oldText.length;
  for (const [index, place] of places.entries()) {
    const before = countUpTo(found, place - oldText.length);
    const around = found[before];
    const inside = around !== undefined && around <= place;
    places[index] = (inside ? around : place) + before * grown;
  }
}

/** Returns how many of the sorted positions don't exceed this value. */
function countUpTo(places: number[], most: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

function replaceAt(text: string, found: number[], { oldText, newText }: Edit): string {
  const pieces: string[] = [];
  let from = 0;
  for (const at of found) {
    pieces.push(text.slice(from, at), newText);
    from = at + oldText.length;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}
