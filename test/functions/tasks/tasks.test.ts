import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Note } from '../../../lib/notes/schema.ts';
import type { Task } from '../../../lib/tasks/schema.ts';
import { inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const provider = await startFakeOpenai();
afterAll(() => provider.stop());
const service = await startService({
  PROVIDER_A_BASE_URL: provider.url,
  PROVIDER_A_API_KEY: 'test',
  LLM_MODEL: 'fake',
  KUBECONFIG_PATH: '/nowhere/kubeconfig', // a cluster that is configured but unreachable
  HOME: await tempFolder(),
});
const workspace = await makeWorkspace(service);
const UNKNOWN = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';
const least = { name: 'A task', taskType: 'source_sync', schedule: '0 3 * * *' };

interface Run {
  id: string;
  status: string;
  [field: string]: unknown;
}

function create(fields: Record<string, unknown> = {}) {
  const body = { ...least, workspaceId: workspace.id, ...fields };
  return service.call<Task>('POST', '/api/scheduled-tasks', body);
}

async function made(fields: Record<string, unknown> = {}): Promise<Task> {
  const { status, body } = await create(fields);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

function update(task: Pick<Task, 'id'>, body: unknown) {
  return service.call<Task>('PUT', `/api/scheduled-tasks/${task.id}`, body);
}

async function read({ id }: Pick<Task, 'id'>): Promise<Task> {
  return (await service.call<Task>('GET', `/api/scheduled-tasks/${id}`)).body;
}

/** Runs a task now, and waits until it ends. */
async function ran(task: Task): Promise<Run> {
  const path = `/api/scheduled-tasks/${task.id}/run`;
  const { status, body } = await service.call<{ runId: string }>('POST', path);
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
  const runs = () => service.call<Run[]>('GET', `/api/scheduled-tasks/${task.id}/runs`);
  const over = (run: Run) => run.id === body.runId && !['waiting', 'running'].includes(run.status);
  const { body: all } = await eventually(runs, ({ body }) => body.some(over));
  return all.find(over) as Run;
}

describe('POST /api/scheduled-tasks', () => {
  it('returns 201 with the record, including defaults', async () => {
    const { status, body } = await create({ name: '  Nightly  ', schedule: ' 0  3 * *  1-5 ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Nightly',
      taskType: 'source_sync',
      schedule: '0 3 * * 1-5',
      timezone: 'UTC',
      workspaceId: workspace.id,
      config: {},
      isEnabled: true,
      nextRunAt: expect.stringMatching(/T03:00:00\.000Z$/),
      lastRunAt: null,
      lastRunStatus: null,
      lastRunError: null,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updatedAt: body.createdAt,
    });
    expect(await read(body)).toEqual(body);
  });

  it('computes the next run in the time zone, and no run for a disabled task', async () => {
    const { nextRunAt } = await made({ timezone: 'Asia/Shanghai', schedule: '0 0 * * *' });
    expect(nextRunAt).toMatch(/T16:00:00\.000Z$/);
    expect(await made({ isEnabled: false })).toMatchObject({ nextRunAt: null });
  });

  it('fills in the defaults of the config', async () => {
    const custom = await made({ taskType: 'custom', config: { prompt: ' Look. ' } });
    expect(custom.config).toEqual({ prompt: 'Look.', mode: 'agent' });
    expect((await made({ taskType: 'daily_report', config: null })).config).toEqual({ day: 'yesterday' });
    expect((await create({ workspaceId: null })).body).toMatchObject({ workspaceId: null });
  });

  const prompt = 'Look.';
  it.each([
    ['no name', { name: undefined }, 400, 'name'],
    ['a blank name', { name: ' ' }, 400, 'name'],
    ['a name over 200 characters', { name: 'n'.repeat(201) }, 400, 'name'],
    ['no type', { taskType: undefined }, 400, 'taskType'],
    ['an unknown type', { taskType: 'monthly_report' }, 400, 'taskType'],
    ['no schedule', { schedule: undefined }, 400, 'schedule'],
    [
      'four fields',
      { schedule: '* * * *' },
      400,
      'schedule must have 5 fields (minute hour day month weekday), but has 4.',
    ],
    [
      'six fields',
      { schedule: '* * * * * *' },
      400,
      'schedule must have 5 fields (minute hour day month weekday), but has 6.',
    ],
    ['H', { schedule: 'H * * * *' }, 400, 'schedule has "H"'],
    ['@reboot', { schedule: '@reboot' }, 400, 'schedule can\'t be "@reboot"'],
    ['30 February', { schedule: '0 0 30 2 *' }, 400, 'schedule never runs'],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 400, 'timezone'],
    ['an offset', { timezone: '+02:00' }, 400, 'timezone'],
    ['an unknown workspace', { workspaceId: UNKNOWN }, 404, 'workspace'],
    ['isEnabled as a string', { isEnabled: 'true' }, 400, 'isEnabled'],
    ['config as a string', { config: '{}' }, 400, 'config'],
    ['a config of another type', { config: { deep: true } }, 400, 'config'],
    ['an unknown day', { taskType: 'daily_report', config: { day: 'tomorrow' } }, 400, 'config.day'],
    ['custom without a prompt', { taskType: 'custom' }, 400, 'config.prompt is required'],
    [
      'custom with an unknown mode',
      { taskType: 'custom', config: { prompt, mode: 'x' } },
      400,
      'config.mode',
    ],
    [
      'custom with an unknown skill',
      { taskType: 'custom', config: { prompt, skillId: UNKNOWN } },
      404,
      'skill',
    ],
    [
      'custom without a workspace',
      { taskType: 'custom', config: { prompt }, workspaceId: null },
      400,
      'workspaceId',
    ],
    [
      'a watch without a question',
      { taskType: 'custom', config: { research: {} } },
      400,
      'config.research.question is required',
    ],
    [
      'a watch of all workspaces',
      { taskType: 'custom', config: { research: { question: 'Owls?' } }, workspaceId: null },
      400,
      'workspaceId',
    ],
    ['a watch with another type', { config: { research: { question: 'Owls?' } } }, 400, 'config.research'],
    [
      'a config over 256 KB',
      { taskType: 'custom', config: { prompt: '研'.repeat(90_000) } },
      400,
      'config is too large',
    ],
    ['an unknown field', { cron: '* * * * *' }, 400, 'cron'],
    ['lastRunStatus', { lastRunStatus: 'success' }, 400, 'lastRunStatus'],
  ])('rejects %s', async (_what, fields, status, named) => {
    expect(await create(fields)).toMatchObject({ status, body: { error: expect.stringContaining(named) } });
  });
});

describe('PUT /api/scheduled-tasks/{taskId}', () => {
  it('changes the given fields, and computes the next run from the schedule', async () => {
    const task = await made();
    const { status, body } = await update(task, { name: 'Other', schedule: '30 4 * * *' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...task,
      name: 'Other',
      schedule: '30 4 * * *',
      nextRunAt: expect.stringMatching(/T04:30:00/),
      updatedAt: expect.any(String),
    });
    expect(body.updatedAt > task.updatedAt).toBe(true);
    expect((await update(task, { isEnabled: false })).body.nextRunAt).toBeNull();
    expect((await update(task, { isEnabled: true })).body.nextRunAt).toMatch(/T04:30:00/);
  });

  it('keeps all of twenty concurrent changes', async () => {
    const task = await made();
    const fields = [
      { name: 'B' },
      { schedule: '1 1 * * *' },
      { timezone: 'Asia/Tokyo' },
      { isEnabled: false },
    ];
    await Promise.all(Array.from({ length: 20 }, (_, index) => update(task, fields[index % 4])));
    const changed = { name: 'B', schedule: '1 1 * * *', timezone: 'Asia/Tokyo', isEnabled: false };
    expect(await read(task)).toMatchObject({ ...changed, nextRunAt: null });
  });

  it.each([
    ['a wrong schedule', { schedule: '* *' }, 400, 'schedule'],
    ["a type that doesn't match the config", { taskType: 'custom' }, 400, 'config.prompt'],
    ['an unknown workspace', { workspaceId: UNKNOWN }, 404, 'workspace'],
    ['an unknown field', { nextRunAt: null }, 400, 'nextRunAt'],
  ])('rejects %s, and changes nothing', async (_what, change, status, named) => {
    const task = await made();
    expect(await update(task, change)).toMatchObject({
      status,
      body: { error: expect.stringContaining(named) },
    });
    expect(await read(task)).toEqual(task);
  });
});

describe('missing task', () => {
  it.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/runs'],
    ['POST', '/run'],
  ])('returns 404 for %s %s', async (method, path) => {
    const body = method === 'PUT' ? {} : undefined;
    const answer = await service.call(method, `/api/scheduled-tasks/${UNKNOWN}${path}`, body);
    expect(answer).toMatchObject({ status: 404, body: { error: 'This task does not exist.' } });
  });
});

