import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { backgroundWorkDone } from '../../../lib/async/after-response.ts';
import { failStalledSyncs } from '../../../lib/indexing/fail-stalled-syncs.ts';
import { syncs } from '../../../lib/indexing/schema.ts';
import { failSync, newSync, startSync } from '../../../lib/indexing/sync.ts';
import type { TimedRecords } from '../../../lib/ports/timed-records.ts';
import { askForApproval } from '../../../lib/runs/approvals.ts';
import { LEASE_MS } from '../../../lib/runs/lease.ts';
import { createRun, finishRun, readRun } from '../../../lib/runs/runs.ts';
import type { Run } from '../../../lib/runs/schema.ts';
import { suspendRun } from '../../../lib/runs/stop.ts';
import { sweepRuns } from '../../../lib/runs/sweep.ts';
import { admitUse } from '../../../lib/usage/budgets/admit.ts';
import { replaceBudgets } from '../../../lib/usage/budgets/list.ts';
import {
  deliveries,
  deliveriesPartition,
  type WebhookDelivery,
  webhooks,
} from '../../../lib/webhooks/schema.ts';
import { createWebhook } from '../../../lib/webhooks/webhooks.ts';
import { killable } from '../../support/processes/killable.ts';
import { ADMIN, HOME, startTaskRig } from '../../support/tasks.ts';
import { startWebhookRig } from '../../support/webhooks.ts';

const CALLER: Caller = { id: 'ann', role: 'member', workspaceIds: null };
const DONE = { status: 'done' as const, steps: 1, error: null };
let rig: Awaited<ReturnType<typeof startWebhookRig>>;
let webhookId: string;

beforeEach(async () => {
  rig = await startWebhookRig();
  ({ id: webhookId } = await rig.make({
    events: ['run.finished', 'run.approval_required', 'task.failed', 'sync.failed', 'budget.reached'],
  }));
});

async function events({ records }: Pick<TimedRecords, 'records'>, id = webhookId) {
  const { items } = await deliveries.list(records, { partition: deliveriesPartition(id) });
  return items.map(
    ({ body }: WebhookDelivery) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
  );
}

function begin(fields: Partial<Run> = {}): Promise<Run> {
  return createRun(rig.ports, {
    ...{ workspaceId: HOME, mode: 'agent', caller: CALLER, cwd: '', provider: 'a', model: 'm' },
    ...{ allowedTools: null, request: 'Tidy\nthe notes', ...fields },
  });
}

/** Kills a piece of work at one call more in each life, until it ends. */
async function killEach(work: (ports: typeof rig.ports) => Promise<unknown>, check: () => Promise<void>) {
  for (let lives = 1; ; lives++) {
    const process = killable(rig.ports, ['records', 'agentQueue'], lives);
    const working = work(process.ports);
    working.catch(() => undefined);
    const ended = await Promise.race([working.then(() => true), process.died.then(() => false)]);
    process.bury();
    await check();
    if (ended) return;
  }
}

describe('run.finished', () => {
  it('names a run without its contents, once, killed at any call of its end', async () => {
    let run = await begin();
    await killEach(
      (ports) => finishRun(ports, run, DONE),
      async () => {
        rig.time.now += LEASE_MS + 1000;
        await sweepRuns(rig.ports);
        const { status } = await readRun(rig.ports.records, run.id);
        expect((await events(rig.ports)).filter(({ data }) => data.runId === run.id)).toEqual([
          {
            type: 'run.finished',
            timestamp: expect.any(String),
            data: {
              ...{ runId: run.id, workspaceId: HOME, kind: 'agent', title: 'Tidy the notes', status },
              path: `/w/${HOME}/agent/${run.id}`,
            },
          },
        ]);
        run = await begin();
      },
    );
  });

  it('is not sent for a run that no list shows', async () => {
    const run = await begin({ kind: 'verify', unlisted: true });
    await finishRun(rig.ports, run, DONE);
    expect(await events(rig.ports)).toEqual([]);
  });

  it('costs one query without webhooks', async () => {
    await webhooks.delete(rig.ports.records, { id: webhookId });
    const run = await begin();
    const counted = killable(rig.ports, ['records']);
    await finishRun(counted.ports, run, DONE);
    expect(counted.calls()).toBeLessThanOrEqual(4);
  });
});

