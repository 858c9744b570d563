import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ModelEvent } from '../../../lib/ports/language-model.ts';
import type { RecordKey } from '../../../lib/ports/records.ts';
import { lastFrame } from '../../../lib/run-events/record-frames.ts';
import { holdRunLease, LEASE_MS, replaceLease } from '../../../lib/runs/lease.ts';
import { claimRun, createRun } from '../../../lib/runs/runs.ts';
import { runLeases, runs } from '../../../lib/runs/schema.ts';
import { suspendRun } from '../../../lib/runs/stop.ts';
import { sweepRuns } from '../../../lib/runs/sweep.ts';
import {
  type AgentRig,
  calls,
  MEMBER,
  type recordingTool,
  says,
  startRigWithTools,
} from '../../support/agent.ts';
import { stopTimers, turns } from '../../support/fakes/fake-timers.ts';

let rig: AgentRig;
let look: ReturnType<typeof recordingTool>;
/** The model's first answer is long, and ends when the test ends it. */
let answer: PromiseWithResolvers<ModelEvent[]>;
let signal: AbortSignal | undefined;

beforeEach(async () => {
  ({ look, rig } = await startRigWithTools());
  answer = Promise.withResolvers();
  let asked = 0;
  rig.model.answer = async function* (request) {
    asked += 1;
    signal = request.signal;
    yield* asked === 1 ? await answer.promise : says('Done.');
  };
  stopTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/**
 * Lets time pass everywhere: for the clock, the timers, and a scheduler tick each minute from another
 * process.
 */
async function pass(milliseconds: number): Promise<void> {
  for (let gone = 0; gone < milliseconds; gone += 1000) {
    rig.time.offsetMs += 1000;
    jest.advanceTimersByTime(1000);
    await turns(5);
    if (rig.time.offsetMs % 60_000 === 0) await sweepRuns(rig.ports);
  }
}

async function startLong() {
  const { run, working } = await rig.send();
  await turns();
  return { run, ended: settled(working) };
}

async function settled(working: Promise<void>): Promise<void> {
  let over = false;
  working.finally(() => {
    over = true;
  });
  while (!over) {
    jest.advanceTimersByTime(50);
    await turns(2);
  }
}

/** Makes store calls on such records hang until they are released. Returns how many hang. */
function hang(method: 'get' | 'update', which: (key: RecordKey) => boolean, most = Number.POSITIVE_INFINITY) {
  const { records } = rig.ports;
  const real = records[method].bind(records) as (...given: never[]) => Promise<never>;
  const gate = Promise.withResolvers<void>();
  const hanging: unknown[] = [];
  records[method] = (async (...given: never[]) => {
    const target = given[0] as unknown as RecordKey | { key: RecordKey };
    if (hanging.length < most && which('key' in target ? target.key : target)) {
      hanging.push(target);
      await gate.promise;
    }
    return real(...given);
  }) as never;
  return { hanging, letThrough: gate.resolve };
}

const isRun = ({ sort }: RecordKey) => sort === 'RUN';
const isLease = ({ sort }: RecordKey) => sort === 'LEASE';

describe('run whose store hangs', () => {
  it('continues if one check never ends', async () => {
    const { run, ended } = await startLong();
    const { hanging } = hang('get', isRun, 1);
    await pass(5 * 60_000);
    expect(hanging).toHaveLength(1);
    answer.resolve(says('Said.'));
    await ended;
    expect(await rig.find(run.id)).toMatchObject({ status: 'done' });
  });

  it('continues if a renewal hangs until its timeout, and the late end of the renewal has no effect', async () => {
    const { run, ended } = await startLong();
    await pass(5_000);
    const { hanging, letThrough } = hang('update', isLease, 1);
    await pass(60_000);
    expect(hanging).toHaveLength(1);
    const before = await runLeases.get(rig.ports.records, { runId: run.id });
    letThrough();
    await turns();
    expect(await runLeases.get(rig.ports.records, { runId: run.id })).toEqual(before);
    await pass(3 * 60_000);
    answer.resolve(says('Said.'));
    await ended;
    expect(await rig.find(run.id)).toMatchObject({ status: 'done' });
  });

  it('is released before another process may take it if no renewal ends, and stays released afterward', async () => {
    const { run, ended } = await startLong();
    const { hanging, letThrough } = hang('update', (key) => isLease(key) && signal?.aborted === false);
    let aliveFor = 0;
    for (; signal?.aborted === false; aliveFor += 1000) await pass(1000);
    expect(aliveFor).toBeGreaterThan(60_000);
    expect(aliveFor).toBeLessThan(LEASE_MS);
    expect(hanging.length).toBeGreaterThan(5);
    await sweepRuns(rig.ports);
    expect(await rig.find(run.id)).toMatchObject({ status: 'running' }); // doesn't belong to a process yet
    answer.resolve(calls({ name: 'look' }));
    await ended;
    await pass(2 * 60_000);
    letThrough();
    await turns();
    expect(await rig.find(run.id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/process/),
    });
    expect(look.inputs).toEqual([]);
  });
});

describe('process that was paused for longer than its lease', () => {
  it('does nothing more for a run that other processes have marked as failed', async () => {
    const { run, ended } = await startLong();
    rig.time.offsetMs += LEASE_MS + 1000; // none of our timers has run
    await sweepRuns(rig.ports);
    expect(await rig.find(run.id)).toMatchObject({ status: 'failed' });
    answer.resolve(calls({ name: 'look' }));
    await ended;
    expect(look.inputs).toEqual([]);
    expect(await rig.find(run.id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/process/),
    });
  });

  it('does nothing more even before other processes have checked the run', async () => {
    const { ended } = await startLong();
    rig.time.offsetMs += LEASE_MS;
    answer.resolve(calls({ name: 'look' }));
    await ended;
    expect(look.inputs).toEqual([]);
  });

  it('writes no event and ends nothing, even if no other process found the run dead', async () => {
    const { run, ended } = await startLong();
    await pass(1000);
    const before = await lastFrame(rig.ports.records, run.id);
    rig.time.offsetMs += LEASE_MS;
    answer.resolve(says('Late.'));
    await ended;
    expect(await lastFrame(rig.ports.records, run.id)).toBe(before);
    expect(await rig.find(run.id)).toMatchObject({ status: 'running' });
    await sweepRuns(rig.ports);
    expect(await rig.find(run.id)).toMatchObject({ status: 'failed' });
  });

  it('does not write the steps of a run that other processes have marked as failed since its check', async () => {
    const { run, ended } = await startLong();
    const { records } = rig.ports;
    const { get } = records;
    const looked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    records.get = async (key) => {
      const value = await get(key);
      if (!isRun(key)) return value;
      records.get = get;
      looked.resolve();
      await gate.promise;
      return value;
    };
    answer.resolve(calls({ name: 'look' }));
    jest.advanceTimersByTime(400);
    await looked.promise;
    rig.time.offsetMs += LEASE_MS + 1000;
    await sweepRuns(rig.ports);
    const failed = await rig.find(run.id);
    expect(failed).toMatchObject({ status: 'failed', steps: 0 });
    gate.resolve();
    await ended;
    expect(await rig.find(run.id)).toEqual(failed);
  });
});

