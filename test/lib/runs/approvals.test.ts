import { beforeEach, describe, expect, it } from '@jest/globals';
import { answerOverApi } from '../../../lib/agent/start/answer.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../../../lib/errors.ts';
import { answerApproval, openApprovals } from '../../../lib/runs/approvals.ts';
import { describeRun } from '../../../lib/runs/describe-run.ts';
import { approvals, runs } from '../../../lib/runs/schema.ts';
import { stopRun } from '../../../lib/runs/stop.ts';
import { sweepRuns } from '../../../lib/runs/sweep.ts';
import {
  type AgentRig,
  calls,
  doIt,
  inTurn,
  MEMBER,
  recordingTool,
  says,
  startAgentRig,
  typesOf,
} from '../../support/agent.ts';
import { eventually } from '../../support/sync.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OTHER = { ...MEMBER, id: 'other' };

let rig: AgentRig;
let launch: ReturnType<typeof recordingTool>;

beforeEach(async () => {
  launch = recordingTool('launch', { asks: doIt });
  rig = await startAgentRig([launch.tool]);
});

/** A run that waits for approval to launch the rocket. */
async function startWaiting() {
  rig.model.answer = inTurn(calls({ name: 'launch', input: { value: 'rocket' } }), says('It flies.'));
  const { run, parts } = await rig.ask();
  return { run, parts, approval: await rig.approvalOf(run.id) };
}

/** Returns a client's message with an approval response, as the AI SDK sends it. */
function answered(id: string, fields: Record<string, unknown> = {}, approved = true) {
  const part = {
    type: 'tool-launch',
    toolCallId: 'x',
    state: 'approval-responded',
    approval: { id, approved },
    ...fields,
  };
  return {
    messages: [
      { role: 'user', content: 'Launch.' },
      { role: 'assistant', parts: [part] },
    ],
  };
}

async function goOn(runId: string, after: number) {
  await rig.work();
  return rig.read(runId, after);
}

