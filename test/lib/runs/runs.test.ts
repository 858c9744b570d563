import { beforeEach, describe, expect, it } from '@jest/globals';
import { conversationKey } from '../../../lib/agent/loop/agent-work.ts';
import { answerOverApi } from '../../../lib/agent/start/answer.ts';
import { Conflict, UpstreamFailed } from '../../../lib/errors.ts';
import type { ModelEvent } from '../../../lib/ports/language-model.ts';
import { lastFrame } from '../../../lib/run-events/record-frames.ts';
import { frameBatches } from '../../../lib/run-events/schema.ts';
import { LEASE_MS, leaveLease } from '../../../lib/runs/lease.ts';
import { createRun } from '../../../lib/runs/runs.ts';
import { type Run, runLeases, runs } from '../../../lib/runs/schema.ts';
import { stopRun } from '../../../lib/runs/stop.ts';
import { checkAlive, sweepRuns } from '../../../lib/runs/sweep.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import {
  type AgentRig,
  calls,
  finish,
  inTurn,
  MEMBER,
  type recordingTool,
  says,
  startRigWithTools,
  typesOf,
} from '../../support/agent.ts';
import { eventually } from '../../support/sync.ts';

const MINUTE_MS = 60_000;
const LEASE_OVER_MS = LEASE_MS + 1000;
let rig: AgentRig;
let launch: ReturnType<typeof recordingTool>;
let look: ReturnType<typeof recordingTool>;

beforeEach(async () => {
  ({ launch, look, rig } = await startRigWithTools());
});

/** Emits a word, and then nothing until it is aborted. */
function sayAndHang() {
  const seen: AbortSignal[] = [];
  rig.model.answer = async function* ({ signal }): AsyncGenerator<ModelEvent> {
    if (signal === undefined) throw new Error('no signal');
    seen.push(signal);
    yield { type: 'text', text: 'Wait' };
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  return seen;
}

/** A run whose process was killed: no process renews its lease. */
async function startDead(): Promise<Run> {
  const fields = { workspaceId: rig.workspace.id, mode: 'agent', caller: MEMBER, cwd: '' } as const;
  return createRun(rig.ports, { ...fields, provider: 'a', model: 'm', allowedTools: null });
}

async function leaseOf(run: Run) {
  return runLeases.get(rig.ports.records, { runId: run.id });
}

describe('run whose process died', () => {
  it('is left alone while its lease is valid', async () => {
    const run = await startDead();
    rig.time.offsetMs = 10_000;
    await sweepRuns(rig.ports);
    expect(await checkAlive(rig.ports, run)).toMatchObject({ status: 'running' });
  });

  it('is marked failed by the first scheduler tick after its lease, with the reason in an event', async () => {
    const run = await startDead();
    rig.time.offsetMs = LEASE_OVER_MS;
    await sweepRuns(rig.ports);
    expect(await rig.find(run.id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/process/),
      finishedAt: expect.any(String),
    });
    expect(await rig.read(run.id)).toEqual([
      { type: 'error', errorText: expect.stringMatching(/process/) },
      { type: 'data-error', data: { code: 'run_interrupted' } },
    ]);
    expect(await leaseOf(run)).toBeUndefined();
  });

  it('is marked failed once, however many ticks and readers find it', async () => {
    const run = await startDead();
    rig.time.offsetMs = LEASE_OVER_MS;
    const finders = [sweepRuns, sweepRuns, sweepRuns].map((find) => find(rig.ports));
    await Promise.all([...finders, checkAlive(rig.ports, run), checkAlive(rig.ports, run)]);
    expect(typesOf(await rig.read(run.id))).toEqual(['error', 'data-error']);
  });

  it('is found by a request for it, even without the tick', async () => {
    const run = await startDead();
    rig.time.offsetMs = LEASE_OVER_MS;
    expect(await checkAlive(rig.ports, run)).toMatchObject({ status: 'failed' });
  });

  it('can no longer be stopped', async () => {
    const run = await startDead();
    rig.time.offsetMs = LEASE_OVER_MS;
    const found = await checkAlive(rig.ports, run);
    await expect(stopRun(rig.ports, found)).rejects.toThrow(Conflict);
  });

  it('continues if it had been handed off, because nothing was in flight', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Done.'));
    const { run } = await rig.ask();
    const { id } = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, id, { approved: true });
    await rig.ports.agentQueue.delete(
      (await rig.ports.agentQueue.receive({ max: 10 })).map((m) => m.receipt),
    );
    rig.time.offsetMs = LEASE_OVER_MS;
    await sweepRuns(rig.ports);
    expect(await rig.work()).toBe(1);
    expect(await rig.find(run.id)).toMatchObject({ status: 'done' });
  });
});

