import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DiskFull, UpstreamFailed } from '../../../lib/errors.ts';
import { runTask, type TaskOutcome } from '../../../lib/tasks/run-task.ts';
import { type TaskMessage, taskRuns, tasks } from '../../../lib/tasks/schema.ts';
import { deleteTask, runTaskNow, updateTask } from '../../../lib/tasks/tasks.ts';
import { eventually } from '../../support/sync.ts';
import { ADMIN, MINUTE_MS, startTaskRig, type TaskRig } from '../../support/tasks.ts';

let rig: TaskRig;
beforeEach(async () => {
  rig = await startTaskRig();
});

const LEASE_MS = 2000;

/** Creates a task whose slot is due, and returns its message. */
async function due(fields: Record<string, unknown> = {}) {
  const task = await rig.add(fields);
  const [message] = await next();
  return { task, message };
}

async function next(): Promise<[TaskMessage, ...TaskMessage[]]> {
  rig.time.now += MINUTE_MS;
  await rig.tick();
  return (await rig.receive()) as [TaskMessage, ...TaskMessage[]];
}

function work(message: TaskMessage, timeLeftMs = 900_000) {
  return runTask(rig.ports, message, timeLeftMs);
}

/** Clears the timers that dead workers still have in this process. */
const buried: (() => void)[] = [];
afterEach(() => {
  for (const bury of buried.splice(0)) bury();
});

/** Starts a run, and kills its process, so that no process renews its lease. */
async function dieAt(message: TaskMessage): Promise<void> {
  const { run } = rig.doing;
  const begun = Promise.withResolvers<void>();
  rig.doing.run = () => {
    begun.resolve();
    return new Promise((_, reject) =>
      buried.push(() => reject(new UpstreamFailed('upstream_failed', 'over'))),
    );
  };
  const { records } = rig.ports;
  let dead = false;
  const silent: typeof records = {
    ...records,
    update: (...change) => (dead ? new Promise(() => {}) : records.update(...change)),
  };
  void runTask({ ...rig.ports, records: silent }, message, 60_000);
  await begun.promise;
  dead = true;
  rig.doing.run = run;
}

/** Starts a worker that has called the runner, and may still be working. */
async function startWork(message: TaskMessage) {
  const working = work(message);
  await eventually(
    async () => rig.called,
    ({ length }) => length === 1,
  );
  return { working };
}

/** A runner that continues until it is released. */
function hold() {
  const { promise, resolve, reject } = Promise.withResolvers<TaskOutcome>();
  rig.doing.run = () => promise;
  return { finish: () => resolve({ status: 'success', summary: 'done' }), fail: reject };
}

describe('task run', () => {
  it('is shown by its record and by the task, during and after it', async () => {
    const { task, message } = await due();
    const { finish } = hold();
    const working = work(message);
    await eventually(
      () => rig.find(task.id),
      ({ lastRunStatus }) => lastRunStatus === 'running',
    );
    const startedAt = new Date(rig.time.now).toISOString();
    expect(await rig.find(task.id)).toMatchObject({ lastRunAt: startedAt, lastRunError: null });
    expect(await rig.history(task.id)).toMatchObject([
      { id: message.runId, status: 'running', startedAt, finishedAt: null, trigger: 'schedule' },
    ]);
    finish();
    await working;
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'success', activeRunId: null });
    expect(await rig.history(task.id)).toMatchObject([
      { status: 'success', summary: 'done', finishedAt: startedAt, leaseUntil: null, attempts: 1 },
    ]);
  });

  it.each([
    [
      'a service error',
      new UpstreamFailed('upstream_failed', 'provider a answered 500'),
      'provider a answered 500',
    ],
    [
      'any other error, without its text',
      new Error('at /secret/place'),
      'Something went wrong in the service. Try again.',
    ],
  ])('reports %s if it fails', async (_what, error, text) => {
    const { task, message } = await due();
    rig.doing.run = () => Promise.reject(error);
    await work(message);
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'error', lastRunError: text });
    expect(await rig.history(task.id)).toMatchObject([{ status: 'error', error: text }]);
  });

  it('is over as soon as there is space if it ends on a full disk', async () => {
    const { task, message } = await due();
    const { records } = rig.ports;
    let isFull = false;
    const full: typeof records = {
      ...records,
      update: (...change) => (isFull ? Promise.reject(new DiskFull()) : records.update(...change)),
    };
    rig.doing.run = async () => {
      isFull = true;
      setTimeout(() => {
        isFull = false;
      }, 500);
      return { status: 'success', summary: 'done' };
    };
    await runTask({ ...rig.ports, records: full }, message, 900_000);
    expect(await rig.history(task.id)).toMatchObject([{ status: 'success', leaseUntil: null, attempts: 1 }]);
  });

  it('clears the previous error if it succeeds', async () => {
    const { task, message } = await due();
    rig.doing.run = () => Promise.reject(new UpstreamFailed('upstream_failed', 'no'));
    await work(message);
    rig.doing.run = async () => ({ status: 'skipped', summary: 'nothing to do' });
    for (const message of await next()) await work(message);
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'skipped', lastRunError: null });
  });

  it('ends with an error if it exceeds the time of the function', async () => {
    const { task, message } = await due();
    hold();
    await work(message, 10_050);
    expect(await rig.find(task.id)).toMatchObject({
      lastRunStatus: 'error',
      lastRunError: 'The run took longer than allowed.',
    });
  });

  it('is executed once, however often and wherever its message is delivered', async () => {
    const { task, message } = await due();
    await Promise.all([work(message), work(message), work(message)]);
    await work(message);
    expect(rig.called).toHaveLength(1);
    expect(await rig.history(task.id)).toHaveLength(1);
  });

  it('does not wait for a long run of another task', async () => {
    rig.ports.leaseMs = 10 * MINUTE_MS;
    const first = await due({ schedule: '1 0 * * *' });
    const { finish } = hold();
    const long = work(first.message);
    await eventually(
      async () => rig.called,
      ({ length }) => length === 1,
    );
    rig.doing.run = async () => ({ status: 'success', summary: 'done' });
    const second = await due();
    await work(second.message);
    expect(await rig.find(second.task.id)).toMatchObject({ lastRunStatus: 'success' });
    finish();
    await long;
  });

  it('keeps its lease while it is executed', async () => {
    const { task, message } = await due();
    const { finish } = hold();
    const { working } = await startWork(message);
    for (let passed = 0; passed < 2 * LEASE_MS; passed += LEASE_MS / 2) {
      const [before] = await rig.history(task.id);
      rig.time.now += LEASE_MS / 2;
      await eventually(
        () => rig.history(task.id),
        ([run]) => run?.leaseUntil !== before?.leaseUntil,
      );
    }
    await work(message);
    expect(rig.called).toHaveLength(1);
    finish();
    await working;
  });
});

