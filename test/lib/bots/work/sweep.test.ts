import { describe, expect, it } from '@jest/globals';
import { answerOverApi } from '../../../../lib/agent/start/answer.ts';
import { callBotWorker, holdChat, requestWork } from '../../../../lib/bots/work/chat-lease.ts';
import { sweepChats } from '../../../../lib/bots/work/sweep.ts';
import { UpstreamFailed } from '../../../../lib/errors.ts';
import { openApprovals } from '../../../../lib/runs/approvals.ts';
import { sweepRuns } from '../../../../lib/runs/sweep.ts';
import { calls, doIt, inTurn, recordingTool, says } from '../../../support/agent.ts';
import { type BotRig, lastShown, startBotRig } from '../../../support/bots.ts';

const MINUTE = 60_000;
const ID = { platform: 'ima' as const, chatId: 'oc_1' };

async function waiting({ ports }: BotRig): Promise<number> {
  return (await ports.botQueue.depth()).waiting;
}

async function tick(rig: BotRig, minutes = 1): Promise<void> {
  rig.time.offsetMs += minutes * MINUTE;
  await sweepRuns(rig.ports);
  await sweepChats(rig.ports);
  await rig.settle();
}

describe('scheduler tick', () => {
  it('calls no worker for a chat without work', async () => {
    const rig = await startBotRig();
    await rig.say('Hi');
    await rig.say('/status');
    rig.time.offsetMs = 10 * MINUTE;
    await sweepChats(rig.ports);
    expect(await waiting(rig)).toBe(0);
  });

  it('calls a worker for a chat whose worker is silent, but not while the worker sends heartbeats', async () => {
    const rig = await startBotRig();
    await requestWork(rig.ports, ID);
    await holdChat(rig.ports, ID); // and never responds again
    await rig.settle();
    await sweepChats(rig.ports);
    expect(await waiting(rig)).toBe(0);
    rig.time.offsetMs = MINUTE;
    await sweepChats(rig.ports);
    await sweepChats(rig.ports); // two concurrent ticks
    expect(await waiting(rig)).toBe(1);
  });

  it('skips a chat that waits for a person, until the approval has expired', async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Without it.'));
    await rig.say('Launch it');
    for (let minutes = 0; minutes < 3; minutes++) {
      rig.time.offsetMs += 2 * MINUTE;
      await sweepChats(rig.ports);
      expect(await waiting(rig)).toBe(0);
    }
    await tick(rig, 24 * 60);
    await tick(rig, 2);
    await tick(rig, 2);
    expect(launch.inputs).toEqual([]);
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final', text: 'Without it.' }]);
  });

  it('shows an approval that was given elsewhere, and the result', async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
    await rig.say('Launch it');
    const { activeRun } = await rig.chat();
    const [approval] = await openApprovals(rig.ports, activeRun?.runId ?? '');
    // Simulates a worker that was killed after the answer, before it called another worker.
    const run = await rig.find(activeRun?.runId ?? '');
    await answerOverApi(rig.ports, run.caller, run, approval?.id ?? '', { approved: true });
    await tick(rig, 2);
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final', text: 'Launched.' }]);
  });
});

