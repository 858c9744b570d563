import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AUDIT, auditEntries } from '../../../lib/audit/schema.ts';
import { callerOfMessage } from '../../../lib/bots/caller.ts';
import { jsonBytes } from '../../../lib/bots/chats.ts';
import { countInbox, MAX_WAITING } from '../../../lib/bots/inbox/inbox.ts';
import { type HistoryMessage, inbox, marks } from '../../../lib/bots/schema.ts';
import { fitHistory } from '../../../lib/bots/work/chat-memory.ts';
import { handleBotMessage } from '../../../lib/bots/work/handle-bot-message.ts';
import { UpstreamFailed } from '../../../lib/errors.ts';
import type { ModelRequest } from '../../../lib/ports/language-model.ts';
import { openApprovals } from '../../../lib/runs/approvals.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { calls, doIt, finish, inTurn, readTextTool, recordingTool, says } from '../../support/agent.ts';
import { lastShown, MOST_SHOWN, personMessage, startBotRig } from '../../support/bots.ts';

function asked({ messages }: ModelRequest): string[] {
  return messages.map(({ role, content }) => `${role}: ${content}`);
}

describe('message to the bot', () => {
  it('is answered by an agent run, in the card that shows its progress', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Forty', '-two.'));
    const { messageId } = await rig.say('What is the answer?');
    expect(rig.feishu.sent).toHaveLength(1);
    expect(rig.feishu.sent[0]).toMatchObject({
      chatId: 'oc_1',
      replyTo: messageId,
      content: { kind: 'progress' },
    });
    expect(lastShown(rig.feishu)).toEqual([
      {
        ...{ kind: 'final', calls: [], text: 'Forty-two.', workspace: rig.root, notices: [] },
        seconds: expect.any(Number),
      },
    ]);
    expect((await rig.chat()).activeRun).toBeNull();
    expect(await rig.remembered()).toEqual([
      { role: 'user', text: 'What is the answer?' },
      { role: 'assistant', text: 'Forty-two.' },
    ]);
  });

  it.each([
    ['length', 'Half', 'Half', '模型已达到输出上限，内容没有写完。'],
    ['repeats', 'Again', 'Again', '模型不断重复，因此已停止。'],
    ['stop', '', '模型没有给出回答。请重新提问或更换模型。', undefined],
  ] as const)('is answered with the reason of its end, after %s', async (reason, said, text, notice) => {
    const rig = await startBotRig();
    rig.model.answer = inTurn([...says(said).slice(0, -1), finish(reason)]);
    await rig.say('答案是什么？');
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final', text, notices: notice ? [notice] : [] }]);
    expect(await rig.remembered()).toHaveLength(2);
  });

  it("is answered with the sources, whose numbers the next run doesn't see", async () => {
    const rig = await startBotRig([readTextTool]);
    await writeFile(join(rig.root, 'owls.md'), '# Owls\n\nOwls hunt by night.\n');
    const read = calls({ name: 'readFile', input: { path: 'owls.md' } });
    rig.model.answer = inTurn(read, says('Owls hunt by night [1].'), read, says('猫头鹰在夜间捕猎 [1]。'));
    await rig.say('When?');
    expect(lastShown(rig.feishu)).toMatchObject([
      { text: 'Owls hunt by night [1].\n\nSources:\n[1] `owls.md`, line 3 (facts found)' },
    ]);
    await rig.say('什么时候？');
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({
      text: expect.stringMatching(
        /^猫头鹰在夜间捕猎 \[1\]。\n\n来源：\n\[1\] `owls\.md`，第 .* 行（未找到引文）$/,
      ),
    });
    expect(asked(rig.model.requests.at(-1) as ModelRequest)).toContain('assistant: Owls hunt by night.');
  });

  it("is answered by one message if the platform can't update messages", async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Hello.'));
    await rig.say('Hi', { platform: 'imb', chatId: 'lisa', senderId: 'lisa' });
    expect(lastShown(rig.wecom)).toMatchObject([{ kind: 'final', text: 'Hello.' }]);
    expect(rig.feishu.sent).toEqual([]);
  });

  it('is sent with the earlier conversation to the model, separately per chat', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('One.'), says('Two.'), says('Other.'));
    await rig.say('First');
    await rig.say('Second');
    await rig.say('Elsewhere', { chatId: 'oc_2' });
    expect(rig.model.requests.map(asked)).toEqual([
      ['user: First'],
      ['user: First', 'assistant: One.', 'user: Second'],
      ['user: Elsewhere'],
    ]);
  });

  it('shows its tool calls, and reports failed ones', async () => {
    const good = recordingTool('look', { inEveryMode: true });
    const rig = await startBotRig([good.tool]);
    rig.model.answer = inTurn(
      calls({ name: 'look', input: { value: 'here' } }, { name: 'nothing', input: { value: 'x' } }),
      says('Seen.'),
    );
    await rig.say('Look');
    expect(lastShown(rig.feishu)).toMatchObject([
      {
        kind: 'final',
        text: 'Seen.',
        calls: [
          { toolName: 'look', summary: 'here', status: 'done' },
          { toolName: 'nothing', summary: 'x', status: 'failed' },
        ],
      },
    ]);
  });

  it("gets an error if the model can't answer, and is not stored", async () => {
    const rig = await startBotRig();
    rig.model.answer = () => {
      throw new Error('secret detail');
    };
    await rig.say('Hi');
    expect(lastShown(rig.feishu)).toEqual([
      { kind: 'error', text: 'Something went wrong in the service. Try again.' },
    ]);
    expect(await rig.chat()).toMatchObject({ activeRun: null });
    expect(await rig.remembered()).toEqual([]);
  });

  it('is answered even if no card can be shown, or in a new message if the card was deleted', async () => {
    const rig = await startBotRig();
    rig.feishu.broken.change = new Error('withdrawn');
    rig.model.answer = inTurn(says('Here.'));
    await rig.say('Hi');
    expect(rig.feishu.sent.map(({ content }) => content.kind)).toEqual(['progress', 'final']);
  });
});

