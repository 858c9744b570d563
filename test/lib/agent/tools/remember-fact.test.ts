import { beforeEach, describe, expect, it } from '@jest/globals';
import { withoutApprovals } from '../../../../lib/agent/calls/modes.ts';
import { answerOverApi } from '../../../../lib/agent/start/answer.ts';
import { runToEnd } from '../../../../lib/agent/start/unattended-run.ts';
import { rememberFactTool } from '../../../../lib/agent/tools/remember-fact.ts';
import { addMemory, listMemories } from '../../../../lib/memories/memories.ts';
import { putPermissions } from '../../../../lib/permissions/store.ts';
import type { AnswerBody } from '../../../../lib/runs/schema.ts';
import { type AgentRig, calls, inTurn, MEMBER, says, startAgentRig } from '../../../support/agent.ts';

let rig: AgentRig;

beforeEach(async () => {
  rig = await startAgentRig();
  rig.ports.tools = [rememberFactTool(rig.ports)];
});

const proposal = (scope = 'person') =>
  calls({ name: 'rememberFact', input: { text: 'I use SI units.', scope } });

const saved = async (workspace?: { id: string }) =>
  (await listMemories(rig.ports.records, MEMBER, workspace)).map(({ text }) => text);

async function answer(runId: string, body: AnswerBody, caller = MEMBER) {
  const { id } = await rig.approvalOf(runId);
  return answerOverApi(rig.ports, caller, await rig.find(runId), id, body);
}

async function workUntilOver(runId: string) {
  while (['running', 'waiting'].includes((await rig.find(runId)).status)) {
    await rig.work();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('rememberFact', () => {
  it.each(['person', 'workspace'])('saves a fact of a %s only after its approval', async (scope) => {
    rig.model.answer = inTurn(proposal(scope), says('Saved.'));
    const { run } = await rig.ask();
    const approval = await rig.approvalOf(run.id);
    expect(approval).toMatchObject({
      summary: expect.stringMatching(/I use SI units\.$/),
      subjects: [],
      input: { text: 'I use SI units.', scope },
    });
    expect([await saved(), await saved(rig.workspace)]).toEqual([[], []]);
    await answer(run.id, { approved: true });
    await workUntilOver(run.id);
    const own = scope === 'person';
    expect([await saved(), await saved(rig.workspace)]).toEqual(
      own ? [['I use SI units.'], []] : [[], ['I use SI units.']],
    );
  });

  it('saves nothing if it is denied', async () => {
    rig.model.answer = inTurn(proposal(), says('Not saved.'));
    const { run } = await rig.ask();
    await answer(run.id, { approved: false });
    await workUntilOver(run.id);
    expect(await saved()).toEqual([]);
  });

  it('is asked about each time, whatever rules allow, and no answer covers a second call', async () => {
    const rules = [{ tool: 'rememberFact', pattern: '**', action: 'allow' as const }];
    await putPermissions({ ...rig.ports, selfApproval: async () => undefined }, MEMBER, rig.workspace.id, {
      rules,
    });
    rig.model.answer = inTurn(proposal(), proposal('workspace'), says('Saved.'));
    const { run } = await rig.ask();
    for (const body of [
      { approved: true, scope: 'run' },
      { approved: true, scope: 'run', always: '**' },
      { approved: true, always: 'I use SI units.' },
    ] as AnswerBody[])
      await expect(answer(run.id, body)).rejects.toMatchObject({ code: 'always_not_allowed' });
    await answer(run.id, { approved: true });
    await rig.work();
    expect(await rig.find(run.id)).toMatchObject({ status: 'waiting' });
    expect([await saved(), await saved(rig.workspace)]).toEqual([['I use SI units.'], []]);
  });

  it('is refused in an unattended run, even if its task permits it', async () => {
    rig.model.answer = inTurn(proposal(), says('Not saved.'));
    const task = {
      ...{ workspace: rig.workspace, mode: 'agent' as const, prompt: 'Do it.', rightsOf: null },
      permits: [{ tool: 'rememberFact', pattern: '**' }],
    };
    const { run } = await runToEnd(rig.ports, MEMBER, task, {
      timeLeftMs: 900_000,
      signal: new AbortController().signal,
    });
    expect(run.status).toBe('done');
    expect(await saved()).toEqual([]);
  });

  it.each([
    ['without an approval', [rememberFactTool]],
    [
      'where a command could approve it',
      [(ports: AgentRig['ports']) => withoutApprovals([rememberFactTool(ports)])[0]],
    ],
  ])('refuses a call %s', async (_what, [make]) => {
    const tool = make?.(rig.ports);
    const context = { caller: MEMBER, workspace: rig.workspace, approvedBy: null } as never;
    const call = async () => tool?.run({ text: 'x', scope: 'person' }, context);
    await expect(call()).rejects.toMatchObject({ code: 'approval_required' });
    expect(await saved()).toEqual([]);
  });

  it.each([
    ['invisible characters', 'I use\u202e SI units.'],
    ['too many characters', 'x'.repeat(501)],
  ])('is refused without a question for %s', async (_what, text) => {
    rig.model.answer = inTurn(calls({ name: 'rememberFact', input: { text } }), says('Not saved.'));
    const { run, parts } = await rig.ask();
    expect(run.status).toBe('done');
    expect(parts.filter(({ type }) => type === 'tool-input-error')).toHaveLength(1);
  });

  it('gives facts to a run, but none of its owner to a task, and no private ones to anyone', async () => {
    await addMemory(rig.ports, MEMBER, undefined, { text: 'PRIVATE.' });
    await addMemory(rig.ports, MEMBER, undefined, { text: 'SHARED.', shared: true });
    await addMemory(rig.ports, MEMBER, rig.workspace, { text: 'COMMON.' });
    rig.model.answer = inTurn(says('Done.'));
    const sent = () => JSON.stringify(rig.model.requests.at(-1));
    const found = () => ['PRIVATE', 'SHARED', 'COMMON'].filter((text) => sent().includes(text));
    await rig.ask();
    expect(found()).toEqual(['SHARED', 'COMMON']);
    const task = { workspace: rig.workspace, mode: 'agent' as const, prompt: 'Do it.', rightsOf: null };
    await runToEnd(rig.ports, MEMBER, task, { timeLeftMs: 900_000, signal: new AbortController().signal });
    expect(found()).toEqual(['COMMON']);
  });
});
