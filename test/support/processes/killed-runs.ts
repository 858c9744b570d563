import { expect } from '@jest/globals';
import { framesSoFar } from '../../../lib/run-events/follow-frames.ts';
import type { RunPorts } from '../../../lib/runs/ports.ts';
import { isRunOver, type Run } from '../../../lib/runs/schema.ts';
import { sweepRuns } from '../../../lib/runs/sweep.ts';
import { killable } from './killable.ts';

/** A rig whose worker takes the queued runs, and whose clock a test sets. */
interface WorkedRig<Ports extends RunPorts & { objects: object }> {
  ports: Ports;
  time: { offsetMs: number };
  work(given?: Ports): Promise<number>;
  find(runId: string): Promise<Run>;
}

/** By then, the dead process also knows that its lease has expired. */
const LEASE_OVER_MS = 3 * 60_000;

/**
 * Runs a worker that is killed instead of a store call and, after its lease has expired, the scheduler tick
 * and another worker.
 */
export async function killAfter<Ports extends RunPorts & { objects: object }>(
  rig: WorkedRig<Ports>,
  lives: number,
): Promise<boolean> {
  const mortal = killable(rig.ports, ['records', 'objects'], lives);
  const working = rig.work(mortal.ports);
  const died = await Promise.race([mortal.died.then(() => true), working.then(() => false)]);
  mortal.bury();
  rig.time.offsetMs += LEASE_OVER_MS;
  await working.catch(() => undefined);
  await sweepRuns(rig.ports);
  return died;
}

/** Runs scheduler ticks and workers until the run is over. */
export async function finishRun<Ports extends RunPorts & { objects: object }>(
  rig: WorkedRig<Ports>,
  runId: string,
): Promise<void> {
  for (let tries = 0; tries < 10 && !isRunOver((await rig.find(runId)).status); tries++) {
    rig.time.offsetMs += LEASE_OVER_MS;
    await sweepRuns(rig.ports);
    await rig.work();
  }
}

/** The result of a run whose work kills its workers. */
export const GIVEN_UP = {
  status: 'failed',
  error: expect.stringMatching(/stopped before the run was over/),
};

/** Kills the worker of a run at the same step until the run is over. */
export async function killOften<Ports extends RunPorts & { objects: object }>(
  rig: WorkedRig<Ports>,
  runId: string,
  lives: number,
): Promise<Run> {
  for (let times = 0; times < 20 && !isRunOver((await rig.find(runId)).status); times++)
    await killAfter(rig, lives);
  return rig.find(runId);
}

/** Returns the events of a run. Expects each event once, and one end. */
export async function framesSentOnce({ ports }: { ports: RunPorts }, runId: string, lives: number) {
  const frames = await framesSoFar(ports.records, runId);
  const said = frames.flatMap((frame) => ('id' in frame ? [`${frame.type} ${frame.id}`] : []));
  expect([lives, said.length]).toEqual([lives, new Set(said).size]);
  expect([lives, frames.filter(({ type }) => type === 'finish').length]).toEqual([lives, 1]);
  return frames;
}
