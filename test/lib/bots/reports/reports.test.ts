import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Member } from '../../../../lib/access/members.ts';
import { feishuChatPlatform } from '../../../../lib/adapters/feishu/chat-platform.ts';
import { feishuClient } from '../../../../lib/adapters/feishu/client.ts';
import { wecomChatPlatform } from '../../../../lib/adapters/wecom/chat-platform.ts';
import { callerOfMessage } from '../../../../lib/bots/caller.ts';
import type { BotPorts } from '../../../../lib/bots/ports.ts';
import { chatReports, reportsOf } from '../../../../lib/bots/schema.ts';
import { workspaceAt } from '../../../../lib/bots/work/directory.ts';
import { handleBotMessage } from '../../../../lib/bots/work/handle-bot-message.ts';
import { sweepChats } from '../../../../lib/bots/work/sweep.ts';
import { TooManyRequests, UpstreamFailed } from '../../../../lib/errors.ts';
import type { BotContent } from '../../../../lib/ports/chat-platform.ts';
import { runs } from '../../../../lib/runs/schema.ts';
import { sweepRuns } from '../../../../lib/runs/sweep.ts';
import { workspaces } from '../../../../lib/workspaces/schema.ts';
import { calls, doIt, inTurn, recordingTool, says } from '../../../support/agent.ts';
import { type BotRig, lastShown, personMessage, startBotRig } from '../../../support/bots.ts';
import { startFakeFeishu } from '../../../support/fakes/fake-feishu.ts';
import { startFakeWecom } from '../../../support/fakes/fake-wecom.ts';
import { WECOM_KEYS } from '../../../support/fakes/wecom-callbacks.ts';
import { whenDone } from '../../../support/temp-folder.ts';

const MINUTE = 60_000;
const LISA = { platform: 'imb' as const, chatId: 'lisa', senderId: 'lisa' };
const TEXT = 'Owls hunt at night in 12 forests.\n';
const BEGUN =
  'The report has started (quick: at most 30 model calls). I send it here as a file when it is done. /research shows its progress, /stop stops it.';

async function startRig(): Promise<BotRig> {
  const rig = await startBotRig();
  await addFile(rig, 'owls.md', TEXT);
  return rig;
}

async function addFile(rig: BotRig, path: string, text: string): Promise<void> {
  const caller = callerOfMessage({ platform: 'ima', senderId: 'ou_1' });
  await rig.files.add(await workspaceAt(rig.ports, caller, rig.root), path, text);
}

async function letIn(rig: BotRig, path: string, member: Member): Promise<void> {
  const workspace = await workspaceAt(
    rig.ports,
    callerOfMessage({ platform: 'ima', senderId: 'ou_1' }),
    path,
  );
  await workspaces.update(rig.ports.records, workspace, { set: { members: [member] } });
}

/** Runs the scheduler tick, and returns its results. */
async function tick(rig: BotRig): Promise<void> {
  rig.time.offsetMs += MINUTE;
  await sweepRuns(rig.ports);
  await sweepChats(rig.ports);
  await rig.settle();
}

/** A model that answers when it is released. */
function hold(rig: BotRig): () => void {
  const gate = Promise.withResolvers<void>();
  rig.research.before = gate.promise;
  return () => gate.resolve();
}

const textsOf = (shown: BotContent[]) => shown.map((content) => ('text' in content ? content.text : ''));

async function runIdOf(rig: BotRig, chat = { platform: 'ima' as 'ima' | 'imb', chatId: 'oc_1' }) {
  const { items } = await chatReports.list(rig.ports.records, reportsOf(chat));
  return items[0]?.runId ?? '';
}

