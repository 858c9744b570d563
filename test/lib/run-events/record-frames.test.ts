import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { StreamPart } from '../../../lib/api-contract/stream-part.ts';
import { FramesTaken, lastFrame, openRecorder } from '../../../lib/run-events/record-frames.ts';
import { followRun } from '../../../lib/runs/follow-run.ts';
import { createRun, finishRun } from '../../../lib/runs/runs.ts';
import { type Run, runs } from '../../../lib/runs/schema.ts';
import { StreamCut } from '../../../lib/ui-messages/error-parts.ts';
import { type AgentRig, MEMBER, startAgentRig } from '../../support/agent.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { eventually } from '../../support/sync.ts';

let rig: AgentRig;
let run: Run;

beforeEach(async () => {
  rig = await startAgentRig();
  const fields = { workspaceId: rig.workspace.id, mode: 'agent', caller: MEMBER, cwd: '' } as const;
  run = await createRun(rig.ports, { ...fields, provider: 'a', model: 'm', allowedTools: null });
});

const part = (number: number): StreamPart => ({ type: 'data-n', data: number });

async function follow(
  after: number,
  { timeLeftMs = 60_000, untilSuspended = false } = {},
): Promise<StreamPart[]> {
  const signal = new AbortController().signal;
  const parts: StreamPart[] = [];
  for await (const next of followRun(rig.ports, run.id, { after, untilSuspended, signal, timeLeftMs }))
    parts.push(next);
  return parts;
}

async function finishWith(count: number) {
  const recorder = openRecorder(rig.ports, run.id, 0);
  for (let number = 1; number <= count; number++) {
    recorder.write(part(number));
    if (number % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await recorder.flush();
  await finishRun(rig.ports, run, { status: 'done', error: null, steps: 1 });
}

describe('run events', () => {
  it('reach the store automatically, at any pace', async () => {
    for (let turns = 0; turns < 60; turns++) {
      const last = await lastFrame(rig.ports.records, run.id);
      const recorder = openRecorder(rig.ports, run.id, last);
      recorder.write(part(1));
      for (let turn = 0; turn < turns; turn++) await undefined;
      recorder.write(part(2));
      await eventually(
        () => lastFrame(rig.ports.records, run.id),
        (number) => number === last + 2,
      );
    }
  });

  it('are read once for a hundred followers that wait together', async () => {
    const followers = Array.from({ length: 100 }, () => follow(0));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const query = jest.spyOn(rig.ports.records, 'query');
    await finishWith(30);
    for (const parts of await Promise.all(followers)) expect(parts).toHaveLength(30);
    expect(query.mock.calls.length).toBeLessThan(100);
  });

  it('continue for a follower after an approval, even if another follower ends there', async () => {
    await runs.update(rig.ports.records, { id: run.id }, { set: { status: 'waiting' } });
    const [ended, open] = [follow(0, { untilSuspended: true }), follow(0)];
    expect(await ended).toEqual([]);
    await runs.update(rig.ports.records, { id: run.id }, { set: { status: 'running' } });
    await finishWith(3);
    expect(await open).toEqual([part(1), part(2), part(3)]);
  });

  it('are the same for everyone, from any position', async () => {
    const early = [0, 1, 2, 17, 100].map(async (after) => ({ after, parts: await follow(after) }));
    await finishWith(100);
    const late = Array.from({ length: 101 }, async (_, after) => ({ after, parts: await follow(after) }));
    for (const { after, parts } of await Promise.all([...early, ...late]))
      expect(parts).toEqual(Array.from({ length: 100 - after }, (_, at) => part(after + at + 1)));
  });

  it('end after the last event', async () => {
    await finishWith(10);
    expect(await follow(10)).toEqual([]);
    expect(await follow(9_999_999_999)).toEqual([]);
  });

  it('are joined into the same text', async () => {
    const pieces = fc.array(fc.string({ unit: anyCharacter, maxLength: 20 }), {
      minLength: 1,
      maxLength: 50,
    });
    let last = 0;
    await fc.assert(
      fc.asyncProperty(pieces, async (deltas) => {
        const recorder = openRecorder(rig.ports, run.id, last);
        for (const delta of deltas) recorder.write({ type: 'text-delta', id: '1', delta });
        await recorder.flush();
        const from = last;
        last = await lastFrame(rig.ports.records, run.id);
        expect(last - from).toBe(1);
      }),
      { numRuns: 30 },
    );
  });

  it('share a few records if they arrive one by one, as fast as a model writes', async () => {
    const put = jest.spyOn(rig.ports.records, 'put');
    const recorder = openRecorder(rig.ports, run.id, 0);
    for (let number = 1; number <= 500; number++) {
      recorder.write(part(number));
      for (let turn = 0; turn < 20; turn++) await undefined;
    }
    await recorder.flush();
    expect(await lastFrame(rig.ports.records, run.id)).toBe(500);
    expect(put.mock.calls.length).toBeLessThan(20);
  });

  it('are joined if they contain the arguments of one call', async () => {
    const recorder = openRecorder(rig.ports, run.id, 0);
    for (const [toolCallId, inputTextDelta] of ['aa', 'ab', 'ba', 'bb', 'bc'].map(([id = '', text = '']) => [
      id,
      text,
    ]))
      recorder.write({ type: 'tool-input-delta', toolCallId, inputTextDelta } as StreamPart);
    await recorder.flush();
    await finishRun(rig.ports, run, { status: 'done', error: null, steps: 1 });
    expect(await follow(0)).toEqual([
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: 'ab' },
      { type: 'tool-input-delta', toolCallId: 'b', inputTextDelta: 'abc' },
    ]);
  });

  it('are rejected from a process that no longer owns the run', async () => {
    const [one, other] = [openRecorder(rig.ports, run.id, 0), openRecorder(rig.ports, run.id, 0)];
    one.write(part(1));
    await one.flush();
    other.write(part(2));
    await expect(other.flush()).rejects.toThrow(FramesTaken);
    expect(() => other.write(part(3))).toThrow(FramesTaken);
    expect(await lastFrame(rig.ports.records, run.id)).toBe(1);
  });

  it("end with an interruption when the request's time is up, so that the reader reconnects", async () => {
    const recorder = openRecorder(rig.ports, run.id, 0);
    recorder.write(part(1));
    await recorder.flush();
    await expect(follow(0, { timeLeftMs: 50 })).rejects.toThrow(StreamCut);
  });
});
