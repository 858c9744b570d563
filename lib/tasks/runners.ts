import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentPorts } from '../agent/ports.ts';
import { runToEnd } from '../agent/start/unattended-run.ts';
import type { Ending } from '../api-contract/answer-notices.ts';
import { listedSource, withSourceList } from '../api-contract/source-list.ts';
import { type PullPorts, pullWorkspace } from '../git/repository.ts';
import { readIndexState } from '../indexing/read-index-state.ts';
import { type SyncPorts, startSync } from '../indexing/sync.ts';
import { isMostlyChinese } from '../notes/chinese.ts';
import { addNote } from '../notes/notes.ts';
import { addDays, dayOf } from '../notes/period.ts';
import {
  type ReportOptions,
  type ReportOutcome,
  writeDailyReport,
  writeWeeklyReport,
} from '../notes/reports.ts';
import { notes } from '../notes/schema.ts';
import type { ModelPrices } from '../prices/schema.ts';
import { findSource, readSourceRun, startSourceSync } from '../sources/sources.ts';
import { type SourceWorkPorts, workOnSource } from '../sources/work.ts';
import { endingText, withEnding } from '../ui-messages/answer-ending.ts';
import { actorOfTask, callerOfTask } from './caller.ts';
import type { Runner, RunnerContext, TaskOutcome } from './run-task.ts';
import { latestSlot } from './schedule.ts';
import type { CustomConfig, ReportConfig, TaskType } from './schema.ts';
import { isWatch, watchTopic } from './watch-topic.ts';
import { RunFailed } from './work-items.ts';

export type RunnerPorts = AgentPorts & SyncPorts & PullPorts & SourceWorkPorts & { prices: ModelPrices };

/** Returns the function of each task type for one workspace. */
export function taskRunners(ports: RunnerPorts): Record<TaskType, Runner> {
  return {
    daily_report: (context) => writeReports(ports, context, writeDailyReport),
    weekly_report: (context) => writeReports(ports, context, writeWeeklyReport),
    git_sync: (context) => pullClone(ports, context),
    source_sync: (context) =>
      typeof context.task.config.sourceId === 'string'
        ? syncSource(ports, context)
        : syncIndex(ports, context),
    custom: (context) => (isWatch(context.task) ? watchTopic(ports, context) : runUnattended(ports, context)),
  };
}

function withRemark(summary: string, ending: Ending | undefined): string {
  return ending === undefined ? summary : `${summary} ${endingText(ending, false)}`;
}

type WriteReport = (
  ports: RunnerPorts,
  workspaceId: string,
  options: ReportOptions & { date: string },
) => Promise<ReportOutcome>;

async function writeReports(
  ports: RunnerPorts,
  context: RunnerContext,
  write: WriteReport,
): Promise<TaskOutcome> {
  const { task, until, workspace } = context;
  const { day, locale } = task.config as ReportConfig;
  const { timezone } = task;
  const today = dayOf(momentOf(context), timezone);
  const date = day === 'today' ? today : addDays(today, -1);
  const timeLeftMs = until - ports.clock.now();
  const options = { date, timezone, locale, timeLeftMs, actor: actorOfTask(task), payer: task.savedBy.id };
  return describeReport(date, await write(ports, workspace.id, options));
}

/**
 * Returns the time that the run represents: its slot, or the latest of the missed slots, however late it
 * starts.
 */
function momentOf({ task, run }: RunnerContext): number {
  const { schedule, timezone } = task;
  const slot = Date.parse(run.scheduledFor);
  if (run.trigger === 'manual') return slot;
  const began = Date.parse(run.startedAt ?? run.scheduledFor);
  return Math.max(slot, latestSlot(schedule, timezone, began) ?? slot);
}

function describeReport(date: string, outcome: ReportOutcome): TaskOutcome {
  if ('note' in outcome)
    return {
      status: 'success',
      summary: withRemark(`Wrote the report of ${date}.`, outcome.ending),
      noteId: outcome.note.id,
    };
  if (outcome.reason === 'no_activities')
    return { status: 'skipped', summary: `There was no activity to report on ${date}.` };
  return { status: 'skipped', summary: `The report of ${date} already exists.`, noteId: outcome.noteId };
}

