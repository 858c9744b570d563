import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readMessages } from '../../../lib/conversations/branches.ts';
import {
  changeConversation,
  deleteConversation,
  dropConversations,
} from '../../../lib/conversations/change.ts';
import { findConversation, findOfBot } from '../../../lib/conversations/find.ts';
import { listConversations } from '../../../lib/conversations/list.ts';
import { textOf, toMessage } from '../../../lib/conversations/messages.ts';
import {
  type Conversation,
  conversationPartition,
  conversations,
} from '../../../lib/conversations/schema.ts';
import { createConversation, newConversation } from '../../../lib/conversations/turn/claim-turn.ts';
import { Forbidden, NotFound } from '../../../lib/errors.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { calls, doIt, inTurn, MEMBER, recordingTool, says } from '../../support/agent.ts';
import { type BotRig, lastShown, startBotRig } from '../../support/bots.ts';
import { ADMIN } from '../../support/tasks.ts';

const LISA = { platform: 'imb' as const, chatId: 'lisa', senderId: 'lisa' };

/** Returns the workspaces in which chats worked, each with the conversations that an administrator sees. */
async function listed(rig: BotRig, caller = ADMIN, q?: string): Promise<Conversation[]> {
  const { items } = await workspaces.list(rig.ports.records, { partition: 'WORKSPACE' });
  const pages = items.map(({ id }) =>
    listConversations(rig.ports.records, caller, { workspaceId: id, q, limit: 100 }),
  );
  return (await Promise.all(pages)).flatMap((page) => page.items);
}

async function textsIn(rig: BotRig, there: Conversation): Promise<string[]> {
  const messages = await readMessages(rig.ports.records, there);
  return messages.map(toMessage).map((message) => `${message.role}: ${textOf(message)}`);
}

async function only(rig: BotRig): Promise<Conversation> {
  const [first, ...others] = await listed(rig);
  expect(others).toEqual([]);
  if (first === undefined) throw new Error('nothing is kept');
  return first;
}