describe('call that needs approval', () => {
  it('is described in a text that fits into a record', async () => {
    const { tool } = recordingTool('launch', { asks: async () => 'x'.repeat(500_000) });
    rig = await startAgentRig([tool]);
    const { approval } = await startWaiting();
    expect(approval.summary).toHaveLength(10_000);
  });

  it('is not made before the answer, and its run waits without any cost', async () => {
    const { run, parts, approval } = await startWaiting();
    expect(run.status).toBe('waiting');
    expect(typesOf(parts).slice(-2)).toEqual(['tool-approval-request', 'finish-step']);
    expect(approval).toMatchObject({
      runId: run.id,
      toolName: 'launch',
      input: { value: 'rocket', rounds: 1 },
      summary: 'Do rocket',
      callerId: MEMBER.id,
    });
    expect(await rig.ports.agentQueue.depth()).toMatchObject({ waiting: 0, inFlight: 0 });
    expect(launch.inputs).toEqual([]);
  });

  it('is made once with exactly the arguments that were shown, if it is approved', async () => {
    const { run, parts, approval } = await startWaiting();
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
    const rest = await goOn(run.id, parts.length);
    expect(launch.inputs).toEqual([{ value: 'rocket', rounds: 1 }]);
    expect(rest[0]).toMatchObject({ type: 'data-approval-response', data: { approved: true } });
    expect(rest[1]).toMatchObject({ type: 'tool-output-available', output: { did: 'rocket' } });
    expect(rest.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(await rig.find(run.id)).toMatchObject({ status: 'done', steps: 2 });
  });

  it('is skipped if it is denied, and the model gets the reason and continues', async () => {
    const { run, parts, approval } = await startWaiting();
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: false, reason: 'too windy' });
    const rest = await goOn(run.id, parts.length);
    expect(launch.inputs).toEqual([]);
    expect(rest[0]).toMatchObject({ type: 'data-approval-response', data: { approved: false } });
    expect(rest[1]).toMatchObject({ type: 'tool-output-denied' });
    expect(rig.model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      role: 'tool',
      isError: true,
      content: expect.stringContaining('"too windy"'),
    });
    expect((await rig.find(run.id)).status).toBe('done');
  });

  it('is made after the next message with the answer', async () => {
    const { approval } = await startWaiting();
    const input = { value: 'rocket', rounds: 1 };
    const { run, parts } = await rig.ask(answered(approval.id, { input }));
    expect(launch.inputs).toEqual([input]);
    expect(parts[1]).toMatchObject({ type: 'tool-output-available' });
    expect(run.status).toBe('done');
  });

  it('gets its own answer if two calls wait, in either order', async () => {
    const both = calls({ name: 'launch', input: { value: 'a' } }, { name: 'launch', input: { value: 'b' } });
    rig.model.answer = inTurn(both, says('Done.'));
    const { run, parts } = await rig.ask();
    const first = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, first.id, { approved: true });
    expect(await rig.work()).toBe(0);
    expect((await rig.find(run.id)).status).toBe('waiting');
    const second = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, second.id, { approved: false });
    await goOn(run.id, parts.length);
    expect(launch.inputs).toEqual([first.input]);
  });

  it('is listed as answered while another approval delays it, and pending approvals are listed in step order', async () => {
    const values = ['a', 'b', 'c', 'd', 'e', 'f'];
    const all = calls(...values.map((value) => ({ name: 'launch', input: { value } })));
    rig.model.answer = inTurn(all, says('Done.'));
    const { run } = await rig.ask();
    const described = await describeRun(rig.ports.records, MEMBER, run);
    expect(described).toMatchObject({
      answered: [],
      approvals: values.map((value) => ({ input: { value } })),
    });
    const [first, second] = await openApprovals(rig.ports, run.id);
    await answerOverApi(rig.ports, MEMBER, run, first?.id ?? '', { approved: true });
    await answerOverApi(rig.ports, MEMBER, run, second?.id ?? '', { approved: false });
    expect(await describeRun(rig.ports.records, MEMBER, run)).toMatchObject({
      answered: [
        { id: first?.id, approved: true },
        { id: second?.id, approved: false },
      ],
      approvals: values.slice(2).map((value) => ({ input: { value } })),
    });
  });

  it('can be approved while other calls of its step still run', async () => {
    const slow = recordingTool('slow');
    const gate = Promise.withResolvers<void>();
    slow.tool.run = () => gate.promise;
    rig = await startAgentRig([launch.tool, slow.tool]);
    rig.model.answer = inTurn(calls({ name: 'slow' }, { name: 'launch' }), says('Done.'));
    const { run } = await rig.send();
    const approval = await eventually(
      () => rig.approvalOf(run.id).catch(() => undefined),
      (found) => found !== undefined,
    );
    const running = await rig.find(run.id);
    expect(running.status).toBe('running');
    await answerOverApi(rig.ports, MEMBER, running, approval?.id ?? '', { approved: true });
    expect(await rig.work()).toBe(1); // too early: no process may take it yet
    gate.resolve();
    await eventually(
      () => rig.work(),
      (count) => count > 0,
    );
    expect((await rig.find(run.id)).status).toBe('done');
    expect(launch.inputs).toHaveLength(1);
  });

  it('tells the tool who approved or denied it', async () => {
    const both = calls({ name: 'launch', input: { value: 'a' } }, { name: 'launch', input: { value: 'b' } });
    rig.model.answer = inTurn(both, says('Done.'));
    const { run, parts } = await rig.ask();
    const first = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, first.id, { approved: true });
    const second = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, second.id, { approved: false });
    await goOn(run.id, parts.length);
    expect([launch.inputs, launch.approvers, launch.refused]).toEqual([
      [first.input],
      [MEMBER.id],
      [second.input],
    ]);
  });

  it('tells the tool that no answer arrived in time', async () => {
    const { run, parts } = await startWaiting();
    rig.time.offsetMs = DAY_MS + 1000;
    await sweepRuns(rig.ports);
    await goOn(run.id, parts.length);
    expect([launch.inputs, launch.refused]).toEqual([[], [{ value: 'rocket', rounds: 1 }]]);
  });
});