describe('/research', () => {
  it('starts a report, and sends its summary as a message and the whole report as a file', async () => {
    const rig = await startRig();
    await rig.say('/research When do owls hunt?');
    expect(lastShown(rig.feishu)).toEqual([{ kind: 'command', command: 'research', ok: true, text: BEGUN }]);
    await tick(rig);
    const [, end] = lastShown(rig.feishu);
    expect(end).toMatchObject({ kind: 'command', ok: true });
    expect(textsOf([end as BotContent])[0]).toBe(
      [
        '**When do owls hunt?**',
        TEXT.trim(),
        '2 sentences written: 2 supported, 0 flagged, 0 dropped.',
        'The report is in the file When do owls hunt.docx and in a note of the workspace.',
      ].join('\n\n'),
    );
    const [file] = rig.feishu.sentFiles;
    expect(file).toMatchObject({ chatId: 'oc_1', name: 'When do owls hunt.docx' });
    expect(
      Buffer.from(file?.bytes ?? [])
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    for (let times = 0; times < 3; times++) await tick(rig);
    expect(rig.feishu.sent).toHaveLength(2);
    expect(rig.feishu.sentFiles).toHaveLength(1);
  });

  it('keeps the chat usable, blocks no worker, and shows its progress in the card', async () => {
    const rig = await startRig();
    const open = hold(rig);
    await rig.send('/research deep When do owls hunt?');
    await rig.settleUntil(async () => (await runIdOf(rig)) !== '' && rig.research.prompts.length === 1);
    rig.model.answer = inTurn(says('Hello.'));
    await rig.send('Hi');
    await rig.settleUntil(() => rig.feishu.sent.length === 2 && lastShown(rig.feishu)[1]?.kind === 'final');
    rig.time.offsetMs += MINUTE;
    await sweepChats(rig.ports);
    await rig.settleUntil(() => rig.feishu.changes.some(({ content }) => content.kind === 'command'));
    expect(textsOf(lastShown(rig.feishu))[0]).toBe('⏳ Planning');
    open();
    await rig.settle();
    await tick(rig);
    expect(rig.feishu.sentFiles).toHaveLength(1);
  });

  it("sends only the start, the plan, and the end if the platform can't update messages", async () => {
    const rig = await startRig();
    let open = () => {};
    rig.research.script = ({ step }) => {
      if (step === 'plan') open = hold(rig);
      return undefined;
    };
    await rig.send('/research When do owls hunt?', LISA);
    await rig.settleUntil(() => rig.research.prompts.length === 2);
    const look = () => {
      rig.time.offsetMs += MINUTE;
      return sweepChats(rig.ports);
    };
    // The plan is stored a moment after the request for the next step.
    await rig.settleUntil(async () => {
      await look();
      return rig.wecom.sent.length === 2;
    });
    for (let times = 0; times < 3; times++) {
      await look();
      await rig.settleUntil(() => rig.wecom.sent.length === 2);
    }
    open();
    await rig.settle();
    await tick(rig);
    expect(textsOf(lastShown(rig.wecom))).toEqual([
      BEGUN,
      '⏳ Questions of the report:\n- When do owls hunt?',
      expect.stringContaining('2 supported'),
    ]);
    expect(rig.wecom.sentFiles).toHaveLength(1);
  });

  it('shows its usage and the running reports without a question', async () => {
    const rig = await startRig();
    await rig.say('/research');
    expect(textsOf(lastShown(rig.feishu))[0]).toMatch(
      /^\*\*\/research\*\* \[quick.*\n\nNo reports are in progress here\.$/s,
    );
    const open = hold(rig);
    await rig.send('/research quick When do owls hunt?');
    await rig.settleUntil(() => rig.research.prompts.length === 1);
    await rig.send('/research');
    await rig.settleUntil(() => rig.feishu.sent.length === 3);
    expect(textsOf(lastShown(rig.feishu))[2]).toMatch(/\n\n1\. When do owls hunt\?\n⏳ Planning$/);
    open();
    await rig.settle();
  });

  it.each([
    [
      'a question of over 2,000 characters',
      `/research ${'o'.repeat(2001)}`,
      'question can have at most 2000 characters.',
    ],
    ['/stop without a running report', '/stop', 'Nothing is in progress here.'],
    ['/stop with an unknown number', '/stop 1', 'number must be one of those that /research lists.'],
    [
      "/stop with something that isn't a number",
      '/stop all',
      'number must be one of those that /research lists.',
    ],
  ])('rejects %s', async (_what, words, text) => {
    const rig = await startRig();
    await rig.say(words);
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'command', ok: false, text }]);
    expect(await runIdOf(rig)).toBe('');
  });

  it('rejects a fourth concurrent report', async () => {
    const rig = await startRig();
    const open = hold(rig);
    for (let at = 0; at < 4; at++) await rig.send(`/research quick Question ${at}?`);
    await rig.settleUntil(() => rig.feishu.sent.length === 4);
    expect(textsOf(lastShown(rig.feishu))[3]).toMatch(
      /^3 reports are already in progress here\. Wait for one, or stop one/,
    );
    open();
    await rig.settle();
  });

  it('rejects a user with read-only access, and leaves nothing behind', async () => {
    const rig = await startRig();
    await rig.say('/workspace project');
    await letIn(rig, join(rig.root, 'project'), { subject: 'ima:ou_1', role: 'viewer' });
    await rig.say('/research When do owls hunt?');
    expect(lastShown(rig.feishu)[1]).toMatchObject({ ok: false, text: expect.stringMatching(/member/) });
    expect(await runIdOf(rig)).toBe('');
    await tick(rig);
    expect(rig.feishu.sent).toHaveLength(2);
  });

  it('sends nothing to a user who was removed in the meantime', async () => {
    const rig = await startRig();
    await rig.say('/research When do owls hunt?');
    await letIn(rig, rig.root, { subject: 'somebody', role: 'admin' });
    await tick(rig);
    expect(rig.feishu.sentFiles).toEqual([]);
    expect(textsOf(lastShown(rig.feishu))[1]).toMatch(/^You aren't a member of this workspace\./);
    expect(await runIdOf(rig)).toBe('');
  });

  it('returns the same report for a redelivered message', async () => {
    const rig = await startRig();
    const message = await rig.say('/research When do owls hunt?');
    await tick(rig);
    await rig.handle(message);
    await tick(rig);
    expect([rig.feishu.sent.length, rig.feishu.sentFiles.length]).toEqual([2, 1]);
  });
});

