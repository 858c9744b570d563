import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { toModelMessages } from '../../../lib/agent/loop/model-messages.ts';
import { answerOverApi } from '../../../lib/agent/start/answer.ts';
import { defineTool } from '../../../lib/agent/tools/tool.ts';
import { answerOfRun } from '../../../lib/conversations/turn/keep-run.ts';
import { changeRun } from '../../../lib/runs/runs.ts';
import { messagesToRun, sendToRun, takeMessages, withdrawMessage } from '../../../lib/runs/steer.ts';
import { stopCall, stopRun } from '../../../lib/runs/stop.ts';
import type { MessagePart } from '../../../lib/ui-messages/ui-message.ts';
import {
  type AgentRig,
  calls,
  inTurn,
  MEMBER,
  recordingTool,
  says,
  startAgentRig,
  startRigWithTools,
} from '../../support/agent.ts';
import { eventually } from '../../support/sync.ts';
import { cleanUp } from '../../support/temp-folder.ts';

type Rig = Awaited<ReturnType<typeof startRigWithTools>>;
let rig: AgentRig;
let look: Rig['look'];
let launch: Rig['launch'];

beforeEach(async () => {
  ({ rig, look, launch } = await startRigWithTools());
});
afterEach(cleanUp);

const OTHER = { ...MEMBER, id: 'other' };

/** Returns the texts that the person said, as the model got them in its latest request. */
function saidToModel(): string[] {
  const { messages } = rig.model.requests.at(-1) ?? { messages: [] };
  return messages.flatMap((message) => (message.role === 'user' ? [message.content] : []));
}

/** Sends a message to the run while the model answers its step with this number. */
function sendingAt(step: number, texts: string[], ...answers: Parameters<typeof inTurn>) {
  const next = inTurn(...answers);
  return async function* (request: Parameters<typeof next>[0]) {
    if (rig.model.requests.length === step) {
      const run = await rig.find(await currentRun());
      for (const text of texts) await sendToRun(rig.ports, MEMBER, run, text);
    }
    yield* next(request);
  };
}

let current: Promise<{ run: { id: string } }>;
async function currentRun(): Promise<string> {
  return (await current).run.id;
}

async function askSteered(...script: Parameters<typeof sendingAt>) {
  rig.model.answer = sendingAt(...script);
  const started = rig.send();
  current = started;
  const { run } = await started;
  const parts = await rig.read(run.id);
  return { parts, run: await rig.find(run.id) };
}