describe("call that can't be presented for approval", () => {
  it.each([
    [
      'is denied with the message of its tool',
      async () => Promise.reject(new Forbidden('forbidden', 'no such rocket')),
      'no such rocket',
      60_000,
    ],
    [
      'is denied without internal error details',
      async () => Promise.reject(new Error('secret')),
      'Something went wrong in the service. Try again.',
      60_000,
    ],
    ['is denied after a timeout', () => new Promise<never>(() => {}), /took more than 1 s/, 1000],
  ])('%s, and the run continues', async (_, asks, told, timeoutMs) => {
    launch = recordingTool('launch', { asks });
    launch.tool.timeoutMs = timeoutMs;
    rig = await startAgentRig([launch.tool]);
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Then not.'));
    const { run, parts } = await rig.ask();
    expect(run.status).toBe('done');
    expect(typesOf(parts)).not.toContain('tool-approval-request');
    expect(rig.model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      ...{ role: 'tool', isError: true },
      content: typeof told === 'string' ? told : expect.stringMatching(told),
    });
    expect(launch.inputs).toEqual([]);
  });
});

describe('approval', () => {
  it('is rejected from another caller', async () => {
    const { run, approval } = await startWaiting();
    const answer = answerOverApi(rig.ports, OTHER, run, approval.id, { approved: true });
    await expect(answer).rejects.toThrow(Forbidden);
    await expect(rig.send(answered(approval.id), OTHER)).rejects.toThrow(Forbidden);
  });

  it('is rejected with changed arguments', async () => {
    const { approval } = await startWaiting();
    for (const input of [
      { value: 'bomb', rounds: 1 },
      { value: 'rocket', rounds: 2 },
      { value: 'rocket' },
      null,
      'rocket',
    ])
      await expect(rig.send(answered(approval.id, { input }))).rejects.toThrow(Conflict);
  });

  it('is rejected in another run', async () => {
    const { approval } = await startWaiting();
    const { run: second } = await startWaiting();
    await expect(answerOverApi(rig.ports, MEMBER, second, approval.id, { approved: true })).rejects.toThrow(
      NotFound,
    );
  });

  it.each([
    ['a forged ID', (id: string) => `${id.slice(0, -16)}${'0'.repeat(16)}`, NotFound],
    ['an ID of no run', () => `${crypto.randomUUID()}-${'0'.repeat(16)}`, NotFound],
    ['an ID in another format', () => 'approval-1', InvalidInput],
    ['an empty ID', () => '', InvalidInput],
  ])('is rejected for %s', async (_, forge, kind) => {
    const { run, approval } = await startWaiting();
    const id = forge(approval.id);
    await expect(rig.send(answered(id))).rejects.toThrow(kind);
    await expect(answerOverApi(rig.ports, MEMBER, run, id, { approved: true })).rejects.toThrow(NotFound);
  });

  it('is rejected if one message answers for two runs', async () => {
    const first = await startWaiting();
    const second = await startWaiting();
    const parts = [first, second].flatMap(({ approval }) => answered(approval.id).messages[1]?.parts ?? []);
    await expect(rig.send({ messages: [{ role: 'assistant', parts }] })).rejects.toThrow(InvalidInput);
  });

  it('is rejected a second time, before and after the run continued', async () => {
    const { run, approval } = await startWaiting();
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
    await expect(answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true })).rejects.toThrow(
      Conflict,
    );
    await rig.work();
    await expect(rig.send(answered(approval.id))).rejects.toThrow(Conflict);
    expect(launch.inputs).toHaveLength(1);
  });

  it('is rejected from all but one of many concurrent callers', async () => {
    const { run, approval } = await startWaiting();
    const clicks = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0
        ? answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true })
        : rig.send(answered(approval.id)),
    );
    const ends = await Promise.allSettled(clicks);
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect(refused).toHaveLength(19);
    for (const reason of refused) expect(reason).toBeInstanceOf(Conflict);
    await rig.work();
    await rig.read(run.id);
    expect(launch.inputs).toHaveLength(1);
  });

  it('is rejected after its expiration, and the run continues without the call', async () => {
    const { run, parts, approval } = await startWaiting();
    rig.time.offsetMs = DAY_MS;
    await expect(answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true })).rejects.toThrow(
      /expired/,
    );
    await expect(rig.send(answered(approval.id))).rejects.toThrow(/expired/);
    await sweepRuns(rig.ports);
    await goOn(run.id, parts.length);
    expect(launch.inputs).toEqual([]);
    expect(rig.model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      content: expect.stringMatching(/in time/),
    });
    expect((await rig.find(run.id)).status).toBe('done');
  });

  it('is accepted until the last minute of its day', async () => {
    const { run, approval } = await startWaiting();
    rig.time.offsetMs = Date.parse(approval.expiresAt) - Date.now() - 60_000;
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
    await rig.work();
    expect(launch.inputs).toHaveLength(1);
  });

  it('is rejected after a stop', async () => {
    const { run, approval } = await startWaiting();
    expect((await stopRun(rig.ports, run)).status).toBe('stopped');
    const stopped = await rig.find(run.id);
    await expect(answerOverApi(rig.ports, MEMBER, stopped, approval.id, { approved: true })).rejects.toThrow(
      /stopped/,
    );
    await expect(rig.send(answered(approval.id))).rejects.toThrow(/stopped/);
    expect((await rig.read(run.id)).at(-1)).toEqual({ type: 'abort', reason: 'stopped' });
  });

  it('is rejected for a workspace other than that of the run', async () => {
    const { approval } = await startWaiting();
    await expect(rig.send({ ...answered(approval.id), workspaceId: 'other' })).rejects.toThrow(InvalidInput);
    const bound = { ...MEMBER, workspaceIds: ['other'] };
    await expect(rig.send(answered(approval.id), bound)).rejects.toThrow(Forbidden);
  });
});

