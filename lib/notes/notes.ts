import type { Caller } from '../access/caller.ts';
import { recordActivity } from '../activity/record.ts';
import { type ActivityKind, activitiesPartition } from '../activity/schema.ts';
import { foldForSearch } from '../api-contract/fold-text.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, NotFound } from '../errors.ts';
import { timestamp } from '../ports/clock.ts';
import { ExpectationFailed, type Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { announceQuotes, dropQuotes, settleQuotes } from '../quotations/records/keep-quotes.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { type PageQuery, pageUpTo } from '../records/page.ts';
import { findWorkspace, WORKSPACE_ERRORS } from '../workspaces/access.ts';
import { checkNoteContent, createNote, type NewNote } from './create.ts';
import { noteRef, quotesOfNote } from './note-quotes.ts';
import { reportsPartition } from './report-claims.ts';
import { type Note, type NotesQuery, notePlaces, notes, notesPartition, type UpdateNote } from './schema.ts';

/** Error codes for a note that the caller names. */
export const NOTE_ERRORS = [...WORKSPACE_ERRORS, 'note_not_found'] as const satisfies ErrorCode[];

const READ_AT_ONCE = 50;

/** Lists the notes of a workspace with their content, newest first. A page ends early when notes are long. */
export async function listNotes(
  records: Records,
  workspaceId: string,
  { type, q = '', ...page }: PageQuery & Pick<NotesQuery, 'type' | 'q'>,
): Promise<{ items: Note[]; cursor?: string }> {
  const words = foldForSearch(q).split(/\s+/);
  return pageUpTo(
    (from) => notesFrom(records, workspaceId, from),
    page,
    (note) => (type === undefined || note.type === type) && hasWords(note, words),
  );
}

function hasWords({ title, content }: Note, words: string[]): boolean {
  const text = foldForSearch(`${title}\n${content}`);
  return words.every((word) => text.includes(word));
}

function notesFrom(records: Records, workspaceId: string, to: string | undefined): AsyncIterable<Note> {
  const partition = notesPartition(workspaceId);
  return notes.all(records, { partition, order: 'descending', to, limit: READ_AT_ONCE });
}

/** Returns the note, if the caller can access its workspace. Throws NotFound, and the errors of findWorkspace. */
export async function findNote(records: Records, caller: Caller, noteId: string): Promise<Note> {
  const place = await notePlaces.get(records, { id: noteId });
  if (place === undefined) throw new NotFound('note_not_found', 'This note does not exist.');
  const [note] = await Promise.all([
    notes.get(records, place),
    findWorkspace(records, caller, place.workspaceId),
  ]);
  if (note === undefined) throw new NotFound('note_not_found', 'This note does not exist.');
  return note;
}

/** Creates a note for a caller with access to the workspace. Throws TooLarge. */
export async function addNote(ports: TimedRecords, actor: string, fields: NewNote): Promise<Note> {
  checkNoteContent(fields.content);
  const [note] = await Promise.all([
    createNote(ports, { createdBy: actor, ...fields }),
    recordNote(ports, 'note_created', actor, fields),
  ]);
  return note;
}

/** Changes a note. Throws NotFound, TooLarge, and Conflict if the note changed after the caller read it. */
export async function updateNote(
  ports: TimedRecords,
  caller: Caller,
  noteId: string,
  { ifUpdatedAt, ...change }: UpdateNote,
): Promise<Note> {
  if (change.content !== undefined) checkNoteContent(change.content);
  const before = await findNote(ports.records, caller, noteId);
  const { workspaceId } = before;
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const set = { ...Object.fromEntries(given), updatedAt: timestamp(ports.clock) };
  const { content } = change;
  const quotes = content === undefined ? [] : quotesOfNote({ ...before, content });
  const concerned = content === undefined ? [] : [...quotesOfNote(before), ...quotes];
  const stamp = await announceQuotes(ports, noteRef(before), concerned);
  const expected = ifUpdatedAt === undefined ? undefined : { updatedAt: ifUpdatedAt };
  const note = await notes
    .update(ports.records, { workspaceId, id: noteId }, { set }, expected)
    .catch((error: unknown) => refuse(ports.records, caller, noteId, error));
  await settleQuotes(ports, noteRef(note), quotes, stamp);
  await recordNote(ports, 'note_changed', caller.id, note);
  return note;
}

/** Throws the error for a note that was deleted between two steps, or changed after it was read. */
async function refuse(records: Records, caller: Caller, noteId: string, error: unknown): Promise<never> {
  if (!(error instanceof ExpectationFailed)) throw error;
  const { updatedAt } = await findNote(records, caller, noteId);
  throw new Conflict(
    'changed_since_read',
    `This note was changed at ${updatedAt}, while you were editing. Read it again.`,
    { field: 'ifUpdatedAt' },
  );
}

/** Deletes a note. Throws NotFound. */
export async function deleteNote(ports: TimedRecords, caller: Caller, noteId: string): Promise<void> {
  const note = await findNote(ports.records, caller, noteId);
  await Promise.all([notes.delete(ports.records, note), recordNote(ports, 'note_deleted', caller.id, note)]);
  await dropQuotes(ports.records, [noteRef(note)]);
  await notePlaces.delete(ports.records, note);
}

const DONE = { note_created: 'Made', note_changed: 'Changed', note_deleted: 'Deleted' };

function recordNote(
  ports: TimedRecords,
  kind: ActivityKind & keyof typeof DONE,
  actor: string,
  { workspaceId, title }: Pick<Note, 'workspaceId' | 'title'>,
): Promise<void> {
  return recordActivity(ports, { workspaceId, kind, actor, summary: `${DONE[kind]} the note "${title}"` });
}

export function countNotes(records: Records, workspaceId: string): Promise<number> {
  return records.count({ partition: notesPartition(workspaceId) });
}

const AT_ONCE = 100;

/** Removes the notes of a deleted workspace, the sources of its reports, and the report claims. */
export async function dropNotes(records: Records, workspaceId: string): Promise<void> {
  for (;;) {
    const { items } = await notes.list(records, { partition: notesPartition(workspaceId), limit: AT_ONCE });
    if (items.length === 0) break;
    await notePlaces.deleteMany(records, items);
    await notes.deleteMany(records, items);
  }
  await dropPartition(records, activitiesPartition(workspaceId));
  await dropPartition(records, reportsPartition(workspaceId));
}
