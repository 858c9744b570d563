import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Conflict } from '../../../lib/errors.ts';
import { runTask } from '../../../lib/tasks/run-task.ts';
import { taskMessageSchema } from '../../../lib/tasks/schema.ts';
import { listTaskRuns, runTaskNow } from '../../../lib/tasks/tasks.ts';
import { type Workspace, workspaces } from '../../../lib/workspaces/schema.ts';
import { killable } from '../../support/processes/killable.ts';
import { ADMIN, MINUTE_MS, startTaskRig, type TaskRig } from '../../support/tasks.ts';

const LEASE_MS = 2000;
let rig: TaskRig;
/** The workspaces of the runner's calls. */
let seen: string[];

beforeEach(async () => {
  rig = await startTaskRig();
  seen = [];
  rig.doing.run = async ({ workspace }) => {
    seen.push(workspace.name);
    return { status: 'success', summary: 'done' };
  };
});

/** Adds workspaces next to the one of the rig. */
async function addWorkspaces(names: string[]): Promise<Workspace[]> {
  const createdAt = new Date().toISOString();
  const added = names.map((name) => ({ id: randomUUID(), name, rootPath: `/${name}`, createdAt }));
  await workspaces.putMany(rig.ports.records, added);
  return added;
}

async function begin(): Promise<string> {
  const { id } = await rig.add({ workspaceId: null, schedule: '0 0 1 1 *' });
  await runTaskNow(rig.ports, ADMIN, id);
  return id;
}

async function runOf(taskId: string) {
  const { items } = await listTaskRuns(rig.ports.records, ADMIN, taskId, { limit: 10 });
  expect(items).toHaveLength(1);
  return items[0];
}

describe('task for all workspaces', () => {
  it('sends a message per workspace, so that the last one is also handled, and ends once with the result', async () => {
    const names = Array.from({ length: 130 }, (_, n) => `w${n}`);
    await addWorkspaces(names);
    const id = await begin();
    await rig.work();
    expect(seen.sort()).toEqual([...names, 'home'].sort());
    expect(await runOf(id)).toMatchObject({
      status: 'success',
      summary: 'Done in 131 of 131 workspaces. There was nothing to do in the others.',
      workspaces: { total: 131, done: 131, failed: 0 },
    });
    expect(await rig.find(id)).toMatchObject({ lastRunStatus: 'success', activeRunId: null });
  });

  it("reports its progress, and doesn't end before its last part", async () => {
    await addWorkspaces(['a', 'b', 'c']);
    const id = await begin();
    const messages = await rig.ports.taskQueue.receive({ max: 10 });
    await runTask(rig.ports, taskMessageSchema.parse(JSON.parse(messages[0]?.body ?? '')), 900_000);
    expect(await runOf(id)).toMatchObject({ workspaces: { total: 4, done: 0, failed: 0 } });
    const [one, two, three, four] = await rig.receive();
    for (const part of [one, one, two, three]) if (part) await runTask(rig.ports, part, 900_000);
    expect(await runOf(id)).toMatchObject({
      status: 'running',
      workspaces: { total: 4, done: 3, failed: 0 },
    });
    if (four) await runTask(rig.ports, four, 900_000);
    expect(await runOf(id)).toMatchObject({ status: 'success', workspaces: { done: 4 } });
    expect(seen).toHaveLength(4);
  });

  it('reports the failed workspaces after the others have run, without secrets', async () => {
    await addWorkspaces(['clone', 'plain', 'third']);
    rig.doing.run = async ({ workspace }) => {
      seen.push(workspace.name);
      if (workspace.name === 'clone') throw new Conflict('conflict', 'the branches have parted');
      if (workspace.name === 'plain') throw new Error('at /secret/place');
      return { status: 'skipped', summary: 'nothing' };
    };
    const id = await begin();
    await rig.work();
    expect(seen).toHaveLength(4);
    const run = await runOf(id);
    expect(run).toMatchObject({ status: 'error', workspaces: { total: 4, done: 4, failed: 2 } });
    // Parts are in the order of their workspaces' IDs, which are random.
    expect(run?.error).toMatch(/^2 of 4 workspaces failed\. /);
    expect(run?.error).toContain('clone: the branches have parted');
    expect(run?.error).toContain('plain: Something went wrong in the service.');
    expect(JSON.stringify(run)).not.toContain('secret');
  });

  it('sends its parts in one group, so that no other task waits for them', async () => {
    await addWorkspaces(['a', 'b']);
    const id = await begin();
    const [message] = await rig.receive();
    if (message) await runTask(rig.ports, message, 900_000);
    const parts = await rig.ports.taskQueue.receive({ max: 10 });
    expect(parts.map(({ groupId }) => groupId)).toEqual([id, id, id]);
  });

  it('does nothing for a workspace that was deleted in the meantime, and ends', async () => {
    const [gone] = await addWorkspaces(['a', 'b']);
    const id = await begin();
    const [message] = await rig.receive();
    if (message) await runTask(rig.ports, message, 900_000);
    await workspaces.delete(rig.ports.records, { id: gone?.id ?? '' });
    await rig.work();
    expect(seen.sort()).toEqual(['b', 'home']);
    expect(await runOf(id)).toMatchObject({ status: 'success', workspaces: { total: 3, done: 3 } });
  });

  it('sends a lost part again after at most an hour', async () => {
    await addWorkspaces(['a']);
    const id = await begin();
    const [message] = await rig.receive();
    if (message) await runTask(rig.ports, message, 900_000);
    expect(await rig.receive()).toHaveLength(2); // and no process works on them
    for (let minute = 0; minute < 60 && (await runOf(id))?.status === 'running'; minute++) {
      rig.time.now += MINUTE_MS;
      await rig.tick();
      await rig.work();
    }
    expect(await runOf(id)).toMatchObject({ status: 'success', attempts: 1, workspaces: { done: 2 } });
    expect(seen.sort()).toEqual(['a', 'home']);
  });

  /** Handles the waiting messages until it is killed; returns undefined if it wasn't killed. */
  async function workMortally(lives: number) {
    const mortal = killable(rig.ports, ['records', 'taskQueue'], lives);
    const working = (async () => {
      for (let messages = await rig.receive(); messages.length > 0; messages = await rig.receive())
        for (const message of messages) await runTask(mortal.ports, message, 900_000);
    })();
    const isDead = await Promise.race([mortal.died.then(() => true), working.then(() => false)]);
    const bury = () => {
      mortal.bury();
      return working.catch(() => undefined);
    };
    return { isDead, bury };
  }

  async function tickUntilOver(id: string): Promise<void> {
    for (let turn = 0; turn < 80 && (await rig.find(id)).lastRunStatus !== 'success'; turn++) {
      rig.time.now += 5 * LEASE_MS;
      await rig.tick();
      await rig.work();
    }
  }

  it('ends with all workspaces done if it is killed at any call', async () => {
    await addWorkspaces(['a', 'b']);
    for (let lives = 0, isDead = true; isDead; lives++) {
      seen = [];
      const id = await begin();
      const mortal = await workMortally(lives);
      isDead = mortal.isDead;
      await tickUntilOver(id);
      const whole = { status: 'success', workspaces: { total: 3, done: 3, failed: 0 } };
      expect([lives, await runOf(id)]).toMatchObject([lives, whole]);
      expect(new Set(seen)).toEqual(new Set(['a', 'b', 'home']));
      expect(await rig.find(id)).toMatchObject({ activeRunId: null });
      await mortal.bury();
    }
  });
});