describe('bot chat', () => {
  it.each([
    ['ima', {}],
    ['imb', LISA],
  ])('is stored as a conversation on %s, with its questions and actions', async (platform, fields) => {
    const look = recordingTool('look', { inEveryMode: true });
    const rig = await startBotRig([look.tool]);
    rig.model.answer = inTurn(says('Hello *all*.'), calls({ name: 'look' }), says('Seen.'));
    await rig.say('Hi <at id=all></at> **there**', fields);
    await rig.say('Look', fields);
    const kept = await only(rig);
    const ownerId = platform === 'ima' ? 'ima:ou_1' : 'imb:lisa';
    expect(kept).toMatchObject({ kind: 'bot', mode: 'agent', ownerId, shared: false, messageCount: 4 });
    expect(kept.title).toBe('Hi <at id=all></at> **there**');
    const messages = (await readMessages(rig.ports.records, kept)).map(toMessage);
    expect(messages.map(textOf)).toEqual(['Hi <at id=all></at> **there**', 'Hello *all*.', 'Look', 'Seen.']);
    expect(messages[0]?.metadata).toEqual({ sender: ownerId });
    expect(messages[3]?.parts).toContainEqual(expect.objectContaining({ type: 'tool-look' }));
    expect(await listed(rig, ADMIN, 'hello')).toHaveLength(1);
    expect(await listed(rig, ADMIN, 'goodbye')).toEqual([]);
  });

  it('names the author of each question in a group, which is one conversation', async () => {
    const rig = await startBotRig();
    const group = { chatType: 'group' as const, chatId: 'oc_group' };
    await rig.say('One', { ...group, senderId: 'ou_1' });
    await rig.say('Two', { ...group, senderId: 'ou_2' });
    const messages = (await readMessages(rig.ports.records, await only(rig))).map(toMessage);
    expect(messages.map(({ metadata }) => metadata?.sender)).toEqual([
      'ima:ou_1',
      undefined,
      'ima:ou_2',
      undefined,
    ]);
  });

  it('differs from the chat with the same ID on the other platform', async () => {
    const rig = await startBotRig();
    await rig.say('Here', { chatId: 'x', senderId: 'x' });
    await rig.say('There', { platform: 'imb', chatId: 'x', senderId: 'x' });
    const kept = await listed(rig);
    expect(kept.map(({ ownerId, messageCount }) => `${ownerId} ${messageCount}`).sort()).toEqual([
      'ima:x 2',
      'imb:x 2',
    ]);
  });

  it('is visible only to global administrators until one of them shares it', async () => {
    const rig = await startBotRig();
    await rig.say('A secret');
    const { id, workspaceId } = await only(rig);
    const { records } = rig.ports;
    const bound = { ...ADMIN, id: 'bound', workspaceIds: [workspaceId] };
    const named = { ...MEMBER, id: 'ima:ou_1' };
    for (const caller of [MEMBER, bound, named, { ...MEMBER, role: 'viewer' as const }]) {
      expect(await listed(rig, caller)).toEqual([]);
      await expect(findConversation(records, caller, id)).rejects.toThrow(NotFound);
      await expect(deleteConversation(rig.ports, caller, id)).rejects.toThrow(NotFound);
    }
    await changeConversation(records, ADMIN, id, { shared: true, title: 'Told' });
    expect(await listed(rig, MEMBER)).toMatchObject([{ id, title: 'Told' }]);
    for (const caller of [MEMBER, bound, named])
      await expect(changeConversation(records, caller, id, { shared: false })).rejects.toThrow(Forbidden);
    await rig.say('More');
    expect(await listed(rig, MEMBER)).toMatchObject([{ id, title: 'Told', messageCount: 4 }]);
    await changeConversation(records, ADMIN, id, { shared: false });
    expect(await listed(rig, MEMBER)).toEqual([]);
    expect(await listed(rig)).toHaveLength(1);
  });

  it("isn't hidden from administrators by a member's shared conversation with the same ID", async () => {
    const rig = await startBotRig();
    const { records } = rig.ports;
    rig.model.answer = inTurn(says('Hello.'));
    await rig.say('Hi');
    const { id, workspaceId, key } = await only(rig);
    await createConversation(rig.ports, newConversation(rig.ports, { ownerId: MEMBER.id, workspaceId, id }));
    await changeConversation(records, MEMBER, id, { shared: true });
    expect((await findConversation(records, ADMIN, id)).key).toBe(key);
    expect((await findConversation(records, MEMBER, id)).ownerId).toBe(MEMBER.id);
  });

  it('starts another conversation by /clear, and one per workspace', async () => {
    const rig = await startBotRig();
    await mkdir(join(rig.root, 'other'));
    await rig.say('/workspace project');
    await rig.say('One');
    await rig.say('/clear');
    await rig.say('Two');
    await rig.say('/workspace other');
    await rig.say('Three');
    expect(rig.model.requests.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
    const kept = await listed(rig);
    expect(kept.map(({ title }) => title).sort()).toEqual(['One', 'Three', 'Two']);
    expect(new Set(kept.map(({ workspaceId }) => workspaceId)).size).toBe(2);
  });

  it('keeps rejected messages with the reason, hidden from the model', async () => {
    const rig = await startBotRig();
    rig.model.answer = () => {
      throw new Error('secret detail');
    };
    await rig.say('Hi');
    rig.model.answer = inTurn(says('Better.'));
    await rig.say('Again');
    expect(rig.model.requests.at(-1)?.messages).toEqual([{ role: 'user', content: 'Again' }]);
    const kept = await only(rig);
    expect(await textsIn(rig, kept)).toEqual([
      'user: Hi',
      'assistant: ',
      'user: Again',
      'assistant: Better.',
    ]);
    const [, failed] = (await readMessages(rig.ports.records, kept)).map(toMessage);
    const data = { code: 'answer-cut', text: 'Something went wrong in the service. Try again.' };
    expect(failed?.parts).toContainEqual({ type: 'data-notice', data });
  });

  it('continues in a new conversation when it is full, and remembers the last messages', async () => {
    const rig = await startBotRig();
    await rig.say('One');
    const full = await only(rig);
    await conversations.update(rig.ports.records, full, { set: { nextPlace: 999 } });
    await rig.say('Two');
    await rig.say('Three');
    expect(rig.model.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
    expect((await listed(rig)).map(({ title }) => title)).toEqual(['Two', 'One']);
  });

  describe('deleted while an answer is in progress', () => {
    async function asked() {
      const launch = recordingTool('launch', { asks: doIt });
      const rig = await startBotRig([launch.tool]);
      rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'), says('Hello.'));
      await rig.say('/workspace project');
      await rig.say('Launch it');
      return { rig, kept: await only(rig) };
    }

    async function leftOf(rig: BotRig, { key }: Conversation): Promise<number> {
      return rig.ports.records.count({ partition: conversationPartition(key) });
    }

    it('gets the answer, leaves nothing, and starts again with the next message', async () => {
      const { rig, kept } = await asked();
      await deleteConversation(rig.ports, ADMIN, kept.id);
      await rig.say('/approve');
      expect(lastShown(rig.feishu)).toContainEqual(expect.objectContaining({ text: 'Launched.' }));
      expect(await leftOf(rig, kept)).toBe(0);
      expect(await rig.remembered()).toEqual([]);
      await rig.say('Hi');
      expect(rig.model.requests.at(-1)?.messages).toEqual([{ role: 'user', content: 'Hi' }]);
      expect((await only(rig)).title).toBe('Hi');
    });

    it('leaves nothing if its workspace is deleted', async () => {
      const { rig, kept } = await asked();
      await dropConversations(rig.ports.objects)(rig.ports.records, kept.workspaceId);
      await rig.say('/approve');
      expect(await leftOf(rig, kept)).toBe(0);
      expect(await findOfBot(rig.ports.records, kept.id)).toBeUndefined();
      expect(await rig.chat()).toMatchObject({ activeRun: null });
    });
  });
});