describe('run.approval_required', () => {
  it('is sent once per wait, killed at any call', async () => {
    const suspend = async () => {
      const run = await begin();
      const call = { id: 'c' };
      const asked = { call, tool: { name: 'bash' }, input: { command: 'rm notes' } };
      for (let place = 0; place < 2; place++)
        await askForApproval(rig.ports, run, asked, { summary: 'rm notes', subjects: [] }, place);
      return run;
    };
    let run = await suspend();
    await killEach(
      (ports) => suspendRun(ports, run, { waiting: true, steps: 1 }),
      async () => {
        const { status } = await readRun(rig.ports.records, run.id);
        for (let tick = 0; tick < 3; tick++) {
          rig.time.now += LEASE_MS + 1000;
          await sweepRuns(rig.ports);
        }
        const told = (await events(rig.ports)).filter(({ data }) => data.runId === run.id);
        expect(told.map(({ type }) => type)).toEqual([
          status === 'waiting' ? 'run.approval_required' : 'run.finished',
        ]);
        expect(JSON.stringify(told)).not.toContain('rm notes');
        run = await suspend();
      },
    );
  });
});

describe('task.failed', () => {
  it('names the task, and not the reason', async () => {
    const tasks = await startTaskRig();
    const { secrets } = rig.ports;
    const { id } = await createWebhook({ ...tasks.ports, secrets }, ADMIN, {
      ...{ name: 'hook', url: rig.url, events: ['task.failed'] },
    });
    const task = await tasks.add({ name: 'nightly' });
    for (const fails of [false, true]) {
      tasks.doing.run = async () => {
        if (fails) throw new Error('a secret path');
        return { status: 'success', summary: 'done' };
      };
      tasks.time.now += 60_000;
      await tasks.tick();
      await tasks.work();
    }
    const told = await events(tasks.ports, id);
    expect(told).toMatchObject([
      {
        type: 'task.failed',
        data: { taskId: task.id, title: 'nightly', taskType: 'source_sync', workspaceId: HOME },
      },
    ]);
    expect(JSON.stringify(told)).not.toContain('secret path');
  });
});

describe('sync.failed', () => {
  it('is sent once per sync, killed at any call of its end', async () => {
    const start = () => newSync({ ...rig.ports, space: 'none' }, HOME);
    let sync = start();
    await syncs.put(rig.ports.records, sync);
    await killEach(
      (ports) => failSync(ports, sync, 'a reason'),
      async () => {
        const { status } = (await syncs.get(rig.ports.records, { workspaceId: HOME })) ?? {};
        for (let tick = 0; tick < 2; tick++)
          await failStalledSyncs({ ...rig.ports, indexQueue: rig.ports.agentQueue });
        const told = (await events(rig.ports)).filter(({ data }) => data.syncId === sync.syncId);
        expect([status, told.length]).toEqual(status === 'failed' ? ['failed', 1] : ['scanning', 0]);
        sync = start();
        await syncs.put(rig.ports.records, sync);
      },
    );
  });

  it('is sent before another sync replaces the failed one', async () => {
    const sync = { ...newSync({ ...rig.ports, space: 'none' }, HOME), status: 'failed' as const };
    await syncs.create(rig.ports.records, { ...sync, finishedAt: sync.startedAt, untold: true });
    await startSync({ ...rig.ports, indexQueue: rig.ports.agentQueue, space: 'none' }, HOME);
    expect(await events(rig.ports)).toMatchObject([{ data: { syncId: sync.syncId } }]);
  });

  it('names the workspace', async () => {
    const sync = newSync({ ...rig.ports, space: 'none' }, HOME);
    await syncs.create(rig.ports.records, sync);
    await failSync(rig.ports, sync, 'a reason');
    await failSync(rig.ports, { ...sync, heartbeatAt: 'other' }, 'refused');
    const { syncId } = sync;
    expect(await events(rig.ports)).toMatchObject([
      { type: 'sync.failed', data: { workspaceId: HOME, syncId, path: `/w/${HOME}` } },
    ]);
  });
});

describe('budget.reached', () => {
  it('is sent once per month, when a call is refused', async () => {
    const list = {
      budgets: [{ scope: 'workspace' as const, id: HOME, monthlyTokens: 0 }],
      ifMatch: undefined,
    };
    await replaceBudgets(
      { ...rig.ports, rolesIn: () => async () => undefined, isWorkspace: async () => true },
      ADMIN,
      list,
    );
    const use = { callerId: 'c', workspaceId: HOME, kind: 'chat' as const };
    for (let call = 0; call < 3; call++) {
      await expect(admitUse(rig.ports, use)).rejects.toMatchObject({ code: 'budget_used_up' });
      await backgroundWorkDone();
    }
    expect(await events(rig.ports)).toMatchObject([
      { type: 'budget.reached', data: { scope: 'workspace', id: HOME, path: '/settings/usage' } },
    ]);
  });
});