describe('answer whose notification is lost', () => {
  it('is delivered to the run by the scheduler tick', async () => {
    const { run, parts, approval } = await startWaiting();
    await answerApproval(rig.ports, run, MEMBER, approval.id, { approved: true }); // the process dies here
    expect(await rig.work()).toBe(0);
    rig.time.offsetMs = 60_000;
    await sweepRuns(rig.ports);
    await goOn(run.id, parts.length);
    expect(launch.inputs).toHaveLength(1);
  });

  it('never makes the call twice, however often the worker is notified', async () => {
    const { run, approval } = await startWaiting();
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
    await rig.ports.agentQueue.send([1, 2, 3].map(() => ({ body: { runId: run.id } })));
    await Promise.all([rig.work(), rig.work(), rig.work()]);
    await rig.read(run.id);
    expect(launch.inputs).toHaveLength(1);
  });

  it('applies only to the approval, so that arguments in the stored conversation are ignored', async () => {
    const { run, approval } = await startWaiting();
    const key = `runs/${run.id}/conversation.json`;
    const kept = Buffer.from((await rig.ports.objects.getBytes(key)) ?? '').toString();
    await rig.ports.objects.put(key, Buffer.from(kept.replaceAll('rocket', 'bomb')));
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
    await rig.work();
    expect(launch.inputs).toEqual([{ value: 'rocket', rounds: 1 }]);
  });

  it('is ignored if it belongs to another call', async () => {
    const { run, approval } = await startWaiting();
    await approvals.update(rig.ports.records, approval, { set: { toolCallId: 'another' } });
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
    await rig.work();
    expect(launch.inputs).toEqual([]);
  });
});

it('run that was taken over after it was read is not taken over again', async () => {
  const { run, approval } = await startWaiting();
  const { objects, records } = rig.ports;
  const slowly = {
    ...objects,
    getBytes: async (key: string) => {
      const bytes = await objects.getBytes(key);
      // Another worker continued it, and suspended it again.
      await runs.update(records, run, { set: { owner: 'another' } });
      return bytes;
    },
  };
  await answerApproval(rig.ports, run, MEMBER, approval.id, { approved: true });
  Object.assign(rig.ports, { objects: slowly });
  await rig.ports.agentQueue.send([{ body: { runId: run.id } }]);
  await rig.work();
  expect(launch.inputs).toEqual([]);
});
