import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/caller.ts';
import { recordActivity } from '../../activity/record.ts';
import { Conflict, Forbidden } from '../../errors.ts';
import { newId } from '../../identifiers.ts';
import { log } from '../../log.ts';
import { type Clock, expiryAfter, timestamp } from '../../ports/clock.ts';
import type { Queue } from '../../ports/queue.ts';
import { type FieldExpectation, ifExpected, type Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import type { StreamPart } from '../../ui-messages/stream-part.ts';
import { tellFollowers } from '../frames/frame-signal.ts';
import { lastFrame, openRecorder } from '../frames/record-frames.ts';
import {
  DUE,
  isOver,
  KEEP_RUN_SECONDS,
  type Lease,
  leases,
  type Run,
  type RunStatus,
  runs,
  runsPartition,
} from '../schema.ts';
import { approvalsOf, continueRun, openApprovals } from './approvals.ts';

export interface RunPorts {
  records: Records;
  clock: Clock;
  agentQueue: Queue;
}

/** A run whose worker is silent for this long is taken for dead. */
const LEASE_MS = 20_000;

export type NewRun = Pick<
  Run,
  'workspaceId' | 'mode' | 'caller' | 'cwd' | 'provider' | 'model' | 'allowedTools'
> & { id?: string; request?: string; unattended?: boolean };

/** A run that its maker works on from now on. Throws Conflict when one with the id that it is given has begun before. */
export async function createRun({ records, clock }: TimedRecords, fields: NewRun): Promise<Run> {
  const run: Run = {
    id: newId(),
    request: '',
    unattended: false,
    ...fields,
    status: 'running',
    steps: 0,
    createdAt: timestamp(clock),
    finishedAt: null,
    error: null,
    parked: false,
    owner: randomUUID(),
    stopRequested: false,
    expiresAt: expiryAfter(clock, KEEP_RUN_SECONDS),
  };
  // The lease first: a run without one would be missed by the tick for ever.
  await renewLease({ records, clock }, run.id);
  if (!(await runs.create(records, run))) throw new Conflict('the run has begun before');
  return run;
}

export async function renewLease({ records, clock }: TimedRecords, runId: string): Promise<void> {
  await leases.put(records, { runId, until: timestamp(clock, LEASE_MS) });
}

/** Takes a parked run over, as it was read; undefined when somebody has worked on it since, or it is over. */
export async function claimRun(ports: TimedRecords, { id, owner }: Run): Promise<Run | undefined> {
  const set = { parked: false, status: 'running' as const, owner: randomUUID() };
  await renewLease(ports, id);
  const claimed = await change(ports.records, id, set, { parked: true, owner });
  if (claimed !== undefined) tellFollowers(id);
  return claimed;
}

/**
 * Leaves a run to an answer, or to another process. Its lease stays short: the tick, which finds it parked, moves it to
 * when it has to be looked at again. A long one would hide a run whose process ends between the two writes.
 */
export async function parkRun(
  ports: RunPorts,
  run: Run,
  { waiting, steps }: { waiting: boolean; steps: number },
): Promise<void> {
  await renewLease(ports, run.id);
  const status = waiting ? ('waiting' as const) : ('running' as const);
  const parked = await change(ports.records, run.id, { parked: true, status, steps }, { owner: run.owner });
  // A stop that came before was left to us.
  if (parked?.stopRequested)
    await endParked(ports, parked, stoppedParts(), { status: 'stopped', error: null });
  tellFollowers(run.id);
}

export type RunEnd = Pick<Run, 'steps' | 'error'> & { status: 'done' | 'failed' | 'stopped' };

/** The last word on a run, once; false when it was over, or another's, already. */
export async function finishRun({ records, clock }: TimedRecords, run: Run, end: RunEnd): Promise<boolean> {
  const set = { ...end, finishedAt: timestamp(clock), parked: false };
  const finished = await change(records, run.id, set, { owner: run.owner, status: run.status });
  if (finished === undefined) return false;
  await Promise.all([leases.delete(records, { runId: run.id }), recordRun({ records, clock }, finished)]);
  tellFollowers(run.id);
  return true;
}

function recordRun(ports: TimedRecords, run: Run): Promise<void> {
  const { id, workspaceId, mode, status, steps, request, caller } = run;
  return recordActivity(ports, {
    workspaceId,
    kind: 'agent_run',
    actor: caller.id,
    summary: `Agent run (${mode}) ${status} after ${steps} steps${request === '' ? '' : `: ${request}`}`,
    details: { runId: id, mode, status, steps },
  });
}

async function change(
  records: Records,
  runId: string,
  set: Partial<Run>,
  expect: FieldExpectation,
): Promise<Run | undefined> {
  return ifExpected(runs.update(records, { id: runId }, { set }, expect));
}

/**
 * Stops a run. Whoever works on it notices within a second; one that waits is over at once. Throws Conflict when it is over.
 */
export async function stopRun(ports: RunPorts, run: Run): Promise<Run> {
  if (isOver(run.status)) throw new Conflict(`the run is ${run.status}`);
  const marked = await runs.update(ports.records, { id: run.id }, { set: { stopRequested: true } });
  tellFollowers(run.id);
  return marked.parked
    ? endParked(ports, marked, stoppedParts(), { status: 'stopped', error: null })
    : marked;
}

export function stoppedParts(): StreamPart[] {
  return [{ type: 'abort', reason: 'stopped' }];
}

/** Ends a run on which nobody works: takes it over, so that no one else does, and writes its last frames. */
async function endParked(
  ports: RunPorts,
  run: Run,
  parts: StreamPart[],
  end: Pick<RunEnd, 'status' | 'error'>,
): Promise<Run> {
  const claimed = run.parked ? await claimRun(ports, run) : run;
  if (claimed === undefined) return (await runs.get(ports.records, { id: run.id })) ?? run;
  const recorder = openRecorder(ports, run.id, await lastFrame(ports.records, run.id));
  for (const part of parts) recorder.write(part);
  await recorder.flush();
  await finishRun(ports, claimed, { ...end, steps: run.steps });
  return (await runs.get(ports.records, { id: run.id })) ?? claimed;
}

/** Throws Forbidden for a reader who did not begin the run. */
export function requireMayControl(run: Run, caller: Caller): void {
  if (caller.role === 'viewer' && caller.id !== run.caller.id)
    throw new Forbidden('only who began the run, or a member, may do this');
}

const TICK_PAGE = 100;

/**
 * For the minute tick: runs whose worker died are marked failed, answers that did not reach their run are brought to it,
 * approvals that nobody gave in time let their run go on. Reads only what is due.
 */
export async function tendRuns(ports: RunPorts): Promise<void> {
  const due = { partition: DUE, byIndex: true, to: timestamp(ports.clock), limit: TICK_PAGE };
  for await (const lease of leases.all(ports.records, due)) {
    try {
      await tendRun(ports, lease);
    } catch (error) {
      log.error('a run could not be tended', { runId: lease.runId }, error);
    }
  }
}

async function tendRun(ports: RunPorts, { runId }: Lease): Promise<void> {
  const { records, clock } = ports;
  const run = await runs.get(records, { id: runId });
  const lease = await leases.get(records, { runId }); // in this order: see failDeadRun
  if (lease === undefined || Date.parse(lease.until) > clock.now()) return; // the index lags behind
  if (run === undefined || isOver(run.status)) {
    await leases.delete(records, { runId });
    return;
  }
  if (!run.parked) return failDeadRun(ports, run);
  if (run.stopRequested) {
    await endParked(ports, run, stoppedParts(), { status: 'stopped', error: null });
    return;
  }
  await lookLater(ports, lease);
}

/** Unless somebody has taken the run up, or answered, since the lease was read. */
async function lookLater(ports: RunPorts, { runId, until }: Lease): Promise<void> {
  const open = await openApprovals(ports, runId);
  const next = open.map(({ expiresAt }) => expiresAt).sort()[0];
  const later = next ?? timestamp(ports.clock, LEASE_MS);
  if (!(await leases.put(ports.records, { runId, until: later }, { until }))) return;
  if (open.length === 0) await continueRun(ports, runId);
}

const DIED = 'The process that worked on this run ended before the run did.';

/**
 * What was in flight may have happened or not: the run is not repeated, and says so. Of several who find it one does:
 * the lease is renewed before the owner changes, and who reads the new owner reads the lease after that.
 */
async function failDeadRun(ports: RunPorts, run: Run): Promise<void> {
  const owner = randomUUID();
  await renewLease(ports, run.id);
  const taken = await change(
    ports.records,
    run.id,
    { owner },
    { owner: run.owner, status: 'running', parked: false },
  );
  if (taken === undefined) return;
  log.warn('a run was found dead', { runId: run.id });
  await endParked(ports, taken, [{ type: 'error', errorText: DIED }], { status: 'failed', error: DIED });
}

/** Whether a run that is said to be running shows no sign of life; then it is marked failed at once. */
export async function checkAlive(ports: RunPorts, run: Run): Promise<Run> {
  if (run.status !== 'running' || run.parked) return run;
  const lease = await leases.get(ports.records, { runId: run.id });
  if (lease !== undefined && Date.parse(lease.until) > ports.clock.now()) return run;
  try {
    await failDeadRun(ports, run);
  } catch (error) {
    log.warn('a dead run was left to the tick', { runId: run.id, reason: String(error) });
  }
  return (await runs.get(ports.records, { id: run.id })) ?? run;
}

/** A page of a workspace's runs, newest first; a status leaves out the others, so a page may hold fewer than its limit. */
export async function listRuns(
  ports: RunPorts,
  {
    workspaceId,
    status,
    limit,
    cursor,
  }: { workspaceId: string; status?: RunStatus; limit: number; cursor?: string },
) {
  const query = { partition: runsPartition(workspaceId), byIndex: true, limit, cursor };
  const page = await runs.list(ports.records, { ...query, order: 'descending' });
  const looked = await Promise.all(page.items.map((run) => checkAlive(ports, run)));
  const wanted = looked.filter((run) => status === undefined || run.status === status);
  const items = await Promise.all(wanted.map((run) => describeRun(ports.records, run)));
  return { items, cursor: page.cursor };
}

/** As the API answers it. */
export async function describeRun(records: Records, run: Run) {
  const { id, workspaceId, mode, status, steps, createdAt, finishedAt, error } = run;
  const described = { id, workspaceId, mode, status, steps, createdAt, finishedAt, error };
  if (status !== 'waiting') return described;
  const waiting = (await approvalsOf(records, id)).filter((approval) => approval.status === 'waiting');
  return {
    ...described,
    approvals: waiting.map(({ id, toolName, input, summary, expiresAt }) => {
      return { id, toolName, input, summary, expiresAt };
    }),
  };
}
