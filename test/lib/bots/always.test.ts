import { describe, expect, it } from '@jest/globals';
import { searchWorkspaceTool } from '../../../lib/agent/tools/search-workspace.ts';
import { AUDIT, auditEntries } from '../../../lib/audit/schema.ts';
import { callerOfMessage } from '../../../lib/bots/caller.ts';
import type { MessageContent, PersonMessage } from '../../../lib/bots/schema.ts';
import { storedRules } from '../../../lib/permissions/schema.ts';
import type { BotApproval } from '../../../lib/ports/chat-platform.ts';
import type { Vectors } from '../../../lib/ports/vectors.ts';
import { answerApproval, openApprovals } from '../../../lib/runs/approvals.ts';
import { readRun } from '../../../lib/runs/runs.ts';
import { calls, inTurn, recordingTool, says } from '../../support/agent.ts';
import { lastShown, personMessage, startBotRig } from '../../support/bots.ts';

const LISA = { platform: 'imb' as const, chatId: 'lisa', senderId: 'lisa' };
const AT = '2026-01-01T00:00:00.000Z';
/** The rules match the arguments of a tool without its own pattern. */
const ALWAYS = '{"value":"a","rounds":1}';

/** Opens a chat in which the agent made a call that needs approval by a rule. */
async function asked(fields: Partial<PersonMessage> = {}, ...values: string[]) {
  const tool = recordingTool('mcp__far__look');
  const rig = await startBotRig([tool.tool]);
  const wanted = (values.length === 0 ? ['a'] : values).map((value) => ({
    name: 'mcp__far__look',
    input: { value },
  }));
  rig.model.answer = inTurn(calls(...wanted), says('Seen.'));
  await rig.say('Look', fields);
  const { activeRun } = await rig.chat(fields);
  const runId = activeRun?.runId ?? '';
  const [approval] = await openApprovals(rig.ports, runId);
  const { workspaceId } = await readRun(rig.ports.records, runId);
  return {
    ...{ rig, tool, runId, workspaceId, approvalId: approval?.id ?? '' },
    rules: async () => (await storedRules.get(rig.ports.records, { workspaceId }))?.rules ?? [],
    press: (more: Partial<MessageContent & { type: 'answer' }> = {}, by: Partial<PersonMessage> = {}) => {
      const content = {
        type: 'answer' as const,
        approvalId: approval?.id ?? '',
        approved: true,
        always: ALWAYS,
      };
      return rig.say({ ...content, ...more }, { ...fields, ...by });
    },
  };
}

function questionsIn(rig: Awaited<ReturnType<typeof startBotRig>>): BotApproval[] {
  return [...lastShown(rig.feishu), ...lastShown(rig.wecom)].flatMap((content) =>
    content.kind === 'progress' ? content.approvals : [],
  );
}

