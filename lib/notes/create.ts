import { TooLarge } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { sanitizeLinks } from '../markdown/sanitize-links.ts';
import { timestamp } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { announceQuotes, settleQuotes } from '../quotations/records/keep-quotes.ts';
import { noteRef, quotesOfNote } from './note-quotes.ts';
import { type Note, notePlaces, notes } from './schema.ts';

/** Maximum bytes of the content; a record has at most 400 KB as JSON. */
export const MAX_CONTENT_BYTES = 392 * 1024;

export type NewNote = Pick<Note, 'workspaceId' | 'title' | 'content' | 'type'> & {
  /** The note's ID. Set it if several callers may write the same note, so that it is created once. */
  id?: string;
  reportDate?: string;
  /** The run of the research report, if the note is one. */
  runId?: string;
  createdBy?: string;
};

/**
 * Creates a note, or returns the existing note with this `id`. Text from a person stays unchanged; the links
 * of generated text are sanitized. `fileHashes` are those of quoted files that are known to contain the
 * quotes, so that a file that is deleted before its quotes are checked can be found by its bytes. Throws
 * TooLarge.
 */
export async function createNote(
  ports: TimedRecords,
  fields: NewNote,
  fileHashes: ReadonlyMap<string, string> = new Map(),
): Promise<Note> {
  const { records, clock } = ports;
  const content = fields.type === 'manual' ? fields.content : sanitizeLinks(fields.content);
  checkNoteContent(content);
  const now = timestamp(clock);
  const note: Note = { id: newId(), reportDate: null, ...fields, content, createdAt: now, updatedAt: now };
  const quotes = quotesOfNote(note).map((quote) => {
    return { ...quote, fileHash: fileHashes.get(quote.path) ?? quote.fileHash };
  });
  const stamp = await announceQuotes(ports, noteRef(note), quotes);
  await notePlaces.put(records, note);
  if (!(await notes.create(records, note))) return (await notes.get(records, note)) ?? note;
  await settleQuotes(ports, noteRef(note), quotes, stamp);
  return note;
}

/** Returns whether generated text is short enough once its links are sanitized. */
export function fitsInNote(content: string): boolean {
  return !isTooLong(sanitizeLinks(content));
}

function isTooLong(content: string): boolean {
  return Buffer.byteLength(JSON.stringify(content)) > MAX_CONTENT_BYTES;
}

export function checkNoteContent(content: string): void {
  if (isTooLong(content))
    throw new TooLarge(
      'note_too_large',
      `content can have at most ${MAX_CONTENT_BYTES / 1024} KB as JSON. Save longer text in a file.`,
      { field: 'content' },
    );
}