describe('due slot while the previous run', () => {
  it('is running is skipped with a report, and the task keeps running', async () => {
    const { task, message } = await due();
    const { finish } = hold();
    rig.ports.leaseMs = 10 * MINUTE_MS;
    const { working } = await startWork(message);
    for (const later of await next()) await work(later);
    expect(rig.called).toHaveLength(1);
    expect(await rig.history(task.id)).toMatchObject([
      { status: 'running' },
      { status: 'skipped', summary: 'The previous run was still in progress.', leaseUntil: null },
    ]);
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'running' });
    finish();
    await working;
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'success' });
  });

  it('is dead waits until that one is taken over', async () => {
    const { task, message } = await due();
    await dieAt(message);
    const both = await next(); // the tick also finds the expired lease
    const later = both.filter(({ scheduledFor }) => scheduledFor !== message.scheduledFor);
    expect(later).toHaveLength(1);
    for (const each of [...later, message]) await work(each);
    expect(await rig.history(task.id)).toMatchObject([
      { status: 'success', attempts: 2 },
      { status: 'waiting', attempts: 0 },
    ]);
    rig.time.now += LEASE_MS + 1;
    await rig.tick();
    await rig.work();
    expect(await rig.history(task.id)).toMatchObject([
      { status: 'success' },
      { status: 'success', attempts: 1 },
    ]);
  });

  it('is over, but its process ended before it notified the task, is executed', async () => {
    const { task, message } = await due();
    await work(message);
    await tasks.update(rig.ports.records, task, {
      set: { activeRunId: message.runId, lastRunStatus: 'running' },
    });
    for (const later of await next()) await work(later);
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'success', activeRunId: null });
    expect(rig.called).toHaveLength(2);
  });
});