describe('lease that had expired when it was read', () => {
  it('is not taken if its owner has renewed it since then', async () => {
    const { run, ended } = await startLong();
    const stale = await runLeases.get(rig.ports.records, { runId: run.id });
    await pass(20_000);
    expect(await replaceLease(rig.ports, run.id, stale, { owner: 'another' })).toBeUndefined();
    answer.resolve(says('Said.'));
    await ended;
    expect(await rig.find(run.id)).toMatchObject({ status: 'done' });
  });

  it('is taken by only one of two processes', async () => {
    const { run, ended } = await startLong();
    const stale = await runLeases.get(rig.ports.records, { runId: run.id });
    const taken = await Promise.all(
      ['one', 'two'].map((owner) => replaceLease(rig.ports, run.id, stale, { owner })),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    await pass(11_000); // the next renewal finds another owner
    expect(signal?.aborted).toBe(true);
    answer.resolve(calls({ name: 'look' }));
    await ended;
    expect(look.inputs).toEqual([]);
  });
});

describe('late renewal after the run continued in another worker', () => {
  it('leaves the lease to that worker', async () => {
    const { records } = rig.ports;
    const begun = {
      mode: 'agent',
      caller: MEMBER,
      cwd: '',
      provider: 'a',
      model: 'b',
      allowedTools: null,
    } as const;
    const run = await createRun(rig.ports, { ...begun, workspaceId: rig.workspace.id });
    const first = holdRunLease(rig.ports, run, 60_000, { steps: () => 0 });
    await first.ready;
    await turns(3);
    const { hanging, letThrough } = hang('update', isLease, 1);
    const late = first.renew().catch(() => undefined);
    await turns(3);
    expect(hanging).toHaveLength(1);
    first.stop();
    await suspendRun(rig.ports, run, { waiting: false, steps: 0 });
    const next = await claimRun(rig.ports, (await runs.get(records, run)) ?? run);
    letThrough();
    await late;
    const second = holdRunLease(rig.ports, next ?? run, 60_000, { steps: () => 0 });
    await expect(second.ready).resolves.toBeUndefined();
    second.stop();
  });
});