describe('scheduler tick', () => {
  it('skips a waiting run, and checks it again when its approval expires', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Done.'));
    const { run } = await rig.ask();
    const { expiresAt } = await rig.approvalOf(run.id);
    rig.time.offsetMs = 12 * 60 * MINUTE_MS;
    await sweepRuns(rig.ports);
    expect(await rig.find(run.id)).toMatchObject({ status: 'waiting' });
    expect(await leaseOf(run)).toMatchObject({ until: expiresAt });
  });

  it('continues with the other runs if one run fails', async () => {
    const [first, second] = [await startDead(), await startDead()];
    await rig.ports.records.put({
      key: runs.key(first),
      value: { broken: true },
    });
    rig.time.offsetMs = LEASE_OVER_MS;
    await sweepRuns(rig.ports);
    expect(await rig.find(second.id)).toMatchObject({ status: 'failed' });
  });

  it('removes the lease of a run that is over', async () => {
    const { run } = await rig.ask();
    await leaveLease(rig.ports, run.id);
    rig.time.offsetMs = LEASE_OVER_MS;
    await sweepRuns(rig.ports);
    expect(await leaseOf(run)).toBeUndefined();
    expect(await rig.find(run.id)).toMatchObject({ status: 'done' });
  });
});

describe('stop', () => {
  it('ends the model call', async () => {
    const signals = sayAndHang();
    const { run } = await rig.send();
    await eventually(
      async () => signals.length,
      (count) => count === 1,
    );
    await stopRun(rig.ports, run);
    expect((await rig.read(run.id)).at(-1)).toEqual({ type: 'abort', reason: 'stopped' });
    expect(signals[0]?.aborted).toBe(true);
    expect(await rig.find(run.id)).toMatchObject({ status: 'stopped', error: null });
  });

  it('ends a tool that ignores its signal', async () => {
    look.tool.run = () => new Promise(() => {});
    rig.model.answer = inTurn(calls({ name: 'look' }));
    const { run } = await rig.send();
    await stopRun(rig.ports, run);
    expect((await rig.read(run.id)).at(-1)).toEqual({ type: 'abort', reason: 'stopped' });
    expect(rig.model.requests).toHaveLength(1);
  });

  it('ends a run that was about to wait, and its call can no longer be approved', async () => {
    const { records } = rig.ports;
    rig.model.answer = inTurn(calls({ name: 'launch' }));
    const park = rig.ports.objects.put;
    // The conversation is stored just before the run is suspended.
    rig.ports.objects = {
      ...rig.ports.objects,
      async put(key, body) {
        const run = await rig.find(key.split('/')[1] ?? '');
        expect(await stopRun(rig.ports, run)).toMatchObject({ status: 'running', stopRequested: true });
        await park(key, body);
      },
    };
    const { run, parts } = await rig.ask();
    expect(
      await eventually(
        () => rig.find(run.id),
        ({ status }) => status !== 'waiting',
      ),
    ).toMatchObject({
      status: 'stopped',
    });
    expect((await rig.read(run.id, parts.length)).concat(parts)).toContainEqual({
      type: 'abort',
      reason: 'stopped',
    });
    expect(await runs.get(records, run)).toMatchObject({ parked: false });
  });

  it('also reaches a worker that has just taken the run over', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Done.'));
    const { run } = await rig.ask();
    const { id } = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, id, { approved: true });
    await runs.update(rig.ports.records, run, { set: { stopRequested: true } });
    await rig.work();
    expect(launch.inputs).toEqual([]);
    expect(await rig.find(run.id)).toMatchObject({ status: 'stopped' });
  });

  it('is rejected for a run that is over', async () => {
    const { run } = await rig.ask();
    await expect(stopRun(rig.ports, run)).rejects.toThrow(/^This run is already over \(done\)\./);
  });
});

