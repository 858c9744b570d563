import { describe, expect, it } from '@jest/globals';
import { conversationKey } from '../../../lib/agent/loop/agent-work.ts';
import { fitContext } from '../../../lib/agent/loop/fit-context.ts';
import { answerOverApi } from '../../../lib/agent/start/answer.ts';
import { endParkedRun } from '../../../lib/agent/start/continue.ts';
import type { ModelMessage } from '../../../lib/ports/language-model.ts';
import { answerApproval, readDecisions } from '../../../lib/runs/approvals.ts';
import { followRun } from '../../../lib/runs/follow-run.ts';
import { approvals, runLeases, runs } from '../../../lib/runs/schema.ts';
import { sweepRuns } from '../../../lib/runs/sweep.ts';
import { StreamCut } from '../../../lib/ui-messages/error-parts.ts';
import {
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

async function startWaiting() {
  const launch = recordingTool('launch', { asks: doIt });
  const rig = await startAgentRig([launch.tool]);
  rig.model.answer = inTurn(calls({ name: 'launch', input: { value: 'rocket' } }), says('It flies.'));
  const { run } = await rig.ask();
  return { rig, launch, run, approval: await rig.approvalOf(run.id) };
}

describe('process that ends', () => {
  it('leaves a run that the scheduler tick finds, if it ends between the writes of a suspension', async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startAgentRig([launch.tool]);
    rig.model.answer = inTurn(calls({ name: 'launch' }));
    const { update } = rig.ports.records;
    const parking = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<never>();
    rig.ports.records.update = (key, change, expect) => {
      if (change.set?.parked !== true) return update(key, change, expect);
      parking.resolve();
      return answer.promise; // as if the process had ended
    };
    const { run } = await rig.send();
    await parking.promise;
    rig.ports.records.update = update;
    const lease = await runLeases.get(rig.ports.records, { runId: run.id });
    expect(Date.parse(lease?.until ?? '') - Date.now()).toBeLessThan(2 * 60_000);
    answer.reject(new Error('the store is away'));
    await eventually(
      () => rig.find(run.id),
      ({ status }) => status === 'failed',
    );
  });

  it('leaves a run that the scheduler tick stops, if it ends after a recorded stop', async () => {
    const { rig, run } = await startWaiting();
    await runs.update(rig.ports.records, { id: run.id }, { set: { stopRequested: true } });
    rig.time.offsetMs = 2 * 60_000;
    await sweepRuns(rig.ports);
    expect(await rig.find(run.id)).toMatchObject({ status: 'stopped' });
  });

  it('leaves no run without a lease if it ends before its run is stored', async () => {
    const rig = await startAgentRig();
    const { put } = rig.ports.records;
    rig.ports.records.put = (record, expect) =>
      record.key.sort === 'LEASE' ? Promise.reject(new Error('gone')) : put(record, expect);
    await expect(rig.send()).rejects.toThrow('gone');
    rig.ports.records.put = put;
    const partition = `AGENT_RUNS#${rig.workspace.id}`;
    expect(await rig.ports.records.count({ partition, byIndex: true })).toBe(0);
  });
});

describe('suspended run', () => {
  it('fails if its conversation was deleted, instead of being retried forever', async () => {
    const { rig, run, approval } = await startWaiting();
    await rig.ports.objects.delete(conversationKey(run.id));
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
    await rig.work();
    expect(await rig.find(run.id)).toMatchObject({ status: 'failed' });
  });
});

describe('run with endless handoffs', () => {
  it('fails with a reason', async () => {
    const rig = await startAgentRig();
    rig.model.answer = () => calls({ name: 'none' });
    rig.time.requestMs = 5 * 60_000; // one step per slice
    const { run } = await rig.send();
    await eventually(
      () => rig.find(run.id),
      ({ parked }) => parked,
    );
    await endParkedRun(rig.ports, run.id, 'a test');
    expect(await rig.find(run.id)).toMatchObject({ status: 'failed', error: 'The run was ended: a test' });
    await endParkedRun(rig.ports, run.id, 'a late copy of the message');
    expect((await rig.read(run.id)).at(-2)).toEqual({
      type: 'error',
      errorText: 'The run was ended: a test',
    });
  });

  it('is not counted while it waits for a person', async () => {
    const { rig, run } = await startWaiting();
    await endParkedRun(rig.ports, run.id, 'a test');
    expect(await rig.find(run.id)).toMatchObject({ status: 'waiting' });
  });
});

describe('run approval', () => {
  it('is used once, however often its run is resumed', async () => {
    const { rig, run, approval } = await startWaiting();
    await answerApproval(rig.ports, run, MEMBER, approval.id, { approved: true });
    const call = { id: approval.toolCallId, name: approval.toolName, input: '{}' };
    const pending = { call, approvalId: approval.id };
    const decided = await Promise.all([1, 2].map(() => readDecisions(rig.ports.records, run.id)));
    expect(decided.filter((decide) => decide(pending).approved)).toHaveLength(1);
    expect((await readDecisions(rig.ports.records, run.id))(pending)).toMatchObject({ approved: false });
  });

  it('is rejected once the run has been resumed without it', async () => {
    const { rig, run, approval } = await startWaiting();
    await readDecisions(rig.ports.records, run.id);
    const answer = answerApproval(rig.ports, run, MEMBER, approval.id, { approved: true });
    await expect(answer).rejects.toThrow(/^This approval was already answered\./);
    expect(await approvals.get(rig.ports.records, approval)).toMatchObject({ status: 'expired' });
  });
});

describe('stream follower', () => {
  it("is disconnected without a numbered error event if events can't be read", async () => {
    const { rig, run } = await startWaiting();
    rig.ports.records.query = () => Promise.reject(new Error('the store is away'));
    const options = {
      after: 1,
      untilSuspended: false,
      signal: new AbortController().signal,
      timeLeftMs: 60_000,
    };
    await expect(followRun(rig.ports, run.id, options).next()).rejects.toBeInstanceOf(StreamCut);
  });
});

describe('run step', () => {
  it('makes at most twenty calls', async () => {
    const note = recordingTool('note');
    const rig = await startAgentRig([note.tool]);
    const many = Array.from({ length: 25 }, (_, index) => ({ name: 'note', input: { value: `${index}` } }));
    rig.model.answer = inTurn(calls(...many), says('Done.'));
    const { parts } = await rig.ask();
    expect(note.inputs).toHaveLength(20);
    expect(typesOf(parts).filter((type) => type === 'tool-input-error')).toHaveLength(5);
  });

  it('keeps the current request when old turns are dropped', () => {
    const text = 'x'.repeat(100);
    const messages: ModelMessage[] = [
      { role: 'user', content: 'old wish' },
      { role: 'assistant', content: text },
      { role: 'user', content: 'wish of today' },
      ...Array.from({ length: 10 }, (): ModelMessage => ({ role: 'assistant', content: text })),
    ];
    const fitted = fitContext(messages, 500).map(({ content }) => content);
    expect(fitted).toContain('wish of today');
    expect(fitted.join('').length).toBeLessThan(700);
  });
});

it('suspended run continues if a person answers during its suspension', async () => {
  const { rig, run, approval } = await startWaiting();
  await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
  await rig.work();
  await eventually(
    () => rig.find(run.id),
    ({ status }) => status === 'done',
  );
});
