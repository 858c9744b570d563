import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { notes } from '../../../lib/notes/schema.ts';
import type { Repositories } from '../../../lib/ports/repositories.ts';
import { describeResearch, findResearch } from '../../../lib/research/find-research.ts';
import { runs, runsPartition } from '../../../lib/runs/schema.ts';
import { dropAnswers } from '../../../lib/runs/steps/step-records.ts';
import { sweepRuns } from '../../../lib/runs/sweep.ts';
import { enqueueDueTasks } from '../../../lib/tasks/enqueue-due-tasks.ts';
import { runTask } from '../../../lib/tasks/run-task.ts';
import { taskRunners } from '../../../lib/tasks/runners.ts';
import {
  type Task,
  taskMessageSchema,
  taskRuns,
  taskRunsPartition,
  tasks,
} from '../../../lib/tasks/schema.ts';
import { createTask, runTaskNow, updateTask } from '../../../lib/tasks/tasks.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { MEMBER } from '../../support/agent.ts';
import { killable } from '../../support/processes/killable.ts';
import { type ResearchRig, startResearchRig } from '../../support/research.ts';
import { NO_SOURCES } from '../../support/sources.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
const OWLS = 'https://a.example/owls';
const HAWKS = 'https://b.example/hawks';

let pages: Record<string, string>;
let rig: ResearchRig;
let ports: Parameters<typeof runTask>[0];

beforeEach(async () => {
  pages = { [OWLS]: '<p>Owls hunt at night in 12 forests.</p>' };
  rig = await startResearchRig(pages);
  createQueues(rig.database, [{ name: 'task', fifo: false, visibilityTimeoutSeconds: 5400 }]);
  ports = withRunners(rig.ports);
});

function withRunners(given: ResearchRig['ports']): Parameters<typeof runTask>[0] {
  const queue = { ...given.agentQueue, send: async () => {} };
  const runnerPorts = {
    ...given,
    ...NO_SOURCES,
    indexQueue: queue,
    space: 'lexical',
    repositories: {} as Repositories,
  };
  const taskQueue = sqliteQueue(rig.database, 'task', given.clock);
  return { ...given, taskQueue, runners: taskRunners(runnerPorts) };
}

/** The watch has no slot, unless another schedule is set. */
async function watch(fields: Record<string, unknown> = {}, schedule = '0 0 29 2 *'): Promise<Task> {
  const research = { question: 'When do owls hunt?', depth: 'quick', addresses: [OWLS, HAWKS], ...fields };
  const input = { name: 'Owls', taskType: 'custom' as const, schedule, timezone: 'UTC' };
  return createTask(ports, MEMBER, rig.workspace, { ...input, config: { research }, isEnabled: true });
}

/** Handles the waiting task messages with these ports. */
async function workOnTasks(given = ports): Promise<void> {
  const messages = await ports.taskQueue.receive({ max: 10 });
  for (const { body, receipt } of messages) {
    await runTask(given, taskMessageSchema.parse(JSON.parse(body)), 900_000);
    await ports.taskQueue.delete([receipt]);
  }
}

async function tick(): Promise<void> {
  rig.time.offsetMs += 2 * MINUTE_MS;
  await sweepRuns(rig.ports);
  await rig.work();
  await enqueueDueTasks(ports);
  await workOnTasks();
}

async function newest({ id }: Task) {
  const page = await taskRuns.list(rig.ports.records, {
    partition: taskRunsPartition(id),
    order: 'descending',
  });
  return page.items[0];
}

/** Makes one run of the task, from start to end. */
async function ran(task: Task) {
  await runTaskNow(ports, MEMBER, task.id);
  await workOnTasks();
  for (let times = 0; times < 5 && (await newest(task))?.status === 'running'; times++) await tick();
  return newest(task);
}