describe('GET and DELETE /api/scheduled-tasks', () => {
  it('list the tasks newest first, by page, or those of a workspace', async () => {
    const own = await makeWorkspace(service);
    const ids = [];
    for (let index = 0; index < 5; index++) ids.unshift((await made({ workspaceId: own.id })).id);
    const [first, second] = [await list('limit=2'), await list(`limit=2&workspaceId=${own.id}`)];
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect(second.ids).toEqual(ids.slice(0, 2));
    const rest = await list(`limit=3&workspaceId=${own.id}&cursor=${second.cursor}`);
    expect(rest).toEqual({ ids: ids.slice(2), cursor: undefined });
    expect((await service.call('GET', '/api/scheduled-tasks?cursor=x')).status).toBe(400);
    expect((await service.call('GET', `/api/scheduled-tasks?workspaceId=${UNKNOWN}`)).status).toBe(404);
  });

  async function list(query: string) {
    const { body, headers } = await service.call<Task[]>('GET', `/api/scheduled-tasks?${query}`);
    return { ids: body.map(({ id }) => id), cursor: headers['x-next-cursor'] };
  }

  it('remove a task, and all tasks of a deleted workspace', async () => {
    const gone = await makeWorkspace(service);
    const [one, other, global] = [
      await made(),
      await made({ workspaceId: gone.id }),
      await made({ workspaceId: null }),
    ];
    const path = `/api/scheduled-tasks/${one.id}`;
    expect(await service.call('DELETE', path)).toMatchObject({ status: 200, body: { success: true } });
    expect((await service.call('DELETE', path)).status).toBe(404);
    await service.call('DELETE', `/api/workspaces/${gone.id}`);
    expect((await service.call('GET', `/api/scheduled-tasks/${other.id}`)).status).toBe(404);
    expect(await read(global)).toEqual(global);
  });
});

