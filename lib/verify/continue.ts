import { shareThread } from '../async/share-thread.ts';
import { NotFound } from '../errors.ts';
import { continueParkedRun } from '../runs/continue-parked.ts';
import { runUsage } from '../runs/run-usage.ts';
import { changeRun } from '../runs/runs.ts';
import type { Run } from '../runs/schema.ts';
import { HAND_OVER_MS, openLimits } from '../runs/steps/limits.ts';
import type { SayOnce } from '../runs/steps/resumable-parts.ts';
import { finishPart, type OpenedRun, storedWork, usageOf } from '../runs/steps/stored-work.ts';
import { workOnAll } from '../runs/steps/work-on-all.ts';
import type { RunWork, WorkOutcome } from '../runs/work-on-run.ts';
import { findWorkspace } from '../workspaces/access.ts';
import type { ReadDraft } from './draft/draft.ts';
import { readBounded } from './draft/read-draft.ts';
import { draftChecks } from './draft-checks.ts';
import { type CheckUsage, countVerdicts, requireRequest } from './find-check.ts';
import type { DraftCheckPorts } from './ports.ts';
import type { ClaimVerdict } from './schema.ts';
import { readOriginal, readStoredDraft, storeDraft } from './stored-draft.ts';
import type { Check, CheckJob, FoundJob } from './work/check.ts';
import { CLAIMS_PER_BATCH, checkBatch } from './work/check-batch.ts';
import { checkReferences, countEntries } from './work/check-references.ts';
import { documentsByKey, openNamedSources } from './work/named-sources.ts';
import { openVersions } from './work/versions.ts';

/** Milliseconds for searches. Without a judge, no step takes longer once it has started. */
const SEARCHES_MS = 60_000;
const BATCHES_AT_ONCE = 3;

/** Continues a suspended check in the worker until its next stop. */
export function continueCheck(ports: DraftCheckPorts, runId: string, timeLeftMs: number): Promise<void> {
  return continueParkedRun(ports, runId, async (run) =>
    checkWork(ports, await findJob(ports, run, timeLeftMs)),
  );
}

/** Checks again that the caller may still read every workspace. */
async function findJob(ports: DraftCheckPorts, run: Run, timeLeftMs: number): Promise<FoundJob> {
  const request = await requireRequest(ports.records, run);
  const caller = run.rightsOf ?? run.caller;
  const workspaces = await Promise.all(
    request.workspaceIds.map((id) => findWorkspace(ports.records, caller, id)),
  );
  return { run, request, workspaces, timeLeftMs };
}

/** Returns the work of a check, from the first claim without a stored verdict to the last. */
function checkWork(ports: DraftCheckPorts, found: FoundJob): RunWork {
  const { run, request, timeLeftMs } = found;
  const spareMs = request.judge ? HAND_OVER_MS : SEARCHES_MS;
  return storedWork(ports, { run, timeLeftMs, spareMs }, async (opened) => {
    const check = await openCheck(ports, await openJob(ports, found, opened.signal), opened);
    const progress = { done: 0, total: batchesOf(check.draft).length + countEntries(check) };
    return {
      progress: () => ({
        type: 'data-progress',
        data: { phase: 'check', ...progress, ...usageOfCheck(check) },
        transient: true,
      }),
      work: (say) => workOn(check, progress, say),
    };
  });
}

async function openJob(ports: DraftCheckPorts, found: FoundJob, signal: AbortSignal): Promise<CheckJob> {
  const { wholeFolder: folder, isUnread } = found.request;
  const draft = isUnread ? await readNow(ports, found, signal) : await readStoredDraft(ports, found.request);
  const whole = folder === undefined ? undefined : await readWhole(ports, folder);
  return { ...found, draft, whole: whole?.text ?? draft.text };
}

/** Undefined if the check to which this one belongs has been deleted. */
async function readWhole(ports: DraftCheckPorts, folder: string): Promise<ReadDraft | undefined> {
  return readStoredDraft(ports, { folder }).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
}