describe('bot conversation', () => {
  it('drops its oldest messages if it is long, and still starts with a person', () => {
    const turn = (index: number) => [
      { role: 'user' as const, text: `q${index}` },
      { role: 'assistant' as const, text: `a${index}` },
    ];
    const all = Array.from({ length: 40 }, (_, index) => turn(index)).flat();
    const kept = fitHistory(all);
    expect(kept).toHaveLength(50);
    expect(kept.at(-1)).toEqual({ role: 'assistant', text: 'a39' });
    const odd = fitHistory([...kept, { role: 'user', text: 'one more' }]);
    expect(odd[0]?.role).toBe('user');
  });

  it.each([
    ['plain', 'x'.repeat(40_000)],
    ['of three bytes per character', '字'.repeat(13_000)],
    ['that JSON escapes', '\u0001'.repeat(6_000)],
    ['in unpaired surrogates', '\ud800'.repeat(6_000)],
  ])('fits into its record with long texts, %s', (_what, text) => {
    let history: HistoryMessage[] = [];
    for (let turn = 0; turn < 5; turn++)
      history = fitHistory([...history, { role: 'user', text }, { role: 'assistant', text }]);
    expect(history.length).toBeGreaterThan(0);
    expect(jsonBytes(history)).toBeLessThanOrEqual(120_000);
  });

  it('starts again if its last answer alone is too long', () => {
    const text = 'x'.repeat(130_000);
    const said = fitHistory([
      { role: 'user', text: 'q' },
      { role: 'assistant', text },
    ]);
    expect(said).toEqual([]);
  });
});

describe('tool that the model invents', () => {
  it('is shown without its name, which could mention people', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(calls({ name: '<at id=all></at>' }), says('No such tool.'));
    await rig.say('Hi');
    expect(lastShown(rig.feishu)).toMatchObject([
      { kind: 'final', calls: [{ toolName: 'unknown tool', status: 'failed' }] },
    ]);
  });
});