describe('message to a run', () => {
  it('reaches the model before its next step, and is recorded there', async () => {
    const { parts, run } = await askSteered(1, ['Use owls.'], calls({ name: 'look' }), says('Owls.'));
    expect(saidToModel()).toEqual(['Do it.', 'Use owls.']);
    expect(run).toMatchObject({ status: 'done', steps: 2 });
    const types = parts.map(({ type }) => type);
    expect(types.indexOf('data-user-message')).toBeGreaterThan(types.indexOf('tool-output-available'));
    expect(types.indexOf('data-user-message')).toBeLessThan(types.lastIndexOf('start-step'));
    expect(await messagesToRun(rig.ports.records, run)).toMatchObject([
      { text: 'Use owls.', state: 'delivered' },
    ]);
  });

  it('continues a run whose model has just finished', async () => {
    const { run } = await askSteered(1, ['And then?', 'Be brief.'], says('Done.'), says('Then nothing.'));
    expect(run).toMatchObject({ status: 'done', steps: 2 });
    expect(saidToModel()).toEqual(['Do it.', 'And then?', 'Be brief.']);
  });

  it('appears at its place in the answer that later runs read', async () => {
    const { run } = await askSteered(1, ['Use owls.'], calls({ name: 'look', id: 'c' }), says('Owls.'));
    const { parts } = await answerOfRun(rig.ports.records, run);
    const turns = toModelMessages([
      { role: 'user', parts: [{ type: 'text', text: 'Do it.' }] },
      { role: 'assistant', parts: parts as MessagePart[] },
    ]);
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
    expect(turns.at(-2)).toMatchObject({ content: 'Use owls.' });
  });

  it('waits until a pending approval is answered', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
    const { run } = await rig.ask();
    await sendToRun(rig.ports, MEMBER, run, 'Only once.');
    const { id } = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, id, { approved: true });
    await rig.work();
    expect(launch.inputs).toHaveLength(1);
    expect(saidToModel()).toEqual(['Do it.', 'Only once.']);
  });

  it('is withdrawn as long as the model does not have it', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
    const { run } = await rig.ask();
    const { records } = rig.ports;
    const kept = await sendToRun(rig.ports, MEMBER, run, 'Keep.');
    const { id } = await sendToRun(rig.ports, MEMBER, run, 'Withdraw.');
    await withdrawMessage(records, MEMBER, run, id);
    await expect(withdrawMessage(records, MEMBER, run, id)).rejects.toMatchObject({
      code: 'run_message_not_found',
    });
    expect((await takeMessages(records, run.id)).map(({ text }) => text)).toEqual(['Keep.']);
    await expect(withdrawMessage(records, MEMBER, run, kept.id)).rejects.toMatchObject({
      code: 'run_message_delivered',
    });
    expect(await takeMessages(records, run.id)).toEqual([]);
  });

  it.each([
    ['of someone else', 'owner_only', async () => sendToRun(rig.ports, OTHER, (await rig.ask()).run, 'x')],
    [
      'to a run that is over',
      'run_over',
      async () => sendToRun(rig.ports, MEMBER, (await rig.ask()).run, 'x'),
    ],
    [
      'to a report',
      'run_takes_no_messages',
      async () => {
        const { run } = await rig.ask();
        return sendToRun(rig.ports, MEMBER, { ...run, kind: 'research', status: 'running' }, 'x');
      },
    ],
  ])('%s is refused', async (_, code, send) => {
    rig.model.answer = inTurn(says('Done.'));
    await expect(send()).rejects.toMatchObject({ code });
  });

  it('is refused, and not stored, if the run ended since it was read', async () => {
    rig.model.answer = inTurn(says('Done.'));
    const { run } = await rig.ask();
    await expect(sendToRun(rig.ports, MEMBER, { ...run, status: 'running' }, 'x')).rejects.toMatchObject({
      code: 'run_over',
    });
    expect(await messagesToRun(rig.ports.records, run)).toEqual([]);
  });

  it('is refused if twenty messages are already waiting', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }));
    const { run } = await rig.ask();
    for (let sent = 0; sent < 20; sent++) await sendToRun(rig.ports, MEMBER, run, `message ${sent}`);
    await expect(sendToRun(rig.ports, MEMBER, run, 'x')).rejects.toMatchObject({ code: 'run_messages_full' });
    expect((await takeMessages(rig.ports.records, run.id)).map(({ text }) => text)).toEqual(
      Array.from({ length: 20 }, (_, at) => `message ${at}`),
    );
  });

  it('stays queued in a run that is stopped, and can be withdrawn there', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }));
    const { run } = await rig.ask();
    const { id } = await sendToRun(rig.ports, MEMBER, run, 'Too late.');
    const stopped = await stopRun(rig.ports, run);
    expect(await messagesToRun(rig.ports.records, stopped)).toMatchObject([{ id, state: 'queued' }]);
    await withdrawMessage(rig.ports.records, MEMBER, stopped, id);
    expect(await messagesToRun(rig.ports.records, stopped)).toEqual([]);
  });

  it('is withdrawn by one of several clients, and only that client sends it again', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }));
    const { run } = await rig.ask();
    const { id } = await sendToRun(rig.ports, MEMBER, run, 'Too late.');
    const stopped = await stopRun(rig.ports, run);
    const clients = Array.from({ length: 5 }, () => withdrawMessage(rig.ports.records, MEMBER, stopped, id));
    const withdrawn = await Promise.allSettled(clients);
    const refused = withdrawn.filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'run_message_not_found' });
  });

  it('counts as queued if a process took it and died before it was recorded', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }));
    const { run } = await rig.ask();
    const { id } = await sendToRun(rig.ports, MEMBER, run, 'Lost?');
    await takeMessages(rig.ports.records, run.id);
    const failed = await changeRun(rig.ports.records, run.id, { status: 'failed', parked: false }, {});
    expect(await messagesToRun(rig.ports.records, failed ?? run)).toMatchObject([{ id, state: 'queued' }]);
    await withdrawMessage(rig.ports.records, MEMBER, failed ?? run, id);
  });

  it('resets the count of repeated calls', async () => {
    const same = () => calls({ name: 'look', input: { value: 'same' } });
    const { run } = await askSteered(2, ['Look again.'], same(), same(), same(), says('Seen.'));
    expect(run).toMatchObject({ status: 'done' });
    expect(look.inputs).toHaveLength(3);
  });
});

