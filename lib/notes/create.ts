import { TooLarge } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { sanitizeLinks } from '../markdown/sanitize-links.ts';
import { timestamp } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { type Note, notePlaces, notes } from './schema.ts';

/** A record has at most 400 KB as JSON: this much of it may be content. */
export const MAX_CONTENT_BYTES = 392 * 1024;

export type NewNote = Pick<Note, 'workspaceId' | 'title' | 'content' | 'type'> & {
  /** Given where several may write the same note: it is made once. */
  id?: string;
  reportDate?: string;
};

/**
 * Keeps a note; with an `id` that has one already, the note that is there. What a person wrote is kept as it is, the links of
 * what a model wrote are made harmless. Throws TooLarge.
 */
export async function createNote({ records, clock }: TimedRecords, fields: NewNote): Promise<Note> {
  const content = fields.type === 'manual' ? fields.content : sanitizeLinks(fields.content);
  checkNoteContent(content);
  const now = timestamp(clock);
  const note: Note = { id: newId(), reportDate: null, ...fields, content, createdAt: now, updatedAt: now };
  await notePlaces.put(records, note);
  if (await notes.create(records, note)) return note;
  return (await notes.get(records, note)) ?? note;
}

/** Whether what a model wrote is short enough, with its links made harmless. */
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