describe('messages during a run', () => {
  it('are rejected if too many wait, and wait if they are redelivered', async () => {
    const rig = await startBotRig();
    const waiting = Array.from({ length: MAX_WAITING }, (_, index) => personMessage(`Message ${index}`));
    for (const message of waiting) await inbox.create(rig.ports.records, message);
    await handleBotMessage(rig.ports, personMessage('One more'), 60_000);
    expect(lastShown(rig.feishu)).toMatchObject([
      {
        kind: 'error',
        text: expect.stringContaining('50 messages are already queued here. Send this one again later.'),
      },
    ]);
    const [first] = waiting;
    await handleBotMessage(rig.ports, first ?? personMessage(''), 60_000);
    expect(rig.feishu.sent).toHaveLength(1);
    expect(await countInbox(rig.ports, { platform: 'ima', chatId: 'oc_1' })).toBe(MAX_WAITING);
  });

  it("don't wait forever after a message that can't be read", async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Hello.'));
    const { kind, ...unreadable } = personMessage('From a later release');
    await rig.ports.records.put({ key: inbox.key(unreadable), value: { kind, later: true } });
    await rig.say('Hi');
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final', text: 'Hello.' }]);
  });

  it('wait in order, while commands are answered', async () => {
    const rig = await startBotRig();
    const gate = Promise.withResolvers<void>();
    rig.model.answer = async function* () {
      await gate.promise;
      yield* says(`Answer ${rig.model.requests.length}.`);
    };
    await rig.send('one');
    await rig.settleUntil(() => rig.model.requests.length === 1);
    await rig.send('two');
    await rig.send('three');
    await rig.send('/status');
    const status = () => rig.feishu.sent.find(({ content }) => content.kind === 'command')?.content;
    await rig.settleUntil(() => status() !== undefined);
    expect(status()).toMatchObject({
      ok: true,
      text: expect.stringContaining('**Processing**: Yes, 2 more'),
    });
    expect(rig.model.requests).toHaveLength(1);
    gate.resolve();
    await rig.settle();
    expect((await rig.remembered()).map(({ text }) => text)).toEqual([
      'one',
      'Answer 1.',
      'two',
      'Answer 2.',
      'three',
      'Answer 3.',
    ]);
    expect(rig.feishu.sent.filter(({ content }) => content.kind === 'progress')).toHaveLength(3);
  });

  it("don't wait for the messages of another chat", async () => {
    const rig = await startBotRig();
    const gate = Promise.withResolvers<void>();
    rig.model.answer = async function* ({ messages }) {
      if (messages[0]?.content === 'slow') await gate.promise;
      yield* says('Answered.');
    };
    await rig.send('slow');
    await rig.send('quick', { chatId: 'oc_2' });
    await rig.settleUntil(() => lastShown(rig.feishu).some(({ kind }) => kind === 'final'));
    expect((await rig.chat()).activeRun).not.toBeNull();
    gate.resolve();
    await rig.settle();
  });

  it('are forgotten by /clear, including the current answer', async () => {
    const rig = await startBotRig();
    const gate = Promise.withResolvers<void>();
    rig.model.answer = async function* () {
      await gate.promise;
      yield* says('Late.');
    };
    await rig.send('one');
    await rig.settleUntil(() => rig.model.requests.length === 1);
    await rig.send('/clear');
    await rig.settleUntil(() => rig.feishu.sent.some(({ content }) => content.kind === 'command'));
    gate.resolve();
    await rig.settle();
    expect(lastShown(rig.feishu)).toContainEqual(expect.objectContaining({ kind: 'final', text: 'Late.' }));
    expect(await rig.remembered()).toEqual([]);
  });
});

describe('worker that has little time left', () => {
  it('leaves the message to another worker', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Here.'));
    const message = await rig.send('Hi');
    const [received] = await rig.ports.botQueue.receive({ max: 1 });
    await rig.ports.botQueue.delete([received?.receipt ?? '']);
    await rig.handle(message);
    await handleBotMessage(rig.ports, { ...message, kind: 'follow' }, 60_000);
    expect(rig.model.requests).toEqual([]);
    await rig.settle();
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final', text: 'Here.' }]);
  });
});

