import { text as readAll } from 'node:stream/consumers';
import { UsageError } from '../../infra/command-line.ts';
import { type Call, type Command, textOf } from '../command.ts';
import { readFolder } from '../folder-and-text.ts';
import { bold, cleanLine, dim, print, printJson, printLine, tellLine } from '../terminal.ts';
import { openClient, openWorkspace } from '../workspace.ts';

const PAGE = 1000;

export const notes: Command = {
  name: 'notes',
  usage: 'list [FOLDER] | show ID | add [FOLDER] --title TITLE [--content TEXT] | remove ID',
  summary: 'list, show, add, or remove notes of a folder',
  uses: 'workspace',
  options: { title: { type: 'string' }, content: { type: 'string' } },
  optionTexts: {
    title: 'title of the new note',
    content: 'content of the new note; read from standard input by default',
  },
  completes: ['list', 'show', 'add', 'remove'],
  async run(call) {
    const [action = 'list', ...words] = call.words;
    const actions: Record<string, (call: Call) => Promise<void>> = { list, show, add, remove };
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (act === undefined) throw new UsageError('Name an action: notes list, show, add, or remove.');
    await act({ ...call, words });
  },
};

async function list({ context, words }: Call): Promise<void> {
  const { client, workspace } = await openWorkspace(context, readFolder(words, context));
  const query = { workspaceId: workspace.id, limit: PAGE };
  const found = await client.call((api) => api.GET('/api/notes', { params: { query } }));
  if (context.isJson) return printJson(found);
  for (const { id, title, type, updatedAt } of found)
    printLine(
      `${cleanLine(id)}  `,
      dim(`${cleanLine(updatedAt.slice(0, 10))}  ${cleanLine(type).padEnd(13)} `),
      cleanLine(title),
    );
  if (found.length === 0) tellLine('No notes.');
}

async function show({ context, words }: Call): Promise<void> {
  const id = readId(words);
  const { client } = await openClient(context);
  const note = await client.call((api) =>
    api.GET('/api/notes/{noteId}', { params: { path: { noteId: id } } }),
  );
  if (context.isJson) return printJson(note);
  printLine(bold(cleanLine(note.title)));
  print('\n', note.content, note.content.endsWith('\n') ? '' : '\n');
}

async function add({ context, words, values }: Call): Promise<void> {
  const title = textOf(values, 'title');
  if (title === undefined) throw new UsageError('--title is required.');
  const folder = readFolder(words, context);
  const content = textOf(values, 'content') ?? (await readAll(process.stdin));
  const { client, workspace } = await openWorkspace(context, folder);
  const body = { workspaceId: workspace.id, title, content };
  const note = await client.call((api) => api.POST('/api/notes', { body }));
  if (context.isJson) return printJson(note);
  printLine(note.id);
}

async function remove({ context, words }: Call): Promise<void> {
  const id = readId(words);
  const { client } = await openClient(context);
  const answer = await client.call((api) =>
    api.DELETE('/api/notes/{noteId}', { params: { path: { noteId: id } } }),
  );
  if (context.isJson) return printJson(answer);
  printLine(`Removed ${id}.`);
}

function readId(words: string[]): string {
  const [id, ...more] = words;
  if (id === undefined || more.length > 0)
    throw new UsageError('Name the ID of one note, as `wrs notes` lists it.');
  return id;
}