describe('/stop', () => {
  it('stops the report, and confirms it', async () => {
    const rig = await startRig();
    hold(rig);
    await rig.send('/research When do owls hunt?');
    await rig.settleUntil(() => rig.research.prompts.length === 1);
    const runId = await runIdOf(rig);
    rig.time.offsetMs += 1000;
    await rig.send('/stop 1', { receivedAt: new Date(rig.ports.clock.now()).toISOString() });
    await rig.settleUntil(async () => (await rig.find(runId)).status === 'stopped');
    await tick(rig);
    expect(textsOf(lastShown(rig.feishu)).slice(1)).toEqual(['Stopped.', 'The report was stopped.']);
    expect(rig.feishu.sentFiles).toEqual([]);
  });

  it('stops a report whose run is just starting, without a model call', async () => {
    const rig = await startRig();
    const gate = Promise.withResolvers<void>();
    const openModel: BotPorts['openModel'] = (use) => ({
      ...rig.ports.openModel(use),
      admit: () => gate.promise.then(() => undefined),
    });
    const asked = handleBotMessage(
      { ...rig.ports, openModel },
      personMessage('/research When do owls hunt?'),
      MINUTE,
    );
    await rig.settleUntil(async () => (await runIdOf(rig)) !== '');
    const runId = await runIdOf(rig);
    await rig.handle(personMessage('/stop'));
    gate.resolve();
    await asked;
    await tick(rig);
    expect(await rig.find(runId)).toMatchObject({ status: 'stopped' });
    const said = rig.feishu.sent.flatMap(({ content }) => ('text' in content ? [content.text] : []));
    expect(said).toEqual(expect.arrayContaining(['Stopped.', 'The report was stopped.']));
    expect([rig.research.prompts.length, await runIdOf(rig)]).toEqual([0, '']);
  });

  it("stops the other reports if a user can't see one of them, as /research lists them", async () => {
    const rig = await startRig();
    await mkdir(join(rig.root, 'other'));
    const open = hold(rig);
    const bob = { senderId: 'ou_2' };
    await rig.say('/workspace project');
    await rig.send('/research When do owls hunt?');
    await rig.settleUntil(() => rig.research.prompts.length === 1);
    const first = await runIdOf(rig);
    await letIn(rig, join(rig.root, 'project'), { subject: 'ima:ou_1', role: 'member' });
    await rig.send('/workspace other', bob);
    await rig.send('/research Where do owls hunt?', bob);
    await rig.settleUntil(() => rig.research.prompts.length === 2);
    const lastText = () => textsOf(lastShown(rig.feishu)).at(-1) ?? '';
    await rig.send('/research', bob);
    await rig.settleUntil(() => /\n2\. /.test(lastText()));
    expect(lastText()).toMatch(/\n1\. You aren't a member of this workspace\..*\n2\. Where do owls hunt\?/);
    const now = () => ({ ...bob, receivedAt: new Date(rig.ports.clock.now()).toISOString() });
    rig.time.offsetMs += 1000;
    await rig.send('/stop', now());
    await rig.settleUntil(() => lastText() === 'Stopped.');
    expect(await rig.find(first)).toMatchObject({ stopRequested: false });
    await rig.send('/stop 1', now());
    await rig.settleUntil(() => /^You aren't a member of this workspace\./.test(lastText()));
    open();
    await rig.settle();
  });

  it('stops the answer that waits for a person, and no run that started after it', async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
    await rig.say('Launch it');
    const early = { receivedAt: new Date(rig.ports.clock.now() - MINUTE).toISOString() };
    await rig.say('/stop', early);
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({ ok: false, text: 'Nothing is in progress here.' });
    await rig.say('/stop');
    expect(lastShown(rig.feishu)[0]).toEqual({ kind: 'error', text: 'The run was stopped.' });
    expect(await rig.chat()).toMatchObject({ activeRun: null });
    expect(launch.inputs).toEqual([]);
  });
});

describe('bot report', () => {
  it('is uploaded to each platform, and then sent as a message of type file', async () => {
    const rig = await startRig();
    const [feishu, wecom] = await Promise.all([startFakeFeishu(), startFakeWecom()]);
    whenDone(() => feishu.stop());
    const { url: baseUrl, appId, appSecret } = feishu;
    const app = {
      baseUrl: wecom.url,
      corpId: WECOM_KEYS.corpId,
      corpSecret: wecom.corpSecret,
      agentId: '218',
    };
    rig.ports.platforms = {
      ima: feishuChatPlatform(feishuClient({ baseUrl, appId, appSecret })),
      imb: wecomChatPlatform(app, { ...rig.ports, handOver: async () => false }),
    };
    await rig.say('/research When do owls hunt?');
    await rig.say('/research 猫头鹰什么时候捕猎？', LISA);
    await tick(rig);
    const [card, end, file] = feishu.messages;
    expect(card?.states.map(({ header }) => header.title.content)).toEqual(['✅ /research']);
    expect(JSON.stringify(end?.card)).toContain('2 supported');
    expect(file?.file).toMatchObject({ name: 'When do owls hunt.docx', text: expect.stringMatching(/^PK/) });
    expect(wecom.shown.map(({ to }) => to)).toEqual(['lisa', 'lisa']);
    expect(wecom.files).toMatchObject([{ to: 'lisa', name: expect.stringMatching(/^猫头鹰.*\.docx$/) }]);
  });

  it('has a readable name, whatever bidi characters its title has', async () => {
    const rig = await startRig();
    await rig.say('/research When do \u202eowls\u202c hunt\u200f at\u2066 night?');
    await tick(rig);
    expect(rig.feishu.sentFiles.map(({ name }) => name)).toEqual(['When do owls hunt at night.docx']);
  });

  it('reports why its run failed', async () => {
    const rig = await startRig();
    await rig.say('/research When do owls hunt?');
    const runId = await runIdOf(rig);
    await runs.update(
      rig.ports.records,
      { id: runId },
      { set: { status: 'failed', error: 'no such model' } },
    );
    await tick(rig);
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({ ok: false, text: 'no such model' });
  });

  it('is named instead of sent if it is too large for the platform', async () => {
    const rig = await startRig();
    const port = rig.ports.platforms.ima;
    if (port !== undefined) port.maxFileBytes = 100;
    await rig.say('/research When do owls hunt?');
    await tick(rig);
    expect(rig.feishu.sentFiles).toEqual([]);
    expect(textsOf(lastShown(rig.feishu))[1]).toMatch(
      /too large to send as a file here\. Download it with GET \/api\/research\/.*docx/,
    );
  });

  it("is sent once later if the platform doesn't accept it now", async () => {
    const rig = await startRig();
    rig.feishu.broken.sendFile = new TooManyRequests('rate_limited', 'slow down', 60);
    await rig.say('/research When do owls hunt?');
    await tick(rig);
    await tick(rig);
    rig.feishu.broken.sendFile = undefined;
    await tick(rig);
    await tick(rig);
    expect([rig.feishu.sent.length, rig.feishu.sentFiles.length]).toEqual([2, 1]);
  });

  it("is delivered even if its progress couldn't be shown", async () => {
    const rig = await startRig();
    const open = hold(rig);
    await rig.send('/research When do owls hunt?');
    await rig.settleUntil(() => rig.research.prompts.length === 1);
    rig.feishu.broken.change = new UpstreamFailed('upstream_failed', 'the message was recalled');
    const follow = {
      kind: 'follow' as const,
      platform: 'ima' as const,
      chatId: 'oc_1',
      runId: await runIdOf(rig),
    };
    for (let looks = 0; looks < 22; looks++) await rig.handle(follow);
    open();
    await rig.settle();
    await tick(rig);
    expect(rig.feishu.sentFiles).toHaveLength(1);
  });

  it('moves to the dead-letter queue if the platform never accepts it', async () => {
    const rig = await startRig();
    rig.wecom.broken.sendFile = new UpstreamFailed('upstream_failed', 'the scope is missing');
    await rig.say('/research When do owls hunt?', LISA);
    for (let minutes = 0; minutes < 22; minutes++) await tick(rig);
    expect(textsOf(lastShown(rig.wecom)).at(-1)).toMatch(
      /^The report couldn't be sent here\. Download it with GET/,
    );
    expect(await runIdOf(rig, LISA)).toBe('');
  });
});
