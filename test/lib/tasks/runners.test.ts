import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { recordActivity } from '../../../lib/activity/record.ts';
import { Conflict } from '../../../lib/errors.ts';
import { addDays, dayOf, weekPeriod } from '../../../lib/notes/period.ts';
import { notes, notesPartition } from '../../../lib/notes/schema.ts';
import type { Repositories } from '../../../lib/ports/repositories.ts';
import { LATER } from '../../../lib/tasks/run-task.ts';
import { taskRunners } from '../../../lib/tasks/runners.ts';
import type { StoredTask, TaskRun, TaskType } from '../../../lib/tasks/schema.ts';
import { createToken, revokeToken } from '../../../lib/tokens/tokens.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import {
  type AgentRig,
  calls,
  doIt,
  finish,
  inTurn,
  readTextTool,
  recordingTool,
  says,
  startAgentRig,
} from '../../support/agent.ts';
import { NO_SOURCES } from '../../support/sources.ts';
import { ADMIN } from '../../support/tasks.ts';

let rig: AgentRig;
let pulls: (folder: string) => ReturnType<Repositories['pull']>;
let launch: ReturnType<typeof recordingTool>;

beforeEach(async () => {
  launch = recordingTool('launch', { asks: doIt });
  rig = await startAgentRig([launch.tool, readTextTool]);
});

interface Given {
  taskType: TaskType;
  schedule?: string;
  timezone?: string;
  config?: Record<string, unknown>;
  workspaceId?: string | null;
  trigger?: TaskRun['trigger'];
  scheduledFor?: string;
  startedAt?: string;
  savedBy?: Caller;
}

const runId = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';

/** Makes one run of a task with this start time. */
async function run({ taskType, config = {}, trigger = 'schedule', ...given }: Given) {
  const { scheduledFor = '2026-03-04T00:10:00.000Z', startedAt = scheduledFor } = given;
  rig.time.offsetMs = Date.parse(startedAt) - Date.now();
  const task = {
    id: 'task',
    name: 'A task',
    taskType,
    config,
    schedule: given.schedule ?? '10 0 * * *',
    timezone: given.timezone ?? 'UTC',
    savedBy: given.savedBy ?? { id: 'local', role: 'admin', workspaceIds: null },
    workspaceId: given.workspaceId === undefined ? rig.workspace.id : given.workspaceId,
  } as StoredTask;
  const repositories = { pull: (folder: string) => pulls(folder) } as Repositories;
  const queue = { ...rig.ports.agentQueue, send: async () => {} };
  const ports = {
    ...rig.ports,
    ...{ indexQueue: queue, touchQueue: queue, space: 'lexical', prices: {} },
    repositories,
    ...NO_SOURCES,
  };
  const { workspaceId: of } = given;
  const workspace =
    of === undefined || of === null ? rig.workspace : await workspaces.get(ports.records, { id: of });
  if (workspace === undefined) throw new Error('no such workspace here');
  const outcome = await taskRunners(ports)[taskType]({
    task,
    workspace,
    run: { id: runId, trigger, scheduledFor, startedAt } as TaskRun,
    signal: new AbortController().signal,
    until: Date.parse(startedAt) + 900_000,
  });
  if (outcome === LATER) throw new Error('it goes on elsewhere');
  return outcome;
}

describe('report of a task', () => {
  const late = { startedAt: '2026-03-09T07:00:00.000Z' };
  it.each<[string, Partial<Given>, string]>([
    ['the day before the slot', {}, '2026-03-03'],
    ['the day of the slot', { config: { day: 'today' } }, '2026-03-04'],
    [
      'the day before the slot, although the run starts a day later',
      {
        schedule: '55 23 * * *',
        scheduledFor: '2026-03-04T23:55:00.000Z',
        startedAt: '2026-03-05T00:02:00.000Z',
      },
      '2026-03-03',
    ],
    ['the day before the latest of the missed slots', late, '2026-03-08'],
    [
      'the day before, in the time zone',
      { timezone: 'Asia/Shanghai', scheduledFor: '2026-03-03T16:10:00.000Z' },
      '2026-03-03',
    ],
    ['the day before the request', { trigger: 'manual', schedule: '0 0 1 1 *' }, '2026-03-03'],
  ])('covers %s', async (_what, given, date) => {
    const outcome = await run({ taskType: 'daily_report', config: { day: 'yesterday' }, ...given });
    expect(outcome).toEqual({ status: 'skipped', summary: `There was no activity to report on ${date}.` });
  });

  it('covers the week of the day, or the week before if the day is a Monday', async () => {
    rig.model.answer = inTurn(says('A good week.'));
    const { records, clock } = rig.ports;
    const workspaceId = rig.workspace.id;
    await recordActivity({ records, clock }, { workspaceId, kind: 'chat', actor: 'a', summary: 'Asked' });
    const today = dayOf(Date.now(), 'UTC');
    const { firstDay, lastDay } = weekPeriod(today, 'UTC');
    const scheduledFor = `${addDays(lastDay, 1)}T00:10:00.000Z`;
    const outcome = await run({ taskType: 'weekly_report', config: { day: 'yesterday' }, scheduledFor });
    const note = await notes.get(records, { workspaceId, id: outcome.noteId ?? 'none' });
    expect(note).toMatchObject({ type: 'weekly_report', reportDate: firstDay });
  });
});