describe('task run', () => {
  it('waits for the sync of source_sync, and reports its result', async () => {
    await writeFile(join(workspace.root, 'a.md'), '# A\n\nText.\n');
    const task = await made();
    const run = await ran(task);
    expect(run).toEqual({
      id: run.id,
      taskId: task.id,
      trigger: 'manual',
      workspaces: null,
      scheduledFor: expect.any(String),
      status: 'success',
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      error: null,
      summary: 'Files: 1 new, 0 updated, 0 removed, 0 failed.',
      noteId: null,
      attempts: 1,
    });
    const told = { lastRunAt: run.startedAt, lastRunStatus: 'success', lastRunError: null };
    expect(await read(task)).toEqual({ ...task, ...told });
  });

  it('writes one note for daily_report and weekly_report, or reports that there is nothing to write', async () => {
    provider.answer = inTurn('Much was done.');
    const busy = await makeWorkspace(service);
    await service.call('POST', '/api/files/write', { workspaceId: busy.id, path: 'a.md', content: 'x' });
    for (const taskType of ['daily_report', 'weekly_report']) {
      const today = await made({ taskType, workspaceId: busy.id, config: { day: 'today' } });
      const run = await ran(today);
      expect(run).toMatchObject({ status: 'success', noteId: expect.any(String) });
      const { body: note } = await service.call<Note>('GET', `/api/notes/${run.noteId}`);
      expect(note).toMatchObject({ type: taskType, content: expect.stringContaining('Much was done.') });
      expect(await ran(today)).toMatchObject({ status: 'skipped', noteId: run.noteId, error: null });
      const empty = await makeWorkspace(service);
      const none = await made({ taskType, workspaceId: empty.id });
      expect(await ran(none)).toMatchObject({ status: 'skipped', noteId: null });
      expect(await read(none)).toMatchObject({ lastRunStatus: 'skipped', lastRunError: null });
    }
  });

  it('needs a repository for git_sync', async () => {
    const task = await made({ taskType: 'git_sync' });
    const error = "The workspace isn't a git repository.";
    expect(await ran(task)).toMatchObject({ status: 'error', error });
    expect(await read(task)).toMatchObject({ lastRunStatus: 'error', lastRunError: error });
  });

  it('stores the answer of the agent as a note for custom, and denies actions that need approval', async () => {
    const job = { name: 'job', namespace: 'default', command: 'true', gpus: 1 };
    provider.answer = inTurn(
      { calls: [{ name: 'writeFile', input: { path: 'made.txt', content: 'made' } }] },
      { calls: [{ name: 'submitJob', input: job }] },
      'The file is there.',
    );
    const task = await made({ taskType: 'custom', name: 'Errand', config: { prompt: 'Make it.' } });
    const run = await ran(task);
    expect(run).toMatchObject({ status: 'success', noteId: run.id });
    const { body: note } = await service.call<Note>('GET', `/api/notes/${run.noteId}`);
    expect(note).toMatchObject({ workspaceId: workspace.id, content: 'The file is there.', type: 'memory' });
    expect(note.title).toMatch(/^Errand - \d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(JSON.stringify(provider.lastChat?.messages)).toContain('needs the approval of a person');
    const file = await service.call('GET', `/api/files/read?workspaceId=${workspace.id}&path=made.txt`);
    expect(file.body).toMatchObject({ content: 'made' });
  });

  it('reports why a custom task failed', async () => {
    provider.failure = 'unauthorized';
    const task = await made({ taskType: 'custom', config: { prompt: 'Make it.', mode: 'ask' } });
    expect(await ran(task)).toMatchObject({
      status: 'error',
      error: expect.stringContaining('refused the key'),
      noteId: null,
    });
    provider.failure = undefined;
  });

  it('covers every workspace for a global task, and names the failed ones', async () => {
    const files = await makeWorkspace(service, 'broken');
    await mkdir(join(files.root, 'sub'));
    const sync = await made({ workspaceId: null });
    expect(await ran(sync)).toMatchObject({
      status: 'success',
      summary: expect.stringMatching(/^Done in \d+ of \d+ workspaces/),
      workspaces: { total: expect.any(Number), failed: 0 },
    });
    const pull = await made({ workspaceId: null, taskType: 'git_sync' });
    expect(await ran(pull)).toMatchObject({ status: 'skipped' });
  });

  it('is listed newest first, by page', async () => {
    const task = await made();
    const ids = [(await ran(task)).id, (await ran(task)).id, (await ran(task)).id].reverse();
    const path = `/api/scheduled-tasks/${task.id}/runs`;
    const first = await service.call<Run[]>('GET', `${path}?limit=2`);
    const cursor = encodeURIComponent(String(first.headers['x-next-cursor']));
    const second = await service.call<Run[]>('GET', `${path}?limit=2&cursor=${cursor}`);
    expect([...first.body, ...second.body].map(({ id }) => id)).toEqual(ids);
  });
});