describe('approval in a chat', () => {
  async function askedRig(fields = {}) {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    rig.model.answer = inTurn(calls({ name: 'launch', input: { value: 'rocket' } }), says('Launched.'));
    await rig.say('Launch it', fields);
    const { activeRun } = await rig.chat(fields);
    const [approval] = await openApprovals(rig.ports, activeRun?.runId ?? '');
    if (approval === undefined) throw new Error('nothing waits');
    return { rig, launch, approvalId: approval.id };
  }

  it('is on the card, and its button resumes the run', async () => {
    const { rig, launch, approvalId } = await askedRig();
    expect(lastShown(rig.feishu)).toMatchObject([
      { kind: 'progress', approvals: [{ id: approvalId, toolName: 'launch', summary: 'Do rocket' }] },
    ]);
    expect(launch.inputs).toEqual([]);
    await rig.say({ type: 'answer', approvalId, approved: true });
    expect(launch.inputs).toEqual([{ value: 'rocket', rounds: 1 }]);
    expect(lastShown(rig.feishu)).toMatchObject([
      { kind: 'final', text: 'Launched.', calls: [{ toolName: 'launch', status: 'done' }] },
      { kind: 'command', command: 'approve', ok: true, text: 'Approved: Do rocket' },
    ]);
  });

  it('is logged, and rejected from a user who no longer has access to the workspace', async () => {
    const { rig, launch, approvalId } = await askedRig();
    const { records } = rig.ports;
    const { id } = (await workspaces.list(records, { partition: 'WORKSPACE' })).items[0] ?? { id: '' };
    const listed = (members: object[]) => workspaces.update(records, { id }, { set: { members } });
    const person = callerOfMessage({
      platform: 'ima',
      senderId: (await rig.chat()).activeRun?.message.senderId ?? '',
    }).id;
    for (const members of [[{ subject: 'another', role: 'member' }], [{ subject: person, role: 'viewer' }]]) {
      await listed(members);
      await rig.say({ type: 'answer', approvalId, approved: true });
    }
    expect(launch.inputs).toEqual([]);
    await listed([{ subject: person, role: 'member' }]);
    await rig.say({ type: 'answer', approvalId, approved: true });
    expect(launch.inputs).toHaveLength(1);
    const { items } = await auditEntries.list(records, { partition: AUDIT });
    expect(items).toMatchObject([
      { actor: person, action: 'approvals.answer', about: `approved ${approvalId}`, outcome: 'done' },
    ]);
  });

  it('is given by a command if there are no cards', async () => {
    const lisa = { platform: 'imb' as const, chatId: 'lisa', senderId: 'lisa' };
    const { rig, launch } = await askedRig(lisa);
    expect(rig.wecom.sent).toHaveLength(1);
    expect(rig.wecom.sent[0]?.content).toMatchObject({
      kind: 'progress',
      approvals: [{ summary: 'Do rocket' }],
    });
    await rig.say('/approve', lisa);
    expect(launch.inputs).toHaveLength(1);
    expect(lastShown(rig.wecom).map(({ kind }) => kind)).toEqual(['progress', 'command', 'final']);
  });

  describe('with arguments that are too long for the chat', () => {
    const value = 'x'.repeat(MOST_SHOWN);
    const lisa = { platform: 'imb' as const, chatId: 'lisa', senderId: 'lisa' };

    async function askedAtLength(uploads: boolean, fields = {}) {
      const launch = recordingTool('launch', { asks: doIt });
      const rig = await startBotRig([launch.tool]);
      if (!uploads) {
        rig.feishu.broken.sendFile = new UpstreamFailed('upstream_failed', 'no right to upload');
        rig.wecom.broken.sendFile = new UpstreamFailed('upstream_failed', 'no right to upload');
      }
      rig.model.answer = inTurn(calls({ name: 'launch', input: { value } }), says('Launched.'));
      await rig.say('Launch it', fields);
      const { activeRun } = await rig.chat(fields);
      const [approval] = await openApprovals(rig.ports, activeRun?.runId ?? '');
      return { rig, launch, approvalId: approval?.id ?? '' };
    }

    it.each([
      ['a button', {}],
      ['a command', lisa],
    ])('is sent completely as a file, and can then be given by %s', async (how, fields) => {
      const { rig, launch, approvalId } = await askedAtLength(true, fields);
      const { sentFiles, ...shown } = fields === lisa ? rig.wecom : rig.feishu;
      expect(sentFiles).toHaveLength(1);
      expect(JSON.parse(Buffer.from(sentFiles[0]?.bytes ?? '').toString())).toEqual({
        toolName: 'launch',
        summary: `Do ${value}`,
        input: { value, rounds: 1 },
      });
      expect(lastShown({ sentFiles, ...shown })).toMatchObject([
        { approvals: [{ approvable: true, note: `The full text is in the file ${sentFiles[0]?.name}.` }] },
      ]);
      const answer = { type: 'answer' as const, approvalId, approved: true };
      await rig.say(how === 'a button' ? answer : '/approve', fields);
      expect(launch.inputs).toEqual([{ value, rounds: 1 }]);
    });

    it.each([
      ['a button', {}],
      ['a command', lisa],
    ])("can't be given by %s if the file couldn't be sent, but can be denied", async (how, fields) => {
      const { rig, launch, approvalId } = await askedAtLength(false, fields);
      const platform = fields === lisa ? rig.wecom : rig.feishu;
      const text = expect.stringMatching(
        /^This is too long to show here in full, so it can't be approved here\./,
      );
      expect(lastShown(platform)).toMatchObject([{ approvals: [{ approvable: false, note: text }] }]);
      const answer = { type: 'answer' as const, approvalId, approved: true };
      await rig.say(how === 'a button' ? answer : '/approve', fields);
      await rig.say('/approve 1', fields);
      expect(launch.inputs).toEqual([]);
      expect(lastShown(platform).at(-1)).toEqual({ kind: 'command', command: 'approve', ok: false, text });
      await rig.say('/deny', fields);
      expect(lastShown(platform)).toContainEqual(
        expect.objectContaining({ kind: 'command', command: 'deny', ok: true }),
      );
      expect(launch.refused).toHaveLength(1);
    });
  });

  it('can be denied with a reason, which the model gets', async () => {
    const { rig, launch } = await askedRig();
    await rig.say('/deny not on Fridays');
    expect(launch.inputs).toEqual([]);
    expect(JSON.stringify(rig.model.requests.at(-1)?.messages)).toContain('not on Fridays');
    expect(lastShown(rig.feishu)).toMatchObject([
      { kind: 'final', calls: [{ status: 'failed' }] },
      { kind: 'command', command: 'deny', ok: true },
    ]);
  });

  it('counts once, however often the button is pressed', async () => {
    const { rig, launch, approvalId } = await askedRig();
    await Promise.all([1, 2, 3].map(() => rig.send({ type: 'answer', approvalId, approved: true })));
    await rig.settle();
    expect(launch.inputs).toHaveLength(1);
  });

  it.each([
    [
      'another person',
      { senderId: 'ou_2' },
      'Only the person who started this run can answer its approvals.',
    ],
    ['another chat', { chatId: 'oc_2' }, 'This approval is no longer open.'],
  ])('is not accepted from %s', async (_who, fields, text) => {
    const { rig, launch, approvalId } = await askedRig();
    await rig.say({ type: 'answer', approvalId, approved: true }, fields);
    expect(launch.inputs).toEqual([]);
    expect(lastShown(rig.feishu)).toContainEqual({ kind: 'command', command: 'approve', ok: false, text });
  });

  it.each([
    ['another format', 'made-up'],
    ['no approval', `${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}-${'0'.repeat(16)}`],
  ])('is not accepted with the ID of %s', async (_what, approvalId) => {
    const { rig, launch } = await askedRig();
    await rig.say({ type: 'answer', approvalId, approved: true });
    expect(launch.inputs).toEqual([]);
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({
      ok: false,
      text: 'This approval is no longer open.',
    });
  });

  it('makes messages wait until it is given, but not commands', async () => {
    const { rig, approvalId } = await askedRig();
    await rig.say('And then?');
    await rig.say('/mode ask');
    expect(await rig.chat()).toMatchObject({
      mode: 'ask',
      activeRun: { message: { content: { text: 'Launch it' } } },
    });
    await rig.say({ type: 'answer', approvalId, approved: true });
    expect((await rig.remembered()).map(({ text }) => text)).toEqual([
      'Launch it',
      'Launched.',
      'And then?',
      'Launched.',
    ]);
  });

  it('is chosen by its number if there are several', async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    rig.model.answer = inTurn(
      calls({ name: 'launch', input: { value: 'a' } }, { name: 'launch', input: { value: 'b' } }),
      says('Done.'),
    );
    await rig.say('Launch both');
    await rig.say('/approve');
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({
      ok: false,
      text: expect.stringContaining('2. Do '),
    });
    await rig.say('/approve 3');
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({ ok: false });
    await rig.say('/refuse 2');
    await rig.say('/approve');
    expect(launch.inputs).toHaveLength(1);
    expect(lastShown(rig.feishu)[0]).toMatchObject({ kind: 'final', text: 'Done.' });
  });

  it('keeps its number while others are answered', async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    const wanted = ['a', 'b', 'c'].map((value) => ({ name: 'launch', input: { value } }));
    rig.model.answer = inTurn(calls(...wanted), says('Done.'));
    await rig.say('Launch all');
    const [card] = lastShown(rig.feishu);
    if (card?.kind !== 'progress') throw new Error('nobody was asked');
    const second = card.approvals.find(({ number }) => number === 2);
    await rig.say('/deny 1');
    await rig.say('/approve 1');
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({
      ok: false,
      text: expect.stringMatching(/\n2\. .*\n3\. /),
    });
    await rig.say('/approve 2');
    await rig.say('/refuse 3');
    expect(launch.inputs).toEqual([second?.input]);
  });

  it('ignores a command that came before the question', async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    const launching = (value: string) => calls({ name: 'launch', input: { value } });
    rig.model.answer = inTurn(launching('a'), launching('b'), says('Done.'));
    await rig.say('Launch');
    const { activeRun } = await rig.chat();
    rig.time.offsetMs += 1000;
    const approve = await rig.say('/approve', { receivedAt: activeRun?.question?.at ?? '' });
    // Its worker died before reporting it, and the queue redelivers it.
    await marks.delete(rig.ports.records, { platform: 'ima', kind: 'handled', id: approve.messageId });
    await rig.handle(approve);
    await rig.settle();
    expect(launch.inputs).toMatchObject([{ value: 'a' }]);
  });
});
