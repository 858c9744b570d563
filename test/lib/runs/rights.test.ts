import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { answerOverApi } from '../../../lib/agent/start/answer.ts';
import { newId } from '../../../lib/identifiers.ts';
import { changeToken } from '../../../lib/tokens/change.ts';
import { type ChangeToken, tokens } from '../../../lib/tokens/schema.ts';
import { createToken, hashSecret, revokeToken } from '../../../lib/tokens/tokens.ts';
import { rootWorkspaceId, workspaces } from '../../../lib/workspaces/schema.ts';
import {
  type AgentRig,
  calls,
  inTurn,
  type recordingTool,
  says,
  startAgentRig,
  startRigWithTools,
} from '../../support/agent.ts';
import { ADMIN } from '../../support/tasks.ts';

let rig: AgentRig;
let launch: ReturnType<typeof recordingTool>;
let look: ReturnType<typeof recordingTool>;
let caller: Caller;
let secret: string;

beforeEach(async () => {
  ({ launch, look, rig } = await startRigWithTools());
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const made = await createToken(rig.ports, ADMIN, { name: 'an agent', role: 'member', expiresAt });
  caller = { id: made.id, role: 'member', workspaceIds: null };
  secret = made.secret;
});

const change = (fields: ChangeToken, id = caller.id) => changeToken(rig.ports, ADMIN, id, fields);
const revoke = () => revokeToken(rig.ports, ADMIN, caller.id);

const listOnly = (subject: string) =>
  workspaces.update(rig.ports.records, rig.workspace, { set: { members: [{ subject, role: 'member' }] } });

const LOSSES: [string, () => Promise<unknown>, RegExp][] = [
  ['is revoked', () => revoke(), /was revoked/],
  [
    'gets a lower role',
    () => change({ role: 'viewer' }),
    /^The token that this runs as no longer has the member role\./,
  ],
  [
    'is limited to other workspaces',
    () => change({ workspaceIds: ['other'] }),
    /^The token that this runs as no longer includes this workspace\./,
  ],
  [
    "isn't on the workspace's new member list",
    () => listOnly('another'),
    /(is no longer a member|aren't a member) of this workspace\./,
  ],
  [
    'expires',
    async () => {
      const past = new Date(Date.now() - 1000).toISOString();
      await tokens.update(rig.ports.records, { hash: hashSecret(secret) }, { set: { expiresAt: past } });
    },
    /^The token that this runs as has expired\./,
  ],
];

describe.each(LOSSES)('run whose token %s', (_how, lose, error) => {
  it('ends before its next step, with the reason', async () => {
    look.tool.run = async () => ({ did: await lose() });
    rig.model.answer = inTurn(calls({ name: 'look' }), says('Never said.'));
    const { run, parts } = await rig.ask({}, caller);
    expect(run).toMatchObject({ status: 'failed', error: expect.stringMatching(error), steps: 1 });
    expect(parts.slice(-2)).toEqual([
      { type: 'error', errorText: run.error },
      { type: 'data-error', data: { code: expect.any(String) } },
    ]);
    expect(rig.model.requests).toHaveLength(1);
  });

  it('makes none of the calls that the model requested in the meantime', async () => {
    rig.model.answer = async function* () {
      await lose();
      yield* calls({ name: 'look' });
    };
    expect((await rig.ask({}, caller)).run).toMatchObject({ status: 'failed' });
    expect(look.inputs).toEqual([]);
  });

  it('does not make calls that were approved before', async () => {
    rig.model.answer = inTurn(calls({ name: 'launch', input: { value: 'rocket' } }), says('Never said.'));
    const { run } = await rig.ask({}, caller);
    const { id } = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, caller, run, id, { approved: true });
    await lose();
    await rig.work();
    expect(await rig.find(run.id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(error),
    });
    expect(launch.inputs).toEqual([]);
  });
});

it('read-only run makes no approved calls once its token has the viewer role', async () => {
  rig = await startAgentRig([Object.assign(launch.tool, { inEveryMode: true })]);
  rig.model.answer = inTurn(calls({ name: 'launch', input: { value: 'rocket' } }), says('Never said.'));
  const made = await createToken(rig.ports, ADMIN, { name: 'a reader', role: 'member' });
  const reader = { ...caller, id: made.id };
  const { run } = await rig.ask({ mode: 'ask' }, reader);
  await answerOverApi(rig.ports, reader, run, (await rig.approvalOf(run.id)).id, { approved: true });
  await change({ role: 'viewer' }, made.id);
  await rig.work();
  expect(await rig.find(run.id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^The token that this runs as no longer has the member role\./),
  });
  expect(launch.inputs).toEqual([]);
});

it('slow tool is stopped when the token of its run is revoked', async () => {
  look.tool.run = async (_input, { signal }) => {
    await revoke();
    rig.time.offsetMs = 10_000; // it is time to renew the lease
    return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
  };
  rig.model.answer = inTurn(calls({ name: 'look' }), says('Never said.'));
  const { run } = await rig.ask({}, caller);
  expect(run).toMatchObject({ status: 'failed', error: expect.stringMatching(/was revoked/) });
});

it('run in a root ends when a workspace in it gets a member list without its caller', async () => {
  const { records } = rig.ports;
  const { rootPath } = rig.workspace;
  const root = { ...rig.workspace, id: rootWorkspaceId(rootPath) };
  await workspaces.create(records, root);
  look.tool.run = async () => {
    const members = [{ subject: 'another', role: 'member' as const }];
    await workspaces.create(records, { ...root, id: newId(), rootPath: `${rootPath}/below`, members });
    return {};
  };
  rig.model.answer = inTurn(calls({ name: 'look' }), says('Never said.'));
  const { run } = await rig.ask({ workspaceId: root.id }, caller);
  expect(run).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^The person this runs for is no longer a member of this workspace\./),
    steps: 1,
  });
});

it('read-only run continues when its token gets the viewer role', async () => {
  look.tool.run = async () => ({ did: await change({ role: 'viewer' }) });
  rig.model.answer = inTurn(calls({ name: 'look' }), says('Read.'));
  expect((await rig.ask({ mode: 'ask' }, caller)).run).toMatchObject({ status: 'done' });
});