async function pullClone(
  ports: RunnerPorts,
  { signal, task, workspace }: RunnerContext,
): Promise<TaskOutcome> {
  const pulled = await pullWorkspace(ports, workspace, actorOfTask(task), { signal });
  if (pulled !== undefined) return { status: 'success', summary: `Changed files: ${pulled.changedFiles}.` };
  if (task.workspaceId !== null) throw new RunFailed("The workspace isn't a git repository.");
  return { status: 'skipped', summary: "The workspace isn't a git repository." };
}

const LOOK_EVERY_MS = 1000;

async function syncIndex(ports: RunnerPorts, { workspace, signal }: RunnerContext): Promise<TaskOutcome> {
  await startSync(ports, workspace.id);
  for (;;) {
    const state = await readIndexState(ports.records, workspace.id);
    if (state.status === 'failed') throw new RunFailed(state.errors[0]?.error ?? 'The sync failed.');
    const { newCount, updatedCount, removedCount, failedCount } = state;
    const summary = `Files: ${newCount} new, ${updatedCount} updated, ${removedCount} removed, ${failedCount} failed.`;
    if (state.status === 'ready') return { status: 'success', summary };
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Syncs one source of the workspace. A sync that takes longer than the run continues without it. */
async function syncSource(
  ports: RunnerPorts,
  { task, workspace, until }: RunnerContext,
): Promise<TaskOutcome> {
  const source = await findSource(ports.records, workspace.id, String(task.config.sourceId));
  const { id } = await startSourceSync(ports, source, { dryRun: false, trigger: 'schedule' });
  const message = { kind: 'source' as const, workspaceId: workspace.id, name: source.name };
  await workOnSource(ports, message, until - ports.clock.now());
  const { finishedAt, error, counts } = await readSourceRun(ports.records, source, id);
  if (error !== null) throw new RunFailed(error);
  if (finishedAt === null) return { status: 'success', summary: 'The sync was started and continues.' };
  const { added, updated, moved, trashed, conflicts, failed } = counts;
  const changes = `${added} new, ${updated} updated, ${moved} moved, ${trashed} removed`;
  return { status: 'success', summary: `Files: ${changes}, ${conflicts} conflicts, ${failed} failed.` };
}

/**
 * Runs the agent in the workspace of the task, with a member's rights. Its answer becomes a note. A task with
 * a prompt is never global.
 */
async function runUnattended(ports: RunnerPorts, context: RunnerContext): Promise<TaskOutcome> {
  const { task, run, signal, until } = context;
  const { workspace } = context;
  const { id: workspaceId } = workspace;
  const caller = callerOfTask(task, workspace);
  // If the previous process died right after saving the note, all work is done.
  if (await notes.get(ports.records, { workspaceId, id: run.id })) return kept(run.id);
  const timeLeftMs = until - ports.clock.now();
  const unattended = { workspace, ...(task.config as CustomConfig), rightsOf: task.savedBy };
  const {
    run: agentRun,
    text,
    citations,
    ending,
  } = await runToEnd(ports, caller, unattended, { timeLeftMs, signal });
  signal.throwIfAborted();
  if (agentRun.status !== 'done') throw new RunFailed(agentRun.error ?? 'The agent run was stopped.');
  if (text.trim() === '')
    return { status: 'success', summary: 'The agent gave no answer, so no note was saved.' };
  const title = `${task.name} - ${run.scheduledFor.slice(0, 16).replace('T', ' ')}`;
  const answer = withEnding(text.trim().slice(0, MAX_ANSWER).toWellFormed(), ending, isMostlyChinese(text));
  const content = withSourceList(answer, citations.map(listedSource));
  await addNote(ports, caller.id, { id: run.id, workspaceId, title, content, type: 'memory' });
  return kept(run.id, ending);
}

const MAX_ANSWER = 100_000;

function kept(noteId: string, ending?: Ending): TaskOutcome {
  return { status: 'success', summary: withRemark('The answer was saved as a note.', ending), noteId };
}
