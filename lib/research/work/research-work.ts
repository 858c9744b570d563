import { runUsage as usedBy } from '../../runs/run-usage.ts';
import type { Run } from '../../runs/schema.ts';
import { HAND_OVER_MS, openLimits } from '../../runs/steps/limits.ts';
import type { StoredSteps } from '../../runs/steps/stored-steps.ts';
import { finishPart, type OpenedRun, storedWork } from '../../runs/steps/stored-work.ts';
import type { RunWork, WorkOutcome } from '../../runs/work-on-run.ts';
import { DEPTHS, estimate } from '../depths.ts';
import type { ResearchPorts } from '../ports.ts';
import type { StudyRequest } from '../run-records.ts';
import type { ResearchPlan } from '../schema.ts';
import { agreedPlan, findPlanApproval } from './await-plan.ts';
import { describeChanges } from './describe-changes.ts';
import { readEarlier } from './earlier-report.ts';
import { collectEvidence } from './evidence.ts';
import { finishReport, usageSoFar } from './finish.ts';
import { makePlan } from './plan.ts';
import { sayDone, writeSections, writeSummarySection } from './sections.ts';
import type { Places } from './source-files.ts';
import { beginPhase, type Study } from './study.ts';

/** A research run with everything that a process needs to work on it. */
export interface ResearchJob extends Places {
  run: Run;
  request: StudyRequest;
  /** Milliseconds for which this process may work on the run. */
  timeLeftMs: number;
}

/** Returns the work of a research run, up to the report or a question for a person. */
export function researchWork(ports: ResearchPorts, job: ResearchJob): RunWork {
  return storedWork(ports, { ...job, spareMs: HAND_OVER_MS }, async (opened) => {
    const study = await openStudy(ports, job, opened);
    return {
      progress: () => ({
        type: 'data-progress',
        data: { ...study.at, ...usageSoFar(study) },
        transient: true,
      }),
      work(say) {
        study.say = say;
        return workOn(study);
      },
    };
  });
}

async function openStudy(
  ports: ResearchPorts,
  { run, request, workspace, workspaces }: ResearchJob,
  opened: OpenedRun,
): Promise<Study> {
  const { steps } = opened;
  const use = usedBy(run);
  const { previousRunId } = request;
  const beganAt = await beginning(ports, run, { request, steps });
  return {
    ...{ run, request, workspace, workspaces, ports, ...opened, depth: DEPTHS[request.depth] },
    model: ports.openModel(use, run),
    search: ports.searchFor(use),
    limits: openLimits(request.budget ?? {}, { clock: ports.clock, beganAt, used: steps.used }),
    earlier:
      previousRunId === null ? undefined : await readEarlier({ ports, workspace, workspaces }, previousRunId),
    say: () => {},
    at: { phase: 'plan', done: 0, total: 1 },
  };
}

/** Returns the time from which the run's minutes count, without the time spent waiting for a person. */
async function beginning(
  { clock, records }: ResearchPorts,
  { id, createdAt }: Run,
  { request, steps }: { request: StudyRequest; steps: StoredSteps },
): Promise<number> {
  if (!request.approvePlan) return Date.parse(createdAt);
  const asked = await findPlanApproval(records, id);
  if (asked?.status !== 'approved') return clock.now();
  return steps.once('began', '', async () => clock.now());
}

async function workOn(study: Study): Promise<WorkOutcome> {
  const planned = await makePlan(study);
  sayPlan(study, planned, study.request.approvePlan ? 'waiting' : 'agreed');
  const plan = await agreedPlan(study, planned);
  if (plan === undefined) return { kind: 'parked', waiting: true };
  if (study.request.approvePlan) sayPlan(study, plan, 'agreed');
  await carryOut(study, plan);
  return { kind: 'finished', finish: finishPart(study.run, study.model, usageSoFar(study)) };
}

function sayPlan(study: Study, plan: ResearchPlan, state: 'waiting' | 'agreed'): void {
  const expected = estimate(study.request, study.model.model, study.ports.prices);
  study.say({ type: 'data-plan', id: `plan-${state}`, data: { plan, state, estimate: expected } });
}

async function carryOut(study: Study, plan: ResearchPlan): Promise<void> {
  const { evidence, looked } = await collectEvidence(study, plan);
  const sections = await writeSections(study, plan, evidence);
  const summary = await writeSummarySection(study, plan, sections, evidence);
  const changes = describeChanges(study, evidence);
  if (changes !== undefined) sayDone(study, 'changes', changes, 0);
  beginPhase(study, 'finish', 1);
  const done = [...(changes === undefined ? [] : [changes]), summary, ...sections];
  await finishReport(study, done, { evidence, looked });
}
