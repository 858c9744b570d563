import { describe, expect, it } from '@jest/globals';
import { taskRoutes } from '../../../functions/tasks/routes.ts';
import type { Caller } from '../../../lib/access/caller.ts';
import type { Role } from '../../../lib/api-contract/roles.ts';
import type { Task } from '../../../lib/tasks/schema.ts';
import {
  createTask,
  deleteTask,
  findTask,
  listTasks,
  runTaskNow,
  updateTask,
} from '../../../lib/tasks/tasks.ts';
import { findWorkspace } from '../../../lib/workspaces/access.ts';
import { type Workspace, workspaces } from '../../../lib/workspaces/schema.ts';
import { ADMIN, startTaskRig } from '../../support/tasks.ts';

const { ports, add } = await startTaskRig();
const { records } = ports;
const [own, foreign] = [
  '01a1fcf8-a7e2-778b-8bd9-87a5309f5401',
  '01a1fcf8-a7e2-778b-8bd9-87a5309f5402',
] as const;
for (const id of [own, foreign])
  await workspaces.create(records, {
    id,
    name: id,
    rootPath: `/${id}`,
    createdAt: '2026-01-01T00:00:00.000Z',
  });
const tasks = {
  own: await add({ workspaceId: own }),
  foreign: await add({ workspaceId: foreign }),
  global: await add({ workspaceId: null }),
};

function caller(role: Role, workspaceIds: string[] | null = null): Caller {
  return { id: role, role, workspaceIds };
}

/** Finds the task as lib/http does for the ID in a request. */
async function find(who: Caller, workspaceId: string | null): Promise<Workspace | null> {
  return workspaceId === null ? null : findWorkspace(records, who, workspaceId);
}

/** Returns a caller's permissions for a task: `read` it, and `change` it in any way. */
async function may(who: Caller, { id, workspaceId }: Pick<Task, 'id' | 'workspaceId'>): Promise<string[]> {
  const input = {
    name: 'x',
    taskType: 'git_sync',
    schedule: '* * * * *',
    timezone: 'UTC',
    config: null,
  } as const;
  const tries: [string, () => Promise<unknown>][] = [
    ['read', () => findTask(records, who, id)],
    [
      'create',
      async () => createTask(ports, who, await find(who, workspaceId), { ...input, isEnabled: false }),
    ],
    ['update', () => updateTask(ports, who, id, { name: 'y' })],
    ['run', () => runTaskNow(ports, who, id)],
    ['delete', async () => deleteTask(records, who, (await add({ workspaceId })).id)],
  ];
  const results = await Promise.all(
    tries.map(([what, attempt]) =>
      attempt().then(
        () => [what],
        (error) => (error.status === 403 ? [] : [`${error}`]),
      ),
    ),
  );
  return results.flat();
}

const ALL = ['read', 'create', 'update', 'run', 'delete'];

describe('task permissions', () => {
  it.each([
    ['an administrator', caller('admin'), { own: ALL, foreign: ALL, global: ALL }],
    ['a member', caller('member'), { own: ALL, foreign: ALL, global: ['read'] }],
    ['a workspace-scoped member', caller('member', [own]), { own: ALL, foreign: [], global: [] }],
    ['a workspace-scoped administrator', caller('admin', [own]), { own: ALL, foreign: [], global: [] }],
  ])('are right for %s', async (_who, who, expected) => {
    const { own, foreign, global } = tasks;
    expect({
      own: await may(who, own),
      foreign: await may(who, foreign),
      global: await may(who, global),
    }).toEqual(expected);
  });

  it('are the same in the list', async () => {
    const listed = async (who: Caller) => {
      const { items } = await listTasks(records, who, undefined, { limit: 1000 });
      return new Set(items.map(({ workspaceId }) => workspaceId));
    };
    expect(await listed(caller('viewer'))).toEqual(new Set([own, foreign, null]));
    expect(await listed(caller('viewer', [own]))).toEqual(new Set([own]));
    expect(await listed(ADMIN)).toEqual(new Set([own, foreign, null]));
  });

  it("prevent moving a task to a workspace that the caller can't access", async () => {
    const member = caller('member', [own]);
    const move = async (to: string | null) =>
      updateTask(ports, member, tasks.own.id, { workspace: await find(member, to) });
    for (const workspaceId of [foreign, null])
      await expect(move(workspaceId)).rejects.toMatchObject({ status: 403 });
  });

  it('let viewers only read', () => {
    const access = taskRoutes.map(({ method, access }) => [method, access]);
    expect(new Set(access.map(String))).toEqual(
      new Set(['GET,viewer', 'POST,member', 'PUT,member', 'DELETE,member']),
    );
  });
});