describe('call that a person stops', () => {
  /** A tool that ends only when its call is aborted. */
  function endless() {
    const { tool, ...seen } = recordingTool('wait', { inEveryMode: true });
    const aborted: string[] = [];
    return {
      ...seen,
      aborted,
      tool: defineTool({
        ...tool,
        input: z.strictObject({ value: z.string() }),
        run: ({ value }, { signal }) =>
          new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              aborted.push(value);
              reject(signal.reason);
            }),
          ),
      }),
    };
  }

  it('ends within a second, and the run continues with the reason for the model', async () => {
    const wait = endless();
    const started = await startAgentRig([wait.tool, look.tool]);
    started.model.answer = inTurn(
      calls({ name: 'wait', id: 'a', input: { value: 'a' } }, { name: 'look', id: 'b' }),
      says('It was stopped.'),
    );
    const { run } = await started.send();
    await eventually(
      async () => look.inputs.length,
      (count) => count === 1,
    );
    const before = Date.now();
    await stopCall(started.ports, run, 'a');
    const parts = await started.read(run.id);
    expect(Date.now() - before).toBeLessThan(1500);
    expect(wait.aborted).toEqual(['a']);
    const told = { toolCallId: 'a', errorText: expect.stringMatching(/^A person stopped this call/) };
    expect(parts).toContainEqual({ type: 'tool-output-error', ...told });
    expect(await started.find(run.id)).toMatchObject({ status: 'done', steps: 2, failedCalls: 0 });
  });

  it('may be stopped together with others', async () => {
    const wait = endless();
    const started = await startAgentRig([wait.tool]);
    const ids = ['a', 'b', 'c'];
    started.model.answer = inTurn(
      calls(...ids.map((id) => ({ name: 'wait', id, input: { value: id } }))),
      says('Stopped.'),
    );
    const { run } = await started.send();
    await Promise.all(ids.map((id) => stopCall(started.ports, run, id)));
    await started.read(run.id);
    expect(wait.aborted.sort()).toEqual(ids);
  });

  it('is not stopped in advance while it waits for an approval, which may follow', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch', id: 'a' }), says('Launched.'));
    const { run } = await rig.ask();
    expect(await stopCall(rig.ports, run, 'a')).toMatchObject({ status: 'waiting', stoppedCalls: '[]' });
    const { id } = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, id, { approved: true });
    expect(await stopCall(rig.ports, run, 'a')).toMatchObject({ stoppedCalls: '["a"]' });
  });

  it('is refused once the run is over, and changes nothing if it is unknown', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
    const { run } = await rig.ask();
    expect(await stopCall(rig.ports, run, 'unknown')).toMatchObject({ status: 'waiting' });
    await stopRun(rig.ports, run);
    await expect(stopCall(rig.ports, run, 'unknown')).rejects.toMatchObject({ code: 'run_over' });
  });
});
