import { randomUUID } from 'node:crypto';
import { forEachDue } from '../leases/due.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import { failureParts } from '../ui-messages/error-parts.ts';
import { announceEnd, announceWaiting } from './announce-run.ts';
import { callAgentWorker, openApprovals } from './approvals.ts';
import { isLeaseOver, LEASE_MS, replaceLease } from './lease.ts';
import type { RunPorts } from './ports.ts';
import { changeRun, isCut } from './runs.ts';
import { DUE, isRunOver, type Run, type RunLease, runLeases, runs } from './schema.ts';
import { endSuspended, stoppedParts, suspendRun } from './stop.ts';

/**
 * Runs every minute: fails runs whose worker died, delivers answers that didn't reach their runs, and
 * continues runs whose approvals expired. Reads only runs that are due.
 */
export async function sweepRuns(ports: RunPorts): Promise<void> {
  const due = {
    collection: runLeases,
    query: { partition: DUE, to: timestamp(ports.clock) },
    isDue: (lease: RunLease) => isLeaseOver(lease, ports),
    failure: 'a run could not be swept',
    about: ({ runId }: RunLease) => ({ runId }),
  };
  await forEachDue(ports.records, due, async ({ runId }, readAgain) => {
    const run = await runs.get(ports.records, { id: runId });
    const lease = await readAgain(); // in this order: see failDeadRun
    if (lease !== undefined) await sweepRun(ports, run, lease);
  });
}

/**
 * For the start of a single host: fails or continues the runs of processes that have ended, without waiting
 * until their leases expire.
 */
export async function sweepCutRuns(ports: RunPorts): Promise<void> {
  const all = {
    collection: runLeases,
    query: { partition: DUE },
    isDue: () => true,
    failure: 'a run could not be swept',
    about: ({ runId }: RunLease) => ({ runId }),
  };
  await forEachDue(ports.records, all, async ({ runId }, readAgain) => {
    const run = await runs.get(ports.records, { id: runId });
    if (run !== undefined && isCut(run)) await failDeadRun(ports, run, await readAgain());
  });
}

async function sweepRun(ports: RunPorts, run: Run | undefined, lease: RunLease): Promise<void> {
  if (run === undefined || isRunOver(run.status)) {
    if (run === undefined || (await announceEnd(ports, run))) await runLeases.delete(ports.records, lease);
    return;
  }
  if (!run.parked) return failDeadRun(ports, run, lease);
  if (run.stopRequested) {
    await endSuspended(ports, run, stoppedParts(), { status: 'stopped', error: null });
    return;
  }
  if (run.status === 'waiting' && !(await announceWaiting(ports, run))) return;
  await lookLater(ports, lease);
}

/** Does nothing if a worker has claimed the run, or a person has answered, since the lease was read. */
async function lookLater(ports: RunPorts, lease: RunLease): Promise<void> {
  const { runId, until } = lease;
  const open = await openApprovals(ports, runId);
  const next = open.map(({ expiresAt }) => expiresAt).sort()[0];
  const later = next ?? timestamp(ports.clock, LEASE_MS);
  if ((await runLeases.patch(ports.records, lease, { until: later }, { until })) === undefined) return;
  if (open.length === 0) await callAgentWorker(ports, runId);
}

const DIED = 'The process that worked on this run stopped before the run was over. Start the run again.';

/**
 * The number of times in a row that a run may lose its worker without a further step. Then it is dropped,
 * because its own work kills the workers.
 */
const MAX_DEATHS = 10;

/**
 * Calls in progress may or may not have taken effect, so the run isn't repeated, and reports this. If every
 * step of a run is stored, another worker continues it instead. Only one of several finders acts, and none
 * does if the worker has renewed its lease since it was read.
 */
async function failDeadRun(ports: RunPorts, run: Run, lease: RunLease | undefined): Promise<void> {
  const owner = randomUUID();
  if ((await replaceLease(ports, run.id, lease, { owner })) === undefined) return;
  const deaths = countDeath(run);
  const taken = await changeRun(
    ports.records,
    run.id,
    { owner, deaths },
    { owner: run.owner, status: 'running', parked: false },
  );
  if (taken === undefined) return;
  log.warn('a run was found dead', { runId: run.id, kind: run.kind });
  if (taken.kind !== 'agent' && deaths.times < MAX_DEATHS) return revive(ports, taken);
  await endSuspended(ports, taken, failureParts(DIED, { code: 'run_interrupted' }), {
    status: 'failed',
    error: DIED,
  });
}

function countDeath({ steps, deaths }: Run): Run['deaths'] {
  return { atStep: steps, times: deaths.atStep === steps ? deaths.times + 1 : 1 };
}

/**
 * Leaves a run to another worker. If this process dies in between, the scheduler tick finds the suspended
 * run.
 */
async function revive(ports: RunPorts, run: Run): Promise<void> {
  await suspendRun(ports, run, { waiting: false, steps: run.steps });
  await callAgentWorker(ports, run.id);
}

/** Checks whether a running run still sends heartbeats. If not, the run fails at once. */
export async function checkAlive(ports: RunPorts, run: Run): Promise<Run> {
  if (run.status !== 'running' || run.parked) return run;
  const lease = await runLeases.get(ports.records, { runId: run.id });
  if (lease !== undefined && !isLeaseOver(lease, ports)) return run;
  try {
    await failDeadRun(ports, run, lease);
  } catch (error) {
    log.warn('a dead run was left to the tick', { runId: run.id, reason: String(error) });
  }
  return (await runs.get(ports.records, { id: run.id })) ?? run;
}
