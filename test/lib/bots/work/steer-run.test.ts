import { describe, expect, it } from '@jest/globals';
import { openApprovals } from '../../../../lib/runs/approvals.ts';
import { messagesToRun, sendToRun } from '../../../../lib/runs/steer.ts';
import { calls, doIt, inTurn, recordingTool, says } from '../../../support/agent.ts';
import { type BotRig, lastShown, personMessage, startBotRig } from '../../../support/bots.ts';

/** A chat whose run waits for an approval. */
async function waitingRig() {
  const rig = await startBotRig([recordingTool('launch', { asks: doIt }).tool]);
  rig.model.answer = inTurn(calls({ name: 'launch', input: { value: 'rocket' } }), says('Launched.'));
  await rig.say('Launch it');
  const runId = (await rig.chat()).activeRun?.runId ?? '';
  return { rig, run: await rig.find(runId) };
}

function lastReply(rig: BotRig) {
  return lastShown(rig.feishu).at(-1);
}

describe('/steer', () => {
  it('reaches the model before its next step, once, however often it is delivered', async () => {
    const { rig, run } = await waitingRig();
    const message = personMessage('/steer Only once.\nAnd gently.');
    await rig.handle(message);
    await rig.handle(message);
    expect(lastReply(rig)).toMatchObject({ kind: 'command', command: 'steer', ok: true });
    expect(await messagesToRun(rig.ports.records, run)).toHaveLength(1);
    await rig.say('/approve');
    expect(rig.model.requests.at(-1)?.messages).toContainEqual({
      role: 'user',
      content: 'Only once.\nAnd gently.',
    });
  });

  it('is in the reply, if the run is stopped before the model gets it', async () => {
    const { rig } = await waitingRig();
    await rig.say('/steer Gently.');
    await rig.say('/stop');
    const ended = lastShown(rig.feishu).find(({ kind }) => kind === 'error');
    expect(ended).toMatchObject({ text: 'The run was stopped.\nThe agent did not get: Gently.' });
  });

  it('is in the reply, if the run ends well before the model gets it', async () => {
    const rig = await startBotRig([recordingTool('look').tool]);
    rig.ports.maxSteps = 1;
    rig.model.answer = async function* () {
      const run = await rig.find((await rig.chat()).activeRun?.runId ?? '');
      await sendToRun(rig.ports, run.caller, run, 'Gently.');
      yield* calls({ name: 'look' });
    };
    await rig.say('Look');
    const ended = lastShown(rig.feishu).find(({ kind }) => kind === 'final');
    expect(ended).toMatchObject({ text: expect.stringMatching(/\n\nThe agent did not get: Gently\.$/) });
  });

  it('is refused from someone else, without a text, without a run, and for a later run', async () => {
    const { rig, run } = await waitingRig();
    const refused = async (text: string, fields = {}) => {
      await rig.say(text, fields);
      return lastReply(rig);
    };
    expect(await refused('/steer Gently.', { senderId: 'ou_2' })).toMatchObject({ ok: false });
    expect(await refused('/steer')).toMatchObject({ ok: false });
    const early = new Date(Date.parse(run.createdAt) - 1000).toISOString();
    expect(await refused('/steer Early.', { receivedAt: early })).toMatchObject({ ok: false });
    const [approval] = await openApprovals(rig.ports, run.id);
    await rig.say({ type: 'answer', approvalId: approval?.id ?? '', approved: true });
    expect(await refused('/steer Late.')).toMatchObject({ ok: false });
    expect(await messagesToRun(rig.ports.records, run)).toEqual([]);
  });
});