describe('"always" in a chat', () => {
  it('is offered with exactly the call that needs approval', async () => {
    const { rig } = await asked();
    expect(questionsIn(rig)).toMatchObject([{ always: ALWAYS, approvable: true }]);
  });

  it('adds one rule by the button, and only the same call needs no approval later', async () => {
    const { rig, tool, press, rules } = await asked();
    const { senderId } = await press();
    expect(tool.inputs).toHaveLength(1);
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({
      ...{ kind: 'command', command: 'always', ok: true },
      text: expect.stringContaining(`without approval: ${ALWAYS}`),
    });
    const rule = { tool: 'mcp__far__look', pattern: ALWAYS, action: 'allow', addedBy: `ima:${senderId}` };
    expect(await rules()).toMatchObject([rule]);
    rig.model.answer = inTurn(calls({ name: 'mcp__far__look', input: { value: 'a' } }), says('Again.'));
    await rig.say('Look again');
    expect(tool.inputs).toHaveLength(2);
    rig.model.answer = inTurn(calls({ name: 'mcp__far__look', input: { value: 'b' } }), says('Again.'));
    await rig.say('Look elsewhere');
    expect(tool.inputs).toHaveLength(2);
  });

  it('must be typed exactly as shown', async () => {
    const { rig, tool, rules } = await asked(LISA);
    for (const words of ['', ' yes', ' *', ` ${ALWAYS}x`, ' 1', ` 2 ${ALWAYS}`]) {
      await rig.say(`/always${words}`, LISA);
      expect(lastShown(rig.wecom).at(-1)).toMatchObject({
        ...{ command: 'always', ok: false },
        text: `To add a rule, send exactly this:\n/always ${ALWAYS}`,
      });
    }
    expect(tool.inputs).toEqual([]);
    expect(await rules()).toEqual([]);
    await rig.say(`/always 1 ${ALWAYS}`, LISA);
    expect(tool.inputs).toHaveLength(1);
    expect(await rules()).toMatchObject([{ pattern: ALWAYS, addedBy: 'imb:lisa' }]);
  });

  it('needs the number if there are several approvals', async () => {
    const { rig, rules } = await asked(LISA, 'a', 'b');
    await rig.say(`/always ${ALWAYS}`, LISA);
    expect(await rules()).toEqual([]);
    const number = questionsIn(rig).find(({ always }) => always === ALWAYS)?.number;
    await rig.say(`/always ${number} ${ALWAYS}`, LISA);
    expect(await rules()).toMatchObject([{ pattern: ALWAYS }]);
  });

  it.each<[string, Partial<MessageContent & { type: 'answer' }>, Partial<PersonMessage>]>([
    ['another member of the group', {}, { senderId: 'ou_2' }],
    ['the same person in another chat', {}, { chatId: 'oc_2' }],
    ['a chat with the same name on the other platform', {}, { platform: 'imb' }],
    ['a wider pattern than offered', { always: '*' }, {}],
    ['a pattern for another call', { always: '{"value":"b","rounds":1}' }, {}],
    ['a denial', { approved: false }, {}],
  ])('is not accepted from %s', async (_who, content, by) => {
    const { tool, press, rules } = await asked({ chatType: 'group' });
    await press(content, by);
    expect(tool.inputs).toEqual([]);
    expect(await rules()).toEqual([]);
  });

  it('stays revoked if the button press is redelivered', async () => {
    const { rig, press, rules, workspaceId } = await asked();
    const message = await press();
    const stored = await storedRules.get(rig.ports.records, { workspaceId });
    if (stored === undefined) throw new Error('no rule');
    await storedRules.put(rig.ports.records, { ...stored, rules: [], version: 2 }, { version: 1 });
    await rig.handle(message);
    await rig.settle();
    await press();
    expect(await rules()).toEqual([]);
  });

  it('is completed by another process if the worker dies after it received the answer', async () => {
    const { rig, tool, rules, runId, approvalId } = await asked();
    const caller = callerOfMessage(personMessage(''));
    await answerApproval(rig.ports, await readRun(rig.ports.records, runId), caller, approvalId, {
      approved: true,
    });
    await rig.handle(personMessage({ type: 'answer', approvalId, approved: true, always: ALWAYS }));
    expect(await rules()).toHaveLength(1);
    const written = await auditEntries.list(rig.ports.records, { partition: AUDIT, limit: 100 });
    const ofRules = written.items.filter(({ action }) => action === 'permissions.always');
    expect(ofRules).toMatchObject([{ actor: caller.id, outcome: 'done' }]);
    await rig.ports.agentQueue.send([{ body: { runId } }]);
    await rig.settle();
    expect(tool.inputs).toHaveLength(1);
  });

  it.each([
    ['a wildcard in the call', '*'],
    ['a call that would be shown differently', '`<at id=all>'],
    ['a call that is too long to show', 'x'.repeat(200)],
  ])('is not offered for %s', async (_what, value) => {
    const { rig } = await asked(LISA, value);
    expect(questionsIn(rig)).toMatchObject([{ always: null }]);
    await rig.say(`/always {"value":${JSON.stringify(value)},"rounds":1}`, LISA);
    expect(lastShown(rig.wecom).at(-1)).toMatchObject({
      text: 'No rule can be added for this here. Answer with /approve or /deny.',
    });
  });

  it('does not override a denial', async () => {
    const { rig, tool, press, rules, workspaceId } = await asked();
    const denied = { tool: 'mcp__*', pattern: '*"a"*', action: 'deny' as const };
    const kept = { ...denied, addedBy: 'a', addedAt: AT, answeredCall: null };
    await storedRules.create(rig.ports.records, { workspaceId, rules: [kept], version: 1 });
    await press();
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({ ok: false });
    expect(tool.inputs).toEqual([]);
    expect(await rules()).toHaveLength(1);
  });
});

describe('notice of an answer', () => {
  it.each([
    ['Hello there', {}, 'Nearly used up.'],
    ['现在几点了？', LISA, '本月预算即将用完：Nearly used up.'],
  ])('is shown once, in the language of %s', async (text, fields, expected) => {
    const look = recordingTool('look', { inEveryMode: true });
    const rig = await startBotRig([look.tool]);
    const open = rig.ports.openModel;
    rig.ports.openModel = (...choice) => ({ ...open(...choice), admit: async () => 'Nearly used up.' });
    rig.model.answer = inTurn(calls({ name: 'look' }), says('Seen.'));
    await rig.say(text, fields);
    const shown = [...lastShown(rig.feishu), ...lastShown(rig.wecom)];
    expect(shown).toMatchObject([{ kind: 'final', text: 'Seen.', notices: [expected] }]);
  });

  it.each([
    ['What do the files say?', {}, 'No files are indexed, so the answer uses no files.'],
    ['文件里写了什么？', LISA, '没有已索引的文件，回答没有文件依据。'],
  ])('also contains the result of its searches: %s', async (text, fields, expected) => {
    const ports = { vectors: {} as Vectors, embedder: undefined };
    const rig = await startBotRig([searchWorkspaceTool({ searchFor: () => ({ ...ports, records }) })]);
    const { records } = rig.ports;
    rig.model.answer = inTurn(calls({ name: 'searchWorkspace', input: { query: 'owls' } }), says('Nothing.'));
    await rig.say(text, fields);
    const shown = [...lastShown(rig.feishu), ...lastShown(rig.wecom)];
    expect(shown).toMatchObject([{ kind: 'final', text: 'Nothing.', notices: [expected] }]);
  });
});

describe('"allow" in a chat', () => {
  it('allows exactly the call until the run ends, and adds no rule', async () => {
    const { rig, tool, rules } = await asked(LISA);
    const again = (value: string) => calls({ name: 'mcp__far__look', input: { value } });
    rig.model.answer = inTurn(again('a'), again('b'), says('Seen.'));
    await rig.say('/allow', LISA);
    expect(tool.inputs).toMatchObject([{ value: 'a' }, { value: 'a' }]);
    expect(lastShown(rig.wecom)).toContainEqual(
      expect.objectContaining({ command: 'allow', ok: true, text: expect.stringContaining(ALWAYS) }),
    );
    expect(questionsIn(rig).map(({ input }) => input)).toMatchObject([{ value: 'a' }, { value: 'b' }]);
    expect(await rules()).toEqual([]);
  });
});
