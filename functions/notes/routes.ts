import * as z from 'zod';
import { DELETED, deletedSchema, reply, replyPage } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { addNote, deleteNote, findNote, listNotes, NOTE_ERRORS, updateNote } from '../../lib/notes/notes.ts';
import {
  createNoteSchema,
  type Note,
  noteParams,
  notesQuery,
  signedNoteSchema,
  updateNoteSchema,
} from '../../lib/notes/schema.ts';
import { withNames } from '../../lib/people/names.ts';
import type { Records } from '../../lib/ports/records.ts';

const route = routeFor<HttpPorts>();

export const noteRoutes = [
  route({
    method: 'GET',
    path: '/api/notes',
    operationId: 'listNotes',
    summary: 'List notes',
    description:
      'Returns the notes of a workspace with their content, newest first. With `q` and `type`, returns only matching notes. A page may contain fewer items than its `limit`, or none; continue with `x-next-cursor`.',
    access: 'viewer',
    query: notesQuery,
    replies: { 200: z.array(signedNoteSchema) },
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, query }, { records }) =>
      replyPage(await signedPage(records, await listNotes(records, workspace.id, query))),
  }),
  route({
    method: 'POST',
    path: '/api/notes',
    operationId: 'createNote',
    summary: 'Create a note',
    description: 'A note has at most 392 KB.',
    access: 'member',
    body: createNoteSchema,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      title: 'Owls',
      content: 'They hunt at night.',
    },
    replies: { 201: signedNoteSchema },
    errors: ['note_too_large'],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ body, caller }, ports) =>
      reply(201, await addNote(ports, caller.id, { ...body, type: 'manual' })),
  }),
  route({
    method: 'GET',
    path: '/api/notes/{noteId}',
    operationId: 'getNote',
    summary: 'Get a note',
    access: 'viewer',
    params: noteParams,
    replies: { 200: signedNoteSchema },
    errors: [...NOTE_ERRORS],
    handle: async ({ params, caller }, { records }) =>
      reply(200, await signed(records, await findNote(records, caller, params.noteId))),
  }),
  route({
    method: 'PUT',
    path: '/api/notes/{noteId}',
    operationId: 'updateNote',
    summary: 'Update a note',
    description:
      'Changes the title, the content, or both. Send `ifUpdatedAt` so that a change made in the meantime is not overwritten: notes have no ETag, and `If-Match` has no effect.',
    access: 'member',
    params: noteParams,
    body: updateNoteSchema,
    example: { content: 'They hunt at night, and rest by day.' },
    replies: { 200: signedNoteSchema },
    errors: [...NOTE_ERRORS, 'changed_since_read', 'note_too_large'],
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await signed(ports.records, await updateNote(ports, caller, params.noteId, body))),
  }),
  route({
    method: 'DELETE',
    path: '/api/notes/{noteId}',
    operationId: 'deleteNote',
    summary: 'Delete a note',
    access: 'member',
    params: noteParams,
    audit: 'notes.delete',
    replies: { 200: deletedSchema },
    errors: [...NOTE_ERRORS],
    async handle({ params, caller }, ports) {
      await deleteNote(ports, caller, params.noteId);
      return reply(200, DELETED);
    },
  }),
];

async function signedPage<Page extends { items: Note[] }>(records: Records, page: Page) {
  return {
    ...page,
    items: await withNames(records, page.items, 'createdByName', ({ createdBy }) => createdBy),
  };
}

async function signed(records: Records, note: Note) {
  const { items } = await signedPage(records, { items: [note] });
  return items[0] ?? note;
}
