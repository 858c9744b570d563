import { beforeEach, describe, expect, it } from '@jest/globals';
import { runToEnd } from '../../../lib/agent/start/unattended-run.ts';
import {
  type AgentRig,
  calls,
  finish,
  inTurn,
  MEMBER,
  type recordingTool,
  says,
  startRigWithTools,
} from '../../support/agent.ts';

let rig: AgentRig;
let launch: ReturnType<typeof recordingTool>;
let look: ReturnType<typeof recordingTool>;

beforeEach(async () => {
  ({ launch, look, rig } = await startRigWithTools());
});

function send(timeLeftMs = 900_000, signal = new AbortController().signal) {
  const task = { workspace: rig.workspace, mode: 'agent' as const, prompt: 'Do it.', rightsOf: null };
  return runToEnd(rig.ports, MEMBER, task, { timeLeftMs, signal });
}

describe('unattended run', () => {
  it('ends with the last text', async () => {
    rig.model.answer = inTurn(
      [{ type: 'text', text: 'I look.' }, ...calls({ name: 'look' })],
      says('All ', 'is ', 'well.'),
    );
    const { run, text } = await send();
    expect(run).toMatchObject({ status: 'done', mode: 'agent', steps: 2 });
    expect(text).toBe('All is well.');
    expect(look.inputs).toHaveLength(1);
  });

  it('denies a call that needs approval immediately, notifies the model, and continues', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch', input: { value: 'rocket' } }), says('Not launched.'));
    const { run, text } = await send();
    expect(run).toMatchObject({ status: 'done' });
    expect(text).toBe('Not launched.');
    expect(launch.inputs).toEqual([]);
    const last = rig.model.requests.at(-1)?.messages.at(-1);
    expect(last).toMatchObject({ role: 'tool', isError: true, content: expect.stringContaining('approval') });
    expect(await rig.ports.records.count({ partition: `AGENT_RUN#${run.id}`, sortPrefix: 'APPROVAL#' })).toBe(
      0,
    );
  });

  it('denies it also in the process that continues the run', async () => {
    rig.model.answer = inTurn(calls({ name: 'look' }), calls({ name: 'launch' }), says('Done.'));
    const sent = send(5 * 60_000); // too little for more than a step
    while ((await rig.work()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await sent).toMatchObject({ run: { status: 'done' }, text: 'Done.' });
    expect(launch.inputs).toEqual([]);
  });

  it('is stopped when its caller no longer waits', async () => {
    const controller = new AbortController();
    rig.model.answer = async function* ({ signal }) {
      yield { type: 'text', text: 'Wait' };
      controller.abort();
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      yield finish('stop');
    };
    const { run } = await send(900_000, controller.signal);
    while ((await rig.find(run.id)).status === 'running')
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await rig.find(run.id)).toMatchObject({ status: 'stopped' });
  });
});