describe('task run whose process died', () => {
  it('is left alone until its lease expires, then taken over once', async () => {
    const { task, message } = await due();
    await dieAt(message);
    await work(message);
    expect(rig.called).toHaveLength(1);
    rig.time.now += LEASE_MS + 1;
    await rig.tick();
    const [recalled] = await rig.receive();
    expect(recalled).toEqual(message);
    await Promise.all([work(message), work(message)]);
    expect(rig.called).toHaveLength(2);
    expect(await rig.history(task.id)).toMatchObject([{ status: 'success', attempts: 2, leaseUntil: null }]);
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'success' });
    rig.time.now += LEASE_MS + 1;
    await rig.tick();
    expect(await rig.receive()).toEqual([]);
  });

  it('is not repeated if it had ended, and the task is notified', async () => {
    const { task, message } = await due();
    const { records } = rig.ports;
    const update: typeof records.update = (key, ...change) =>
      key.partition === 'TASK' && change[0].set?.activeRunId === null
        ? Promise.reject(new Error('gone'))
        : records.update(key, ...change);
    await expect(
      runTask({ ...rig.ports, records: { ...records, update } }, message, 60_000),
    ).rejects.toThrow();
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'running' });
    rig.time.now += LEASE_MS + 1;
    await rig.tick();
    await rig.work();
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'success', activeRunId: null });
    expect(rig.called).toHaveLength(1);
  });

  it('fails after repeated deaths', async () => {
    const { task, message } = await due();
    for (let attempt = 1; attempt <= 3; attempt++) {
      await dieAt(message);
      rig.time.now += LEASE_MS + 1;
    }
    await work(message);
    expect(rig.called).toHaveLength(3);
    expect(await rig.find(task.id)).toMatchObject({
      lastRunStatus: 'error',
      lastRunError: expect.stringContaining(
        'The processes that worked on this run stopped before it was done.',
      ),
      activeRunId: null,
    });
  });

  it('is left to the next worker if the process was only paused past its lease', async () => {
    const { task, message } = await due();
    const { finish } = hold();
    rig.ports.leaseMs = 60_000;
    const { working } = await startWork(message);
    rig.time.now += 60_001;
    await working; // its signal is aborted, whatever the work does
    finish();
    expect(await rig.history(task.id)).toMatchObject([{ status: 'running', error: null }]);
    rig.doing.run = async () => ({ status: 'success', summary: 'by the second' });
    await work(message);
    expect(await rig.history(task.id)).toMatchObject([{ status: 'success', summary: 'by the second' }]);
  });

  it('gets no more reports if the process resumes', async () => {
    const { task, message } = await due();
    const first = hold();
    rig.ports.leaseMs = 60_000;
    const { working } = await startWork(message);
    rig.time.now += 60_001;
    rig.doing.run = async () => ({ status: 'success', summary: 'by the second' });
    await work(message);
    first.fail(new Error('by the first'));
    await working;
    expect(await rig.history(task.id)).toMatchObject([{ status: 'success', summary: 'by the second' }]);
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'success', lastRunError: null });
  });
});

describe('requested run', () => {
  it('waits, is executed, and moves no slot', async () => {
    const task = await rig.add({ isEnabled: false });
    const runId = await runTaskNow(rig.ports, ADMIN, task.id);
    expect(await rig.history(task.id)).toMatchObject([{ id: runId, status: 'waiting', trigger: 'manual' }]);
    await rig.work();
    expect(await rig.history(task.id)).toMatchObject([{ id: runId, status: 'success', attempts: 1 }]);
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: 'success', nextRunAt: null });
  });

  it('is executed although its message was lost', async () => {
    const task = await rig.add({ isEnabled: false });
    const taskQueue = { ...rig.ports.taskQueue, send: () => Promise.reject(new Error('gone')) };
    await expect(runTaskNow({ ...rig.ports, taskQueue }, ADMIN, task.id)).rejects.toThrow('gone');
    rig.time.now += LEASE_MS + 60_001;
    await rig.tick();
    await rig.work();
    expect(await rig.history(task.id)).toMatchObject([{ status: 'success', trigger: 'manual' }]);
  });

  it('is rejected while one is running', async () => {
    const { task, message } = await due();
    await dieAt(message);
    await expect(runTaskNow(rig.ports, ADMIN, task.id)).rejects.toMatchObject({ status: 409 });
  });
});

describe('task that', () => {
  it('is disabled after its slot was due is not run', async () => {
    const { task, message } = await due();
    await updateTask(rig.ports, ADMIN, task.id, { isEnabled: false });
    await work(message);
    expect(rig.called).toEqual([]);
    expect(await rig.history(task.id)).toMatchObject([
      { status: 'skipped', summary: 'The task was disabled.' },
    ]);
    expect(await rig.find(task.id)).toMatchObject({ lastRunStatus: null });
  });

  it('is removed while it runs lets the run end, and stays removed', async () => {
    const { task, message } = await due();
    const { finish } = hold();
    const { working } = await startWork(message);
    await deleteTask(rig.ports.records, ADMIN, task.id);
    finish();
    await working;
    await expect(rig.find(task.id)).rejects.toThrow();
    expect(await taskRuns.get(rig.ports.records, { taskId: task.id, id: message.runId })).toMatchObject({
      status: 'success',
      leaseUntil: null,
    });
    rig.time.now += MINUTE_MS;
    await rig.tick();
    expect(await rig.receive()).toEqual([]);
  });

  it('is changed while it runs keeps both the change and the end of the run', async () => {
    const { task, message } = await due();
    const { finish } = hold();
    const { working } = await startWork(message);
    await updateTask(rig.ports, ADMIN, task.id, { name: 'another', schedule: '0 5 * * *' });
    finish();
    await working;
    expect(await rig.find(task.id)).toMatchObject({
      name: 'another',
      nextRunAt: '2026-03-01T05:00:00.000Z',
      lastRunStatus: 'success',
    });
  });
});