describe('git_sync', () => {
  const pulled = { branch: 'main', from: 'a', to: 'b', changedFiles: 3 };

  it('reports the number of changes', async () => {
    pulls = async () => pulled;
    expect(await run({ taskType: 'git_sync' })).toEqual({ status: 'success', summary: 'Changed files: 3.' });
  });

  it('fails if there is nothing to pull, or with the error of the pull', async () => {
    pulls = async () => undefined;
    await expect(run({ taskType: 'git_sync' })).rejects.toThrow("The workspace isn't a git repository.");
    pulls = () => Promise.reject(new Conflict('conflict', 'the branches have parted'));
    await expect(run({ taskType: 'git_sync' })).rejects.toThrow('have parted');
  });

  it('skips a workspace without a clone if it covers all workspaces', async () => {
    pulls = async () => undefined;
    expect(await run({ taskType: 'git_sync', workspaceId: null })).toEqual({
      status: 'skipped',
      summary: "The workspace isn't a git repository.",
    });
  });
});

describe('custom', () => {
  it("is stopped when its author's token is revoked", async () => {
    const { id } = await createToken(rig.ports, ADMIN, { name: 'a saver', role: 'member' });
    rig.model.answer = async function* () {
      await revokeToken(rig.ports, ADMIN, id);
      yield* calls({ name: 'launch' });
    };
    const savedBy: Caller = { id, role: 'member', workspaceIds: null };
    const running = run({ taskType: 'custom', config: { prompt: 'Launch it.', mode: 'agent' }, savedBy });
    await expect(running).rejects.toThrow('was revoked');
    expect(rig.model.requests).toHaveLength(1);
  });

  const unattended = { taskType: 'custom', config: { prompt: 'Launch it.', mode: 'agent' } } as const;

  it('has the permissions of a workspace member, asks for no approval, and stores the answer once', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Not launched.'));
    const outcome = await run(unattended);
    expect(outcome).toMatchObject({ status: 'success', noteId: runId });
    expect(launch.inputs).toEqual([]);
    // Makes the same run again, as after a kill that follows the note.
    expect(await run(unattended)).toEqual(outcome);
    expect(rig.model.requests).toHaveLength(2);
    const { items } = await notes.list(rig.ports.records, { partition: notesPartition(rig.workspace.id) });
    expect(items).toMatchObject([
      { id: runId, content: 'Not launched.', title: 'A task - 2026-03-04 00:10' },
    ]);
  });

  it("stores the answer with its sources, like a chat's note", async () => {
    await writeFile(join(rig.workspace.rootPath, 'owls.md'), '# Owls\n\nOwls hunt by night.\n');
    rig.model.answer = inTurn(
      calls({ name: 'readFile', input: { path: 'owls.md' } }),
      says('Owls hunt by night [1]. They have 9 eyes [1].'),
    );
    await run(unattended);
    const { items } = await notes.list(rig.ports.records, { partition: notesPartition(rig.workspace.id) });
    const [text, sources] = String(items[0]?.content).split('\n\n## Sources\n\n');
    expect(text).toBe('Owls hunt by night [1]. They have 9 eyes [1].');
    expect(sources).toMatch(/^- \[1\] `owls\.md`, lines? [13]\S* \(not in the source\)\n {2}> .*Owls/);
  });

  it('reports in the note and in the list of runs that the answer is truncated', async () => {
    rig.model.answer = inTurn([...says('Half of it').slice(0, -1), finish('length')]);
    const { summary } = await run(unattended);
    expect(summary).toMatch(/saved as a note\. The model reached its output limit/);
    const { items } = await notes.list(rig.ports.records, { partition: notesPartition(rig.workspace.id) });
    expect(items[0]?.content).toMatch(/^Half of it\n\n\*The model reached its output limit/);
  });

  it('stores no note without an answer', async () => {
    rig.model.answer = inTurn(says('  '));
    expect(await run(unattended)).toEqual({
      status: 'success',
      summary: 'The agent gave no answer, so no note was saved.',
    });
  });

  it('fails with the agent run', async () => {
    rig.model.answer = () => {
      throw new Conflict('conflict', 'the model is away');
    };
    await expect(run(unattended)).rejects.toThrow('the model is away');
  });
});