describe('topic watch', () => {
  it('writes a report, then lists new evidence, and makes no model call without new evidence', async () => {
    const task = await watch();
    const first = await ran(task);
    expect(first).toMatchObject({
      status: 'success',
      summary: expect.stringMatching(/^First report: 2 sentences supported, 0 flagged\./),
    });
    const asked = rig.model.prompts.length;

    rig.time.offsetMs += WEEK_MS;
    const second = await ran(task);
    expect(second).toMatchObject({ status: 'success', summary: 'Nothing new since the previous report.' });
    expect(rig.model.prompts).toHaveLength(asked);
    const research = await describeResearch(
      rig.ports,
      await findResearch(rig.ports.records, MEMBER, second?.id ?? ''),
    );
    expect(research).toMatchObject({ calls: 0, previousRunId: first?.id, conversationId: null });
    expect(research.sections).toHaveLength(3);
    const note = await notes.get(rig.ports.records, {
      workspaceId: rig.workspace.id,
      id: second?.noteId ?? '',
    });
    expect(note?.content).toContain('0 claims are new');
    expect(note?.content).toContain('12 forests');

    pages[HAWKS] = '<p>Hawks and owls hunt by day in Norway.</p>';
    rig.time.offsetMs += WEEK_MS;
    const third = await ran(task);
    expect(third).toMatchObject({
      summary: 'Since the previous report: 1 new claim, 0 quotes no longer in the sources.',
    });
    const read = rig.model.prompts.filter((prompt) => prompt.startsWith('You collect evidence'));
    expect(read).toHaveLength(2); // each page once
    expect(await tasks.get(rig.ports.records, task)).toMatchObject({ lastRunStatus: 'success' });
  });

  it('costs nothing again when the model answers are no longer stored', async () => {
    const task = await watch();
    await ran(task);
    await dropAnswers(rig.ports.records, rig.workspace.id);
    const asked = rig.model.prompts.length;
    await ran(task);
    expect(rig.model.prompts).toHaveLength(asked);
  });

  it("holds no worker, because each check is short, and isn't mistaken for a dead run", async () => {
    const task = await watch();
    await runTaskNow(ports, MEMBER, task.id);
    await workOnTasks();
    for (let times = 0; times < 6; times++) {
      rig.time.offsetMs += 2 * MINUTE_MS;
      await enqueueDueTasks(ports);
      await workOnTasks();
    }
    expect(await newest(task)).toMatchObject({ status: 'running', attempts: 0 });
    expect(await tasks.get(rig.ports.records, task)).toMatchObject({ lastRunStatus: 'running' });
    await rig.work();
    await tick();
    expect(await newest(task)).toMatchObject({ status: 'success' });
  });

  it('runs once for all missed slots', async () => {
    const task = await watch({}, '0 3 * * 1');
    rig.time.offsetMs += 3 * WEEK_MS;
    for (let times = 0; times < 4; times++) await tick();
    const { items } = await taskRuns.list(rig.ports.records, { partition: taskRunsPartition(task.id) });
    expect(items).toMatchObject([{ status: 'success', trigger: 'schedule' }]);
  });

  it('starts again for another question', async () => {
    const task = await watch();
    await ran(task);
    await updateTask(ports, MEMBER, task.id, {
      config: { research: { question: 'Where do owls hunt?', addresses: [OWLS] } },
    });
    expect(await ran(task)).toMatchObject({
      summary: expect.stringMatching(/^First report: 2 sentences supported, 0 flagged\./),
    });
  });

  it('starts again in another workspace, which gets nothing from the previous workspace', async () => {
    const task = await watch();
    const first = await ran(task);
    const other = { ...rig.workspace, id: randomUUID(), name: 'Other', rootPath: await tempFolder() };
    await workspaces.create(rig.ports.records, other);
    await updateTask(ports, MEMBER, task.id, { workspace: other });
    const second = await ran(task);
    expect(second).toMatchObject({
      summary: expect.stringMatching(/^First report: 2 sentences supported, 0 flagged\./),
    });
    const found = await findResearch(rig.ports.records, MEMBER, second?.id ?? '');
    expect(found).toMatchObject({ run: { workspaceId: other.id }, study: { previousRunId: null } });
    expect(first?.id).not.toBe(second?.id);
  });

  it('ends without a report if it is moved during the report, and writes the report there the next time', async () => {
    const task = await watch();
    await runTaskNow(ports, MEMBER, task.id);
    await workOnTasks();
    const begun = await newest(task);
    expect(begun).toMatchObject({ status: 'running' });
    const other = { ...rig.workspace, id: randomUUID(), name: 'Other', rootPath: await tempFolder() };
    await workspaces.create(rig.ports.records, other);
    await updateTask(ports, MEMBER, task.id, { workspace: other });
    await tick();
    const report = await findResearch(rig.ports.records, MEMBER, begun?.id ?? '');
    expect(report.run).toMatchObject({ status: 'done', workspaceId: rig.workspace.id });
    expect(await newest(task)).toMatchObject({
      ...{ id: begun?.id, status: 'skipped', noteId: null, error: null },
      summary: expect.stringMatching(
        /^The task was moved here while its report was being written in another/,
      ),
    });
    const next = await ran(task);
    expect(next).toMatchObject({
      status: 'success',
      summary: expect.stringMatching(/^First report: 2 sentences supported, 0 flagged\./),
    });
    const note = await notes.get(rig.ports.records, { workspaceId: other.id, id: next?.noteId ?? '' });
    expect(note).toMatchObject({ id: next?.noteId, workspaceId: other.id });
  });

  it('reports why its report failed, and continues from the previous one', async () => {
    const task = await watch();
    await ran(task);
    await runTaskNow(ports, MEMBER, task.id);
    await workOnTasks();
    const id = (await newest(task))?.id ?? '';
    await runs.update(
      rig.ports.records,
      { id },
      { set: { status: 'failed', error: 'no such model', parked: false } },
    );
    await tick();
    expect(await newest(task)).toMatchObject({ status: 'error', error: 'no such model' });
    expect(await ran(task)).toMatchObject({ summary: 'Nothing new since the previous report.' });
  });

  it('ends with one report if its worker is killed at any store call', async () => {
    let reports = 0;
    for (let lives = 1, died = true; died; lives += 3) {
      const task = await watch({ question: `When do owls hunt, ${lives}?` });
      await runTaskNow(ports, MEMBER, task.id);
      const mortal = killable(rig.ports, ['records', 'agentQueue'], lives);
      const working = workOnTasks(withRunners(mortal.ports));
      died = await Promise.race([mortal.died.then(() => true), working.then(() => false)]);
      for (let times = 0; times < 8 && (await newest(task))?.finishedAt === null; times++) await tick();
      mortal.bury();
      await working.catch(() => undefined);
      expect([lives, await newest(task)]).toMatchObject([lives, { status: 'success' }]);
      reports += 1;
      const begun = { partition: runsPartition(rig.workspace.id), byIndex: true };
      expect([lives, (await runs.list(rig.ports.records, begun)).items.length]).toEqual([lives, reports]);
    }
    expect(reports).toBeGreaterThan(5);
  });
});

describe('config of a topic watch', () => {
  it.each([
    ['without a question', { question: undefined }, /config\.research\.question/],
    ['with a blank question', { question: ' ' }, /config\.research\.question/],
    ['with an unknown depth', { depth: 'endless' }, /config\.research\.depth/],
    ['with a plan that needs approval', { approvePlan: true }, /approvePlan/],
    [
      'with an HTTP page',
      { addresses: ['http://a.example'] },
      /^config\.research\.addresses\.0 must be an HTTPS URL\./,
    ],
  ])('is rejected: %s', async (_what, fields, named) => {
    await expect(watch(fields)).rejects.toThrow(named);
  });

  it('has defaults, and no prompt', async () => {
    expect((await watch({ depth: undefined })).config).toMatchObject({
      research: { depth: 'standard', language: 'en', sources: ['files', 'datasets'] },
    });
    const config = { research: { question: 'Owls?' }, prompt: 'Look.' };
    const input = { name: 'Owls', taskType: 'custom' as const, schedule: '0 3 * * 1', timezone: 'UTC' };
    const made = createTask(ports, MEMBER, rig.workspace, { ...input, config, isEnabled: true });
    await expect(made).rejects.toThrow(/prompt/);
  });
});
