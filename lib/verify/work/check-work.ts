import type { StreamPart } from '../../api-contract/stream-part.ts';
import { shareThread } from '../../async/share-thread.ts';
import { NotFound } from '../../errors.ts';
import type { Held } from '../../leases/hold.ts';
import { costOf } from '../../prices/price-of.ts';
import { requireRunRights } from '../../runs/rights.ts';
import { runUsage } from '../../runs/run-usage.ts';
import { changeRun } from '../../runs/runs.ts';
import { HAND_OVER_MS, HandOver, openLimits } from '../../runs/steps/limits.ts';
import { resumableParts, type SayOnce } from '../../runs/steps/resumable-parts.ts';
import { openSteps, type StoredSteps } from '../../runs/steps/stored-steps.ts';
import { workOnAll } from '../../runs/steps/work-on-all.ts';
import type { RunWork, WorkOutcome } from '../../runs/work-on-run.ts';
import type { ReadDraft } from '../draft/draft.ts';
import { draftChecks } from '../draft-checks.ts';
import { type CheckUsage, countVerdicts } from '../find-check.ts';
import type { DraftCheckPorts } from '../ports.ts';
import { readBounded } from '../read-bounded.ts';
import type { ClaimVerdict } from '../schema.ts';
import { readOriginal, readStoredDraft, storeDraft } from '../stored-draft.ts';
import type { Check, CheckJob, FoundJob } from './check.ts';
import { CLAIMS_PER_BATCH, checkBatch } from './check-batch.ts';
import { openNamedSources } from './named-sources.ts';
import { openVersions } from './versions.ts';

/** Without a judge, nothing that is started takes longer. */
const SEARCHES_MS = 60_000;
const BATCHES_AT_ONCE = 3;

/** Returns the work of a check: from the first claim without a stored verdict to the last. */
export function checkWork(ports: DraftCheckPorts, found: FoundJob): RunWork {
  const { run, timeLeftMs } = found;
  let stored: StoredSteps | undefined;
  return {
    ...{ run, timeLeftMs },
    steps: () => stored?.count() ?? run.steps,
    async *parts(lease) {
      const steps = await openSteps(ports, run.id);
      stored = steps;
      return yield* resumableParts(ports.records, run.id, lease, async (signal) => {
        const job = await openJob(ports, found, signal);
        const check = openCheck(ports, job, { lease, steps, signal });
        const progress = { done: 0, total: batchesOf(job.draft).length };
        return {
          progress: () => ({
            type: 'data-progress',
            data: { phase: 'check', ...progress, ...usageOf(check) },
            transient: true,
          }),
          work: (say) => workOn(check, progress, say),
        };
      });
    },
    keep: async () => {}, // each step was stored when it was done
    forget: async () => {}, // the verdicts are read as long as the run is kept
  };
}

async function openJob(ports: DraftCheckPorts, found: FoundJob, signal: AbortSignal): Promise<CheckJob> {
  const { wholeFolder: folder, isUnread } = found.request;
  const draft = isUnread ? await readNow(ports, found, signal) : await readStoredDraft(ports, found.request);
  const whole = folder === undefined ? undefined : await readWhole(ports, folder);
  return { ...found, draft, whole: whole?.text ?? draft.text };
}

/** Undefined if the check that this one is a part of was deleted in the meantime. */
async function readWhole(ports: DraftCheckPorts, folder: string): Promise<ReadDraft | undefined> {
  return readStoredDraft(ports, { folder }).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
}

/** Reads a draft that took longer than its request could. */
async function readNow(ports: DraftCheckPorts, { run, request }: FoundJob, signal: AbortSignal) {
  const { name } = request;
  const bytes = await readOriginal(ports, request);
  const draft = await readBounded({ name, bytes, workspaceId: run.workspaceId, signal });
  await storeDraft(ports, request, draft);
  const counts = { sentences: draft.sentences.length, claims: draft.claims.length };
  await draftChecks.patch(ports.records, request, { ...counts, isUnread: false }, { isUnread: true });
  return draft;
}