describe('unreachable platform', () => {
  it('gets the approval request later, which counts as sent only then', async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
    rig.wecom.broken.send = new UpstreamFailed('upstream_failed', 'platform b is away');
    const lisa = { platform: 'imb' as const, chatId: 'lisa', senderId: 'lisa' };
    await rig.say('Launch it', lisa);
    await tick(rig, 2);
    expect(rig.wecom.sent).toEqual([]);
    rig.wecom.broken.send = undefined;
    await tick(rig, 2);
    await tick(rig, 2);
    expect(lastShown(rig.wecom)).toMatchObject([{ kind: 'progress', approvals: [{ toolName: 'launch' }] }]);
    await rig.say('/approve', lisa);
    expect(launch.inputs).toHaveLength(1);
  });

  it("gets the approval request of a run's card in a separate message", async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
    rig.feishu.broken.change = new UpstreamFailed('upstream_failed', 'withdrawn');
    await rig.say('Launch it');
    expect(rig.feishu.sent.map(({ content }) => content)).toMatchObject([
      { kind: 'progress', approvals: [] },
      { kind: 'progress', approvals: [{ toolName: 'launch' }] },
    ]);
  });

  it('gets the answer once later, before the answer to the next message', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('First.'), says('Second.'));
    rig.wecom.broken.send = new UpstreamFailed('upstream_failed', 'platform b is away');
    const lisa = { platform: 'imb' as const, chatId: 'lisa', senderId: 'lisa' };
    await rig.say('One', lisa);
    await rig.say('Two', lisa);
    expect(rig.wecom.sent).toEqual([]);
    await tick(rig, 2);
    rig.wecom.broken.send = undefined;
    await tick(rig, 2);
    expect(lastShown(rig.wecom)).toMatchObject([{ text: 'First.' }, { text: 'Second.' }]);
    expect(rig.model.requests).toHaveLength(2);
  });

  it('gets the answer when this process knows it', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('First.'));
    const { platforms } = rig.ports;
    rig.ports.platforms = {};
    await rig.say('One');
    await tick(rig, 2);
    rig.ports.platforms = platforms;
    await tick(rig, 2);
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final', text: 'First.' }]);
  });

  it('does not block the chat forever', async () => {
    const rig = await startBotRig();
    rig.wecom.broken.send = new UpstreamFailed('upstream_failed', 'the bot is not in the chat');
    const lisa = { platform: 'imb' as const, chatId: 'lisa', senderId: 'lisa' };
    await rig.say('One', lisa);
    for (let minutes = 0; minutes < 30; minutes++) await tick(rig, 2);
    expect(await rig.chat(lisa)).toMatchObject({ activeRun: null });
  });

  it('gets no reply to a command, and the missing reply blocks nothing', async () => {
    const rig = await startBotRig();
    rig.feishu.broken.send = new UpstreamFailed('upstream_failed', 'platform a is away');
    await rig.say('/mode ask');
    expect(await rig.chat()).toMatchObject({ mode: 'ask' });
    expect((await rig.ports.botQueue.depth()).inFlight).toBe(0);
  });
});

describe('chat lease', () => {
  it('belongs to one worker at a time', async () => {
    const { ports } = await startBotRig();
    await requestWork(ports, ID);
    const taken = await Promise.all(Array.from({ length: 8 }, () => holdChat(ports, ID)));
    expect(taken.filter((turn) => turn !== undefined)).toHaveLength(1);
  });

  it('is kept if a message arrived after the check', async () => {
    const { ports } = await startBotRig();
    await requestWork(ports, ID);
    const turn = await holdChat(ports, ID);
    const wanted = (await turn?.seen()) ?? 0;
    await requestWork(ports, ID);
    expect(await turn?.end(wanted)).toBe(false);
    expect(await turn?.end(wanted + 1)).toBe(true);
    expect(await turn?.seen()).toBeUndefined();
  });

  it('calls a worker on its release for messages that arrived in the meantime, and for nothing else', async () => {
    const rig = await startBotRig();
    await requestWork(rig.ports, ID);
    const [message] = await rig.ports.botQueue.receive({ max: 1 });
    await rig.ports.botQueue.delete([message?.receipt ?? '']);
    const turn = await holdChat(rig.ports, ID);
    const wanted = (await turn?.seen()) ?? 0;
    await turn?.release(wanted);
    expect(await waiting(rig)).toBe(0);
    const again = await holdChat(rig.ports, ID);
    await requestWork(rig.ports, ID); // calls no worker, because one is active
    expect(await waiting(rig)).toBe(0);
    await again?.release(wanted);
    expect(await waiting(rig)).toBe(1);
  });

  it("can't be ended or released by its former holder", async () => {
    const rig = await startBotRig();
    await requestWork(rig.ports, ID);
    const first = await holdChat(rig.ports, ID);
    rig.time.offsetMs = MINUTE;
    const second = await holdChat(rig.ports, ID);
    expect(second).toBeDefined();
    expect(await first?.seen()).toBeUndefined();
    expect(await first?.end(1)).toBe(false);
    await first?.release(1);
    expect(await second?.seen()).toBe(1);
  });

  it('has no owner for a chat without work', async () => {
    const rig = await startBotRig();
    await callBotWorker(rig.ports, ID);
    await rig.settle();
    expect(await holdChat(rig.ports, ID)).toBeUndefined();
  });
});