describe('run that was taken from its process', () => {
  it('ends its model call, and writes nothing more', async () => {
    const signals = sayAndHang();
    const { run } = await rig.send();
    await eventually(
      async () => signals.length,
      (count) => count === 1,
    );
    await runs.update(rig.ports.records, run, { set: { owner: 'another' } });
    await eventually(
      async () => signals[0]?.aborted,
      (aborted) => aborted === true,
    );
    expect(await rig.find(run.id)).toMatchObject({ status: 'running', owner: 'another' });
  });

  it('ends its model call if another process has written its next event', async () => {
    const gate = Promise.withResolvers<void>();
    let modelSignal: AbortSignal | undefined;
    rig.model.answer = async function* ({ signal }): AsyncGenerator<ModelEvent> {
      modelSignal = signal;
      await gate.promise;
      for (;;) {
        yield { type: 'text', text: 'more ' };
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const { run } = await rig.send();
    const last = () => lastFrame(rig.ports.records, run.id);
    await eventually(last, (number) => number === 2); // `start` and `start-step`
    const from = 3;
    const parts = JSON.stringify([{ type: 'abort' }]);
    const batch = { runId: run.id, from, count: 1, parts, expiresAt: 9_999_999_999 };
    expect(await frameBatches.create(rig.ports.records, batch)).toBe(true);
    gate.resolve();
    await eventually(
      async () => modelSignal?.aborted,
      (aborted) => aborted === true,
    );
    expect(await rig.find(run.id)).toMatchObject({ status: 'running' }); // the model decides how it ends
  });
});

describe('run record', () => {
  it.each([
    [
      'the model stream fails',
      new UpstreamFailed('upstream_failed', 'provider a broke off'),
      'provider a broke off',
    ],
    [
      'the service has an internal error',
      new Error('secret detail'),
      'Something went wrong in the service. Try again.',
    ],
  ])('is correct if %s', async (_, failure, text) => {
    rig.model.answer = function* () {
      yield { type: 'text', text: 'Half of a' };
      throw failure;
    };
    const { run, parts } = await rig.ask();
    expect(parts.slice(-2)).toEqual([
      { type: 'error', errorText: text },
      { type: 'data-error', data: { code: expect.any(String) } },
    ]);
    expect(run).toMatchObject({ status: 'failed', error: text, steps: 1, finishedAt: expect.any(String) });
    expect(await leaseOf(run)).toBeUndefined();
  });

  it('is correct if the workspace was deleted when the run could resume', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Done.'));
    const { run } = await rig.ask();
    await answerOverApi(rig.ports, MEMBER, run, (await rig.approvalOf(run.id)).id, { approved: true });
    await workspaces.delete(rig.ports.records, { id: rig.workspace.id });
    await rig.work();
    expect(await rig.find(run.id)).toMatchObject({
      status: 'failed',
      error: 'This workspace does not exist.',
    });
    expect(launch.inputs).toEqual([]);
  });

  it('is correct if the store fails at its start, so that the process survives and the tick ends the run', async () => {
    const { query } = rig.ports.records;
    rig.ports.records.query = () => Promise.reject(new Error('the store is away'));
    const { run } = await rig.send();
    await new Promise((resolve) => setTimeout(resolve, 20));
    rig.ports.records.query = query;
    rig.time.offsetMs = LEASE_OVER_MS;
    await sweepRuns(rig.ports);
    expect(await rig.find(run.id)).toMatchObject({ status: 'failed' });
  });

  it('is correct if the run is done, without its conversation', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Done.'));
    const { run } = await rig.ask();
    expect(await rig.ports.objects.getBytes(conversationKey(run.id))).toBeDefined();
    await answerOverApi(rig.ports, MEMBER, run, (await rig.approvalOf(run.id)).id, { approved: false });
    await rig.work();
    expect(await rig.ports.objects.getBytes(conversationKey(run.id))).toBeUndefined();
  });
});

it("run that exceeds its process's time is handed off between two steps", async () => {
  rig.model.answer = inTurn(calls({ name: 'look' }), calls({ name: 'look' }), says('Done.'));
  rig.time.requestMs = 5 * MINUTE_MS; // too little for more than a step
  const { run } = await rig.send();
  await eventually(
    () => rig.ports.agentQueue.depth(),
    ({ waiting }) => waiting > 0,
  );
  expect(await rig.find(run.id)).toMatchObject({ status: 'running', parked: true, steps: 1 });
  for (let round = 0; round < 3 && (await rig.find(run.id)).status === 'running'; round++) await rig.work();
  const frames = await rig.read(run.id);
  expect(frames.filter(({ type }) => type === 'start')).toHaveLength(1);
  expect(frames.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { steps: 3 } });
});

it('answer that reaches its length limit has its own finish reason', async () => {
  rig.model.answer = () => [{ type: 'text', text: 'Half' }, finish('length')];
  const { run, parts } = await rig.ask();
  expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'length' });
  expect(run.status).toBe('done');
});
