import { beforeEach, describe, expect, it } from '@jest/globals';
import { enqueueDueTasks } from '../../../lib/tasks/enqueue-due-tasks.ts';
import { type StoredTask, tasks } from '../../../lib/tasks/schema.ts';
import { updateTask } from '../../../lib/tasks/tasks.ts';
import { ADMIN, MINUTE_MS, startTaskRig, type TaskRig } from '../../support/tasks.ts';

let rig: TaskRig;
beforeEach(async () => {
  rig = await startTaskRig();
});

/** Returns the rig's ports, which count every record that a query returns, and every update. */
function counting() {
  const { records } = rig.ports;
  const counts = { queries: 0, read: 0, updates: 0 };
  const counted: typeof records = {
    ...records,
    async query(query) {
      const page = await records.query(query);
      counts.queries += 1;
      counts.read += page.records.length;
      return page;
    },
    async get(key) {
      counts.read += 1;
      return records.get(key);
    },
    async update(...change) {
      counts.updates += 1;
      return records.update(...change);
    },
  };
  return { ports: { ...rig.ports, records: counted }, counts };
}

describe('scheduler tick', () => {
  it('reads only the three due tasks of 10,000', async () => {
    const late = await rig.add({ schedule: '0 0 1 1 *' });
    const many = Array.from({ length: 10_000 }, (_, index): StoredTask => {
      const id = `01a1fcf8-a7e2-778b-8bd9-${String(index).padStart(12, '0')}`;
      return { ...late, id, isEnabled: index % 2 === 0, nextRunAt: index % 2 === 0 ? late.nextRunAt : null };
    });
    await tasks.putMany(rig.ports.records, many);
    const due = [await rig.add(), await rig.add(), await rig.add()];
    rig.time.now += MINUTE_MS;
    const { ports, counts } = counting();
    await enqueueDueTasks(ports);
    expect(counts).toEqual({ queries: 2, read: 3, updates: 3 });
    expect((await rig.receive()).map(({ taskId }) => taskId)).toEqual(due.map(({ id }) => id));
    await enqueueDueTasks(ports);
    expect(counts).toEqual({ queries: 4, read: 3, updates: 3 });
  });

  it('sends the slot of each due task, and reschedules it', async () => {
    const task = await rig.add({ schedule: '*/5 * * * *' });
    expect(task.nextRunAt).toBe('2026-03-01T00:05:00.000Z');
    await rig.tick();
    expect(await rig.receive()).toEqual([]);
    rig.time.now = Date.parse('2026-03-01T00:05:00.000Z');
    await rig.tick();
    expect(await rig.receive()).toEqual([
      {
        taskId: task.id,
        runId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        trigger: 'schedule',
        scheduledFor: '2026-03-01T00:05:00.000Z',
      },
    ]);
    expect(await rig.find(task.id)).toMatchObject({ nextRunAt: '2026-03-01T00:10:00.000Z' });
  });

  it('handles more than a page of due tasks', async () => {
    await Promise.all(Array.from({ length: 230 }, () => rig.add()));
    rig.time.now += MINUTE_MS;
    await rig.tick();
    expect((await rig.ports.taskQueue.depth()).waiting).toBe(230);
    await rig.tick();
    expect((await rig.ports.taskQueue.depth()).waiting).toBe(230);
  });

  it('makes one run for all missed slots', async () => {
    const task = await rig.add();
    rig.time.now += 3 * 24 * 60 * MINUTE_MS;
    await rig.tick();
    await rig.work();
    await rig.tick();
    await rig.work();
    expect(await rig.history(task.id)).toMatchObject([
      { scheduledFor: '2026-03-01T00:01:00.000Z', status: 'success' },
    ]);
    expect(await rig.find(task.id)).toMatchObject({ nextRunAt: '2026-03-04T00:01:00.000Z' });
  });

  it('loses nothing if it ends between its two steps, and the next tick duplicates nothing', async () => {
    const task = await rig.add();
    rig.time.now += MINUTE_MS;
    const { records } = rig.ports;
    const update = () => Promise.reject(new Error('gone'));
    await enqueueDueTasks({ ...rig.ports, records: { ...records, update } });
    await rig.work();
    await rig.tick();
    await rig.work();
    expect(rig.called).toHaveLength(1);
    expect(await rig.find(task.id)).toMatchObject({ nextRunAt: '2026-03-01T00:02:00.000Z' });
  });

  it("reschedules nothing if it can't send", async () => {
    const task = await rig.add();
    rig.time.now += MINUTE_MS;
    const taskQueue = { ...rig.ports.taskQueue, send: () => Promise.reject(new Error('full')) };
    await expect(enqueueDueTasks({ ...rig.ports, taskQueue })).rejects.toThrow('full');
    expect(await rig.find(task.id)).toMatchObject({ nextRunAt: '2026-03-01T00:01:00.000Z' });
  });

  it('keeps a concurrently changed schedule', async () => {
    const task = await rig.add();
    rig.time.now += MINUTE_MS;
    const { taskQueue } = rig.ports;
    const send: typeof taskQueue.send = async (messages) => {
      await taskQueue.send(messages);
      await updateTask(rig.ports, ADMIN, task.id, { schedule: '30 3 * * *' });
    };
    await enqueueDueTasks({ ...rig.ports, taskQueue: { ...taskQueue, send } });
    expect(await rig.find(task.id)).toMatchObject({ nextRunAt: '2026-03-01T03:30:00.000Z' });
  });

  it('creates one run despite concurrent ticks', async () => {
    const task = await rig.add();
    rig.time.now += MINUTE_MS;
    await Promise.all([rig.tick(), rig.tick(), rig.tick(), rig.tick()]);
    await Promise.all([rig.work(), rig.work(), rig.work()]);
    expect(await rig.history(task.id)).toMatchObject([{ status: 'success', attempts: 1 }]);
    expect(rig.called).toHaveLength(1);
  });

  it('skips disabled tasks', async () => {
    const task = await rig.add();
    await updateTask(rig.ports, ADMIN, task.id, { isEnabled: false });
    expect(await rig.find(task.id)).toMatchObject({ nextRunAt: null });
    rig.time.now += MINUTE_MS;
    await rig.tick();
    expect(await rig.receive()).toEqual([]);
  });
});
