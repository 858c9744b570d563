import { NotFound } from '../errors.ts';
import { beginResearch, goOnFrom } from '../research/begin.ts';
import { describeResearch, type FoundResearch } from '../research/find-research.ts';
import { changesSince } from '../research/fold-frames.ts';
import { type StudyRequest, studies } from '../research/run-records.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { isRunOver, runs } from '../runs/schema.ts';
import { pluralize } from '../text/pluralize.ts';
import { callerOfTask } from './caller.ts';
import { LATER, type RunnerContext, type TaskOutcome } from './run-task.ts';
import { type StoredTask, taskRuns, taskRunsPartition, type WatchConfig } from './schema.ts';
import { RunFailed } from './work-items.ts';

/** Maximum runs of a task's history to read, newest first. Runs without a report are skipped. */
const MAX_LOOKED_BACK = 100;

const MOVED =
  'The task was moved here while its report was being written in another workspace. The next run writes a report here.';

export function isWatch({ config }: Pick<StoredTask, 'config'>): boolean {
  return config.research !== undefined;
}

/**
 * Keeps a report up to date: the first run writes it, and each later run adds what is new since the latest
 * existing report. The work is a research run with the ID of the task's run, so that it starts once. Other
 * processes do the work, and each call checks on it once.
 */
export async function watchTopic(
  ports: BeginPorts,
  context: RunnerContext,
): Promise<TaskOutcome | typeof LATER> {
  const { run } = context;
  const found = (await findReport(ports, run.id)) ?? (await begin(ports, context));
  // The note belongs to another workspace, to which users who see the task here may have no access.
  if (found.run.workspaceId !== context.workspace.id) return { status: 'skipped', summary: MOVED };
  const research = await describeResearch(ports, found);
  if (!isRunOver(research.status)) return LATER;
  if (research.status !== 'done') throw new RunFailed(research.error ?? 'The report was stopped.');
  const summary = await summaryOf(ports, found.study, research.counts);
  return { status: 'success', summary, noteId: research.noteId ?? undefined };
}

async function findReport({ records }: BeginPorts, runId: string): Promise<FoundResearch | undefined> {
  const [run, study] = await Promise.all([runs.get(records, { id: runId }), studies.get(records, { runId })]);
  return run && study && { run, study };
}

async function begin(ports: BeginPorts, context: RunnerContext): Promise<FoundResearch> {
  const { task, run, workspace } = context;
  const { research } = task.config as WatchConfig;
  const caller = callerOfTask(task, workspace);
  const fields = { id: run.id, unattended: true, rightsOf: task.savedBy };
  const before = await findBefore(ports, context);
  if (before === undefined)
    await beginResearch(ports, caller, workspace, { ...research, approvePlan: false }, fields);
  else await goOnFrom(ports, caller, workspace, before, { budget: research.budget }, fields);
  const found = await findReport(ports, run.id);
  if (found === undefined) throw new NotFound('report_not_found', 'The report no longer exists.');
  return found;
}

/**
 * Returns the latest report of the task, if it was about the same question in the same workspace. Reports are
 * kept for 30 days.
 */
async function findBefore(
  ports: BeginPorts,
  { task, run, workspace }: RunnerContext,
): Promise<FoundResearch | undefined> {
  const { research } = task.config as WatchConfig;
  let left = MAX_LOOKED_BACK;
  const history = { partition: taskRunsPartition(task.id), order: 'descending' as const, limit: 20 };
  for await (const { id, status } of taskRuns.all(ports.records, history)) {
    if (left-- === 0) return undefined;
    if (id === run.id) continue;
    const found = status === 'success' ? await findReport(ports, id) : undefined;
    if (found?.run.status !== 'done') continue;
    const isHere = found.run.workspaceId === workspace.id;
    return isHere && asksTheSame(found.study, research) ? found : undefined;
  }
  return undefined;
}

function asksTheSame(study: StudyRequest, wanted: WatchConfig['research']): boolean {
  const askedOf = ({
    question,
    depth,
    sources,
    addresses,
    language,
  }: WatchConfig['research'] | StudyRequest) =>
    JSON.stringify([question, depth, sources, addresses, language]);
  return askedOf(study) === askedOf(wanted);
}

async function summaryOf(
  { records }: BeginPorts,
  { runId, way, previousRunId }: StudyRequest,
  { supported, marked }: { supported: number; marked: number },
): Promise<string> {
  if (way !== 'refresh' || previousRunId === null)
    return `First report: ${pluralize(supported, 'sentence')} supported, ${marked} flagged.`;
  const { fresh, gone } = await changesSince(records, runId, previousRunId);
  if (fresh === 0 && gone === 0) return 'Nothing new since the previous report.';
  return `Since the previous report: ${pluralize(fresh, 'new claim')}, ${pluralize(gone, 'quote')} no longer in the sources.`;
}