/** Reads a draft that took too long for its request. */
async function readNow(ports: DraftCheckPorts, { run, request }: FoundJob, signal: AbortSignal) {
  const { name } = request;
  const bytes = await readOriginal(ports, request);
  const draft = await readBounded({ name, bytes, workspaceId: run.workspaceId, signal });
  await storeDraft(ports, request, draft);
  const counts = { sentences: draft.sentences.length, claims: draft.claims.length };
  await draftChecks.patch(ports.records, request, { ...counts, isUnread: false }, { isUnread: true });
  return draft;
}

async function openCheck(ports: DraftCheckPorts, job: CheckJob, opened: OpenedRun): Promise<Check> {
  const { run, request, draft, workspaces } = job;
  const beganAt = Date.parse(run.createdAt);
  const judge = request.judge && {
    ...{ ...opened, run, ports, model: ports.openModel(runUsage(run), run) },
    limits: openLimits(request.budget, { clock: ports.clock, beganAt, used: opened.steps.used }),
  };
  const sources = openNamedSources(draft);
  const citesByKey = (draft.cited ?? []).length > 0;
  const byKey = citesByKey ? await documentsByKey(ports.records, workspaces) : new Map();
  const versions = openVersions(job.whole);
  return {
    ...job,
    ...opened,
    ports,
    sources,
    byKey,
    versions,
    judge: judge || undefined,
    share: shareThread(),
  };
}

interface Progress {
  done: number;
  total: number;
}

async function workOn(check: Check, progress: Progress, say: SayOnce): Promise<WorkOutcome> {
  const keep = openCounts(check);
  const checked = await workOnAll(batchesOf(check.draft), BATCHES_AT_ONCE, async (claims, batch) => {
    const verdicts = await checkBatch(check, claims);
    progress.done += 1;
    sayVerdicts(say, batch, verdicts);
    await keep(verdicts);
    return verdicts;
  });
  await checkReferences(check, () => {
    progress.done += 1;
  });
  const verdicts = checked.flatMap((batch) => batch ?? []);
  if (verdicts.length === 0) await keep([]);
  const counts = { claims: verdicts.length, ...countVerdicts(verdicts) };
  const usage = usageOfCheck(check);
  say({ type: 'data-checked', id: `checked-${check.run.id}`, data: { counts, ...usage } });
  return { kind: 'finished', finish: finishPart(check.run, check.judge?.model, usage) };
}

/**
 * Stores the counts after each batch, so that lists of runs show them even if a check is stopped or fails.
 */
function openCounts(check: Check): (verdicts: ClaimVerdict[]) => Promise<void> {
  const all: ClaimVerdict[] = [];
  let kept = Promise.resolve();
  return (verdicts) => {
    all.push(...verdicts);
    kept = kept.then(() => keepCounts(check, all)); // in order, so that the latest counts are stored last
    return kept;
  };
}

async function keepCounts({ ports, run, draft }: Check, verdicts: ClaimVerdict[]): Promise<void> {
  if (run.draft === null) return; // the draft was deleted
  const isWhole = verdicts.length >= draft.claims.length;
  const { supported, unjudged, possible_errors } = countVerdicts(verdicts);
  const counts = {
    ...{ claims: draft.claims.length, ...(!isWhole && { checked: verdicts.length }) },
    ...{ supported, unjudged, possible_errors },
  };
  await changeRun(ports.records, run.id, { draft: { ...run.draft, counts } }, { owner: run.owner });
}

function batchesOf({ claims }: ReadDraft): number[][] {
  return Array.from({ length: Math.ceil(claims.length / CLAIMS_PER_BATCH) }, (_, at) =>
    claims.slice(at * CLAIMS_PER_BATCH, (at + 1) * CLAIMS_PER_BATCH),
  );
}

/**
 * Sends verdicts without quotes, because users with access to only one of the workspaces can follow the run.
 */
function sayVerdicts(say: SayOnce, batch: number, verdicts: ClaimVerdict[]): void {
  const data = { verdicts: verdicts.map(({ n, verdict }) => ({ n, verdict })) };
  say({ type: 'data-verdicts', id: `verdicts-${batch}`, data });
}

function usageOfCheck({ steps, judge, ports }: Check): CheckUsage {
  return { ended: judge?.limits.ended() ?? null, ...usageOf(steps, judge?.model, ports.prices) };
}
