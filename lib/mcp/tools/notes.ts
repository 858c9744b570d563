import * as z from 'zod';
import { idSchema } from '../../identifiers.ts';
import { addNote, findNote, listNotes, updateNote } from '../../notes/notes.ts';
import { createNoteSchema } from '../../notes/schema.ts';
import type { McpPorts } from '../ports.ts';
import { findNamed } from './find-workspace.ts';
import { defineMcpTool, type McpTool, READS } from './tool.ts';

const MOST = 50;

export function noteTools(ports: McpPorts): McpTool[] {
  return [listNotesTool(ports), readNoteTool(ports), writeNoteTool(ports)];
}

function listNotesTool({ records }: McpPorts) {
  return defineMcpTool({
    name: 'list_notes',
    title: 'List notes',
    description:
      'Lists the notes of a workspace, newest first, with ID, title, and type. To get the text, use read_note.',
    access: 'viewer',
    input: z.strictObject({
      workspaceId: idSchema.describe('ID of a workspace from list_workspaces.'),
      cursor: z.string().max(200).optional().describe('`next` from the previous result.'),
    }),
    hints: READS,
    foreign: true,
    async run({ workspaceId, cursor }, context) {
      const { id } = await findNamed({ records }, context, workspaceId);
      const page = await listNotes(records, id, { limit: MOST, cursor });
      const notes = page.items.map(({ content, workspaceId: _, ...note }) => {
        return { ...note, characters: content.length };
      });
      return { notes, next: page.cursor };
    },
  });
}

function readNoteTool({ records }: McpPorts) {
  return defineMcpTool({
    name: 'read_note',
    title: 'Read a note',
    description: 'Returns a whole note as Markdown.',
    access: 'viewer',
    input: z.strictObject({ noteId: idSchema.describe('ID of a note from list_notes.') }),
    hints: READS,
    foreign: true,
    run: async ({ noteId }, { caller }) => findNote(records, caller, noteId),
  });
}

const { title, content } = createNoteSchema.shape;
const written = z.strictObject({
  workspaceId: idSchema.optional().describe('ID of the workspace, to create a note.'),
  noteId: idSchema.optional().describe('ID of an existing note, to change it.'),
  title: title.optional(),
  // Has no default: a default would empty the note when only its title is changed.
  content: content.unwrap().optional().describe('Content of the note, as Markdown.'),
});

function writeNoteTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'write_note',
    title: 'Write a note',
    description:
      'Creates a note in a workspace (with `workspaceId` and `title`), or changes the title or the content of an existing note (with `noteId`).',
    access: 'member',
    input: written
      .refine(({ workspaceId, noteId }) => (workspaceId === undefined) !== (noteId === undefined), {
        message: 'must have exactly one of workspaceId and noteId',
      })
      .refine(
        ({ noteId, title, content }) =>
          title !== undefined || (noteId !== undefined && content !== undefined),
        {
          message: 'must have a title, or noteId and content',
        },
      ),
    hints: { readOnly: false, destructive: true, openWorld: false },
    foreign: false,
    async run({ workspaceId, noteId, ...fields }, context) {
      const { caller } = context;
      if (noteId !== undefined) return short(await updateNote(ports, caller, noteId, fields));
      const { id } = await findNamed(ports, context, workspaceId ?? '');
      const note = createNoteSchema.parse({ ...fields, workspaceId: id });
      return short(await addNote(ports, caller.id, { ...note, type: 'manual' }));
    },
  });
}

function short({ id, title, updatedAt }: { id: string; title: string; updatedAt: string }) {
  return { id, title, updatedAt };
}
