import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { AUDIT, auditEntries } from '../../../lib/audit/schema.ts';
import { createTask, updateTask } from '../../../lib/tasks/tasks.ts';
import { changeToken } from '../../../lib/tokens/change.ts';
import type { ChangeToken } from '../../../lib/tokens/schema.ts';
import { createToken, revokeToken } from '../../../lib/tokens/tokens.ts';
import { type Workspace, workspaces } from '../../../lib/workspaces/schema.ts';
import { ADMIN, MINUTE_MS, startTaskRig, type TaskRig } from '../../support/tasks.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PLAIN = { name: 't', taskType: 'source_sync', schedule: '* * * * *', timezone: 'UTC' } as const;
let rig: TaskRig;
let workspace: Workspace;

beforeEach(async () => {
  rig = await startTaskRig();
  workspace = {
    id: randomUUID(),
    name: 'w',
    rootPath: await tempFolder(),
    createdAt: new Date().toISOString(),
  };
  await workspaces.create(rig.ports.records, workspace);
});

async function makeSaver(role: 'member' | 'admin' = 'member') {
  const { id } = await createToken(rig.ports, ADMIN, { name: 'a saver', role });
  const caller: Caller = { id, role, workspaceIds: null };
  const change = (fields: ChangeToken) => changeToken(rig.ports, ADMIN, id, fields);
  return { caller, change, revoke: () => revokeToken(rig.ports, ADMIN, id) };
}

async function save(caller: Caller, place: Workspace | null = workspace): Promise<string> {
  const rest = { config: null, isEnabled: true };
  return (await createTask(rig.ports, caller, place, { ...PLAIN, ...rest })).id;
}

async function audited() {
  const entries = await auditEntries.list(rig.ports.records, { partition: AUDIT });
  return entries.items.map(({ action, actor, outcome, about }) => ({ action, actor, outcome, about }));
}

/** Returns the result of the task's next slot. */
async function outcome(taskId: string) {
  rig.time.now += MINUTE_MS;
  await rig.tick();
  await rig.work();
  const { lastRunStatus, lastRunError } = await rig.find(taskId);
  return { lastRunStatus, lastRunError };
}

const refused = (text: string) => ({ lastRunStatus: 'error', lastRunError: expect.stringContaining(text) });

describe('scheduled task', () => {
  it("is disabled when its last author's token is revoked, until another user saves it", async () => {
    const [first, second] = [await makeSaver(), await makeSaver()];
    const id = await save(first.caller);
    expect(await outcome(id)).toEqual({ lastRunStatus: 'success', lastRunError: null });
    await first.revoke();
    expect(await outcome(id)).toEqual(refused('was revoked'));
    expect(rig.called).toHaveLength(1);
    const stopped = { isEnabled: false, nextRunAt: null, stoppedAt: expect.any(String) };
    expect(await rig.find(id)).toMatchObject(stopped);
    expect(await audited()).toEqual([
      {
        action: 'tasks.stop',
        actor: 'service',
        outcome: 'done',
        about: `${id} (t): The token that this runs as was revoked.`,
      },
    ]);
    expect(await outcome(id)).toEqual(refused('was revoked'));
    expect(await rig.history(id)).toHaveLength(2);
    await updateTask(rig.ports, second.caller, id, { isEnabled: true });
    expect(await outcome(id)).toMatchObject({ lastRunStatus: 'success' });
    expect(await rig.find(id)).toMatchObject({ isEnabled: true, stoppedAt: null });
  });

  it.each<[string, ChangeToken, string]>([
    ['gets a lower role', { role: 'viewer' }, 'The token that this runs as no longer has the member role.'],
    [
      'is limited to other workspaces',
      { workspaceIds: ['other'] },
      'The token that this runs as no longer includes this workspace.',
    ],
  ])("stops running when its last author's token %s", async (_how, set, error) => {
    const saver = await makeSaver();
    const id = await save(saver.caller);
    await saver.change(set);
    expect(await outcome(id)).toEqual(refused(error));
  });

  it('stops running when its last author is removed from the workspace', async () => {
    const saver = await makeSaver();
    const id = await save(saver.caller);
    const listed = (members: object[]) =>
      workspaces.update(rig.ports.records, workspace, { set: { members } });
    await listed([{ subject: saver.caller.id, role: 'member' }]);
    expect(await outcome(id)).toMatchObject({ lastRunStatus: 'success' });
    await listed([{ subject: saver.caller.id, role: 'viewer' }]);
    expect(await outcome(id)).toEqual(
      refused('The person this runs for no longer has the member role in this workspace.'),
    );
    await updateTask(rig.ports, saver.caller, id, { isEnabled: true });
    await listed([{ subject: 'another', role: 'member' }]);
    expect(await outcome(id)).toEqual(refused('no longer a member of this workspace'));
  });

  it('has the permissions of a global administrator if it is global', async () => {
    const saver = await makeSaver('admin');
    const id = await save(saver.caller, null);
    expect(await outcome(id)).toMatchObject({ lastRunStatus: 'success' });
    await saver.change({ workspaceIds: [workspace.id] });
    expect(await outcome(id)).toEqual(
      refused('The token that this runs as no longer includes all workspaces.'),
    );
  });
});
