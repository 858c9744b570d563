import { Readable } from 'node:stream';
import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import { readBranches } from '../conversations/branches.ts';
import { describeConversation } from '../conversations/list.ts';
import { conversationsOf } from '../conversations/of-person.ts';
import { describeOwn, feedbackOf } from '../feedback/feedback.ts';
import { listMemories } from '../memories/memories.ts';
import { people } from '../people/schema.ts';
import { timestamp } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { tasksOf } from '../tasks/of-person.ts';
import { describeTask } from '../tasks/tasks.ts';
import { callerIdOf } from '../tokens/rights.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';
import type { ExportQuery } from './schema.ts';

/** Milliseconds after which an export ends. The next request continues it. */
const EXPORT_MS = 30_000;

/**
 * Returns what a person owns as JSON Lines, written while it is read: the person, their facts, tasks, and feedback, and per
 * workspace their entry in the list of members and their conversations with all messages. The last line is `end`, or `more` with the
 * cursor for the rest. Throws Forbidden.
 */
export function exportPerson(
  ports: TimedRecords,
  caller: Caller,
  { personId, cursor }: ExportQuery,
  ms = EXPORT_MS,
): Readable {
  requireAdminOfAll(caller);
  return Readable.from(linesOf(ports, { personId, cursor }, ms));
}

async function* linesOf(
  ports: TimedRecords,
  { personId: named, cursor }: ExportQuery,
  ms: number,
): AsyncGenerator<string> {
  const personId = await callerIdOf(ports.records, named);
  const until = performance.now() + ms;
  if (cursor === undefined) yield* headOf(ports, personId);
  const query = { partition: 'WORKSPACE', limit: 100, ...(cursor && { from: cursor }) };
  for await (const workspace of workspaces.all(ports.records, query)) {
    if (performance.now() > until && workspace.id !== cursor)
      return yield line('more', { cursor: workspace.id });
    yield* linesIn(ports, workspace, personId);
  }
  yield line('end', {});
}

async function* headOf({ records, clock }: TimedRecords, id: string): AsyncGenerator<string> {
  const known = await people.get(records, { id });
  const { name = null, email = null } = known ?? {};
  yield line('person', { id, name, email, exportedAt: timestamp(clock) });
  for (const fact of await listMemories(records, { id })) yield line('memory', fact);
  for await (const task of tasksOf(records, id)) yield line('task', describeTask(task));
  for await (const given of feedbackOf(records, id)) yield line('feedback', describeOwn(given));
}

async function* linesIn(ports: TimedRecords, workspace: Workspace, id: string): AsyncGenerator<string> {
  const { id: workspaceId, name: workspaceName, members = [] } = workspace;
  const role = members.find(({ subject }) => subject === id)?.role;
  if (role !== undefined) yield line('membership', { workspaceId, workspaceName, role });
  for await (const found of conversationsOf(ports.records, workspaceId, id)) {
    const { messages } = await readBranches(ports.records, found, 'all');
    yield line('conversation', { ...describeConversation(ports, found), workspaceName, messages });
  }
}

function line(type: string, fields: object): string {
  return `${JSON.stringify({ type, ...fields })}\n`;
}
