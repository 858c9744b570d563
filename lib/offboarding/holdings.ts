import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { conversationsOf } from '../conversations/of-person.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { PageQuery } from '../records/page.ts';
import { tasksOf } from '../tasks/of-person.ts';
import type { StoredTask } from '../tasks/schema.ts';
import { callerIdOf } from '../tokens/rights.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';
import { isMember, isOnlyAdmin } from './member-lists.ts';
import type { Holding } from './schema.ts';

/** Workspaces to check per page. Those in which the person owns nothing aren't returned. */
const LOOK_AT_ONCE = 100;
const READS_AT_ONCE = 8;

/**
 * Lists the tasks of all workspaces, then the workspaces in which a person owns something, newest first. A
 * page may be empty and still have a cursor. Throws Forbidden, and InvalidInput for a cursor from another
 * list.
 */
export async function listHoldings(
  ports: TimedRecords,
  caller: Caller,
  { personId: named, limit, cursor }: PageQuery & { personId: string },
): Promise<{ items: Holding[]; cursor?: string }> {
  requireAdminOfAll(caller);
  const { records } = ports;
  const personId = await callerIdOf(records, named);
  const query = {
    partition: 'WORKSPACE',
    order: 'descending' as const,
    limit: Math.min(limit, LOOK_AT_ONCE),
  };
  const page = await workspaces.list(records, { ...query, cursor });
  const tasks = await Array.fromAsync(tasksOf(records, personId));
  const found: (Holding | undefined)[] = [];
  await forEachConcurrent(page.items.entries(), READS_AT_ONCE, async ([at, workspace]) => {
    found[at] = await holdingIn(ports, workspace, personId, tasks);
  });
  const items = [cursor === undefined ? ofAllWorkspaces(tasks) : undefined, ...found];
  return { items: items.filter((each) => each !== undefined), ...(page.cursor && { cursor: page.cursor }) };
}

async function holdingIn(
  ports: TimedRecords,
  workspace: Workspace,
  personId: string,
  tasks: StoredTask[],
): Promise<Holding | undefined> {
  const { id: workspaceId, name: workspaceName } = workspace;
  const holding = {
    ...{ workspaceId, workspaceName },
    conversations: await countConversations(ports.records, workspaceId, personId),
    tasks: namesOf(tasks, workspaceId),
    isMember: isMember(workspace, personId),
    isOnlyAdmin: await isOnlyAdmin(ports, workspace, personId),
  };
  return holding.conversations + holding.tasks.length > 0 || holding.isMember ? holding : undefined;
}

async function countConversations(records: Records, workspaceId: string, personId: string): Promise<number> {
  let count = 0;
  for await (const _ of conversationsOf(records, workspaceId, personId)) count += 1;
  return count;
}

function ofAllWorkspaces(tasks: StoredTask[]): Holding | undefined {
  const named = namesOf(tasks, null);
  if (named.length === 0) return undefined;
  const nowhere = { workspaceId: null, workspaceName: null, conversations: 0 };
  return { ...nowhere, tasks: named, isMember: false, isOnlyAdmin: false };
}

function namesOf(tasks: StoredTask[], workspaceId: string | null): Holding['tasks'] {
  return tasks.filter((task) => task.workspaceId === workspaceId).map(({ id, name }) => ({ id, name }));
}