function openCheck(
  ports: DraftCheckPorts,
  job: CheckJob,
  { lease, steps, signal }: { lease: Held; steps: StoredSteps; signal: AbortSignal },
): Check {
  const { run, request, timeLeftMs } = job;
  const { clock } = ports;
  const until = clock.now() + timeLeftMs - (request.judge ? HAND_OVER_MS : SEARCHES_MS);
  const requireMayGoOn = () => {
    signal.throwIfAborted();
    lease.requireHeld();
    if (clock.now() >= until) throw new HandOver();
  };
  const beganAt = Date.parse(run.createdAt);
  const judge = request.judge && {
    ...{ run, steps, signal, ports, requireMayGoOn, model: ports.openModel(runUsage(run), run) },
    limits: openLimits(request.budget, { clock, beganAt, used: steps.used }),
  };
  const sources = openNamedSources(job.draft);
  const versions = openVersions(job.whole);
  const own = { ports, steps, sources, versions, judge: judge || undefined };
  return { ...job, ...own, signal, requireMayGoOn, share: shareThread() };
}

interface Progress {
  done: number;
  total: number;
}

async function workOn(check: Check, progress: Progress, say: SayOnce): Promise<WorkOutcome> {
  try {
    await requireRunRights(check.ports, check.run);
    const keep = openCounts(check);
    const checked = await workOnAll(batchesOf(check.draft), BATCHES_AT_ONCE, async (claims, batch) => {
      const verdicts = await checkBatch(check, claims);
      progress.done += 1;
      sayVerdicts(say, batch, verdicts);
      await keep(verdicts);
      return verdicts;
    });
    const verdicts = checked.flat().filter((verdict) => verdict !== undefined);
    if (verdicts.length === 0) await keep([]);
    sayEnd(check, say, verdicts);
    return { kind: 'finished', finish: finishPart(check) };
  } catch (error) {
    if (error instanceof HandOver) return { kind: 'parked', waiting: false };
    throw error;
  }
}

/** Stores the counts after each batch, for lists of runs: a check can be stopped, or fail, at any time. */
function openCounts(check: Check): (verdicts: ClaimVerdict[]) => Promise<void> {
  const all: ClaimVerdict[] = [];
  let kept = Promise.resolve();
  return (verdicts) => {
    all.push(...verdicts);
    kept = kept.then(() => keepCounts(check, all)); // in turn: the latest counts are stored last
    return kept;
  };
}

async function keepCounts({ ports, run, draft }: Check, verdicts: ClaimVerdict[]): Promise<void> {
  if (run.draft === null) return; // it was deleted meanwhile
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

/** Without quotes: who may read one of the workspaces may follow the run. */
function sayVerdicts(say: SayOnce, batch: number, verdicts: ClaimVerdict[]): void {
  const data = { verdicts: verdicts.map(({ n, verdict }) => ({ n, verdict })) };
  say({ type: 'data-verdicts', id: `verdicts-${batch}`, data });
}

function sayEnd(check: Check, say: SayOnce, verdicts: ClaimVerdict[]): void {
  const counts = { claims: verdicts.length, ...countVerdicts(verdicts) };
  say({ type: 'data-checked', id: `checked-${check.run.id}`, data: { counts, ...usageOf(check) } });
}

function usageOf({ steps, judge, ports }: Check): CheckUsage {
  const { calls, inputTokens, outputTokens } = steps.used();
  const tokens = { inputTokens, outputTokens, embeddedTokens: 0 };
  const costUsd = judge === undefined ? 0 : costOf(judge.model.model, tokens, ports.prices);
  return { ended: judge?.limits.ended() ?? null, calls, inputTokens, outputTokens, costUsd };
}

function finishPart(check: Check): Extract<StreamPart, { type: 'finish' }> {
  const { run, judge } = check;
  const { calls, inputTokens, outputTokens, costUsd } = usageOf(check);
  const model = judge === undefined ? {} : { provider: judge.model.provider, model: judge.model.model };
  const usage = { inputTokens, outputTokens };
  return {
    ...{ type: 'finish', finishReason: 'stop' },
    messageMetadata: { runId: run.id, ...model, usage, steps: calls, costUsd },
  };
}
