import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AgentRun, getRun, readStream, waitForRun } from '../../support/agent-client.ts';
import { kubeconfigFile } from '../../support/cluster.ts';
import { type FakeKubernetes, startFakeKubernetes } from '../../support/fakes/fake-kubernetes.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { researchAnswer } from '../../support/research-model.ts';
import { type Answer, type Service, startService } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const TOKEN_COMMAND = resolve(import.meta.dirname, '../../../infra/token.ts');
const JOB = { name: 'train', command: 'python train.py', image: 'python:3' };

type Headers = Record<string, string>;
type As = { headers: Headers; call: Service['call'] };

let provider: FakeOpenai;
let cluster: FakeKubernetes;
let env: Record<string, string>;
let service: Service;
let workspace: TestWorkspace;
let elsewhere: TestWorkspace;
let member: As;
let colleague: As;
let viewer: As;
let outsider: As;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  cluster = await startFakeKubernetes();
  whenDone(() => cluster.stop());
  const KUBECONFIG_PATH = await kubeconfigFile(cluster.kubeconfig());
  env = { PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token', KUBECONFIG_PATH };
  service = await startService(env);
  const admin = as(await firstToken());
  workspace = await makeWorkspace({ ...service, call: admin.call });
  elsewhere = await makeWorkspace({ ...service, call: admin.call });
  const token = async (role: string, workspaceIds?: string[]) => {
    const fields = { name: role, role, ...(workspaceIds && { workspaceIds }) };
    return as((await admin.call<{ secret: string }>('POST', '/api/tokens', fields)).body.secret);
  };
  [member, colleague, viewer, outsider] = [
    await token('member'),
    await token('member'),
    await token('viewer'),
    await token('member', [elsewhere.id]),
  ];
});

async function firstToken(): Promise<string> {
  const args = [TOKEN_COMMAND, 'create', '--name', 'first', '--role', 'admin'];
  const env = { PATH: process.env.PATH, DATA_DIR: service.dataDir };
  return (await runProgram(process.execPath, args, { env, cwd: service.dataDir })).stdout.trim();
}

/** Calls with a token, also after a restart of the service. */
function as(secret: string): As {
  const headers = { authorization: `Bearer ${secret}` };
  return { headers, call: (method, path, body) => service.call(method, path, body, headers) };
}

function request(fields: Record<string, unknown> = {}) {
  return { workspaceId: workspace.id, cwd: '', messages: [{ role: 'user', content: 'Train.' }], ...fields };
}

interface Waiting {
  runId: string;
  approvalId: string;
  input: Record<string, unknown>;
}

/** Starts a run of the member that waits for approval to submit a job. */
async function startWaiting(): Promise<Waiting> {
  provider.answer = inTurn({ calls: [{ name: 'submitJob', input: JOB }] }, 'So be it.');
  cluster.objects = [];
  const { headers, done } = await readStream(service, '/api/agent', {
    body: request(),
    headers: member.headers,
  });
  expect(done).toBe(true);
  const runId = headers.get('x-run-id') ?? '';
  const { status, approvals = [] } = await getRun(member, runId);
  expect(status).toBe('waiting');
  return { runId, approvalId: approvals[0]?.id ?? '', input: approvals[0]?.input as Record<string, unknown> };
}

function answer(
  by: Pick<As, 'call'>,
  { runId, approvalId }: Waiting,
  body: unknown = { approved: true },
): Promise<Answer<AgentRun & { error: string }>> {
  return by.call('POST', `/api/agent/runs/${runId}/approvals/${approvalId}`, body);
}

/** Sends a client's next message with an approval response, as the AI SDK does. */
function answerByMessage(by: As, { approvalId, input }: Waiting, fields: Record<string, unknown> = {}) {
  const approval = { id: approvalId, approved: true };
  const part = {
    type: 'tool-submitJob',
    toolCallId: 'c',
    state: 'approval-responded',
    input,
    approval,
    ...fields,
  };
  const messages = [
    { role: 'user', content: 'Train.' },
    { role: 'assistant', parts: [part] },
  ];
  return by.call<{ error: string }>('POST', '/api/agent', request({ messages }));
}

async function resultsOf(runId: string) {
  const { frames } = await readStream(service, `/api/agent/runs/${runId}/stream`, {
    headers: member.headers,
  });
  return frames.map(({ part }) => part).filter(({ type }) => type.startsWith('tool-output'));
}

describe('POST /api/agent/runs/{runId}/approvals/{approvalId}', () => {
  it('starts a research report for the user of the run', async () => {
    const wanted = { question: 'Where do hawks hunt?', depth: 'quick' };
    const report = researchAnswer();
    provider.answer = (asked) => {
      if ((asked.tools ?? []).length === 0) return report(asked);
      const isAnswered = asked.messages.some(({ role }) => role === 'tool');
      return isAnswered ? 'It is under way.' : { calls: [{ name: 'research', input: wanted }] };
    };
    const { headers } = await readStream(service, '/api/agent', { body: request(), headers: member.headers });
    const runId = headers.get('x-run-id') ?? '';
    const { approvals = [] } = await getRun(member, runId);
    expect(approvals[0]).toMatchObject({ toolName: 'research', input: wanted });
    expect((await answer(member, { runId, approvalId: approvals[0]?.id ?? '', input: {} })).status).toBe(200);
    await waitForRun(member, runId, 'done');
    const [result] = await resultsOf(runId);
    const begun = (result as unknown as { output: { runId: string } }).output.runId;
    const looked = await member.call('GET', `/api/research/${begun}`);
    expect(looked).toMatchObject({ status: 200, body: wanted });
    await waitForRun(member, begun, 'done');
  });

  it('resumes the run with the call', async () => {
    const waiting = await startWaiting();
    expect(await answer(member, waiting)).toMatchObject({ status: 200, body: { id: waiting.runId } });
    expect(await waitForRun(member, waiting.runId, 'done', 'failed')).toMatchObject({
      status: 'done',
      steps: 2,
    });
    expect(await resultsOf(waiting.runId)).toEqual([
      expect.objectContaining({
        type: 'tool-output-available',
        output: expect.objectContaining({ name: 'train' }),
      }),
    ]);
  });

  it('resumes the run without the call', async () => {
    const waiting = await startWaiting();
    await answer(member, waiting, { approved: false, reason: 'too dear' });
    await waitForRun(member, waiting.runId, 'done');
    expect(await resultsOf(waiting.runId)).toEqual([expect.objectContaining({ type: 'tool-output-denied' })]);
  });

  it('applies to the tool, its exact arguments, and the effect, as shown in the list of runs', async () => {
    const { runId, approvalId } = await startWaiting();
    const { body } = await member.call<AgentRun[]>(
      'GET',
      `/api/agent/runs?workspaceId=${workspace.id}&status=waiting`,
    );
    expect(body.find(({ id }) => id === runId)?.approvals).toEqual([
      {
        id: approvalId,
        always: null,
        wider: [],
        effects: [],
        requiredBy: null,
        toolName: 'submitJob',
        subjects: [],
        input: { ...JOB, namespace: 'default', gpus: 0 },
        summary: expect.stringMatching(/^Submit job train .*image python:3\.\nIt runs: python train\.py\n/),
        expiresAt: expect.any(String),
      },
    ]);
  });

  it.each([
    ['rg owls notes', { always: 'rg owls notes', wider: [] }],
    ['cat owls.md', { always: 'cat owls.md', wider: ['cat *'] }],
    ['cd notes && rm -rf owls', { always: null, wider: [] }],
  ])('offers no pattern that allows more than is shown: %s', async (command, offered) => {
    const { call } = as(await firstToken());
    const asking = await makeWorkspace({ ...service, call });
    const rules = [
      { tool: 'bash', pattern: '*', action: 'ask' },
      { tool: 'bash', pattern: 'cd *', action: 'allow' },
    ];
    await call('PUT', `/api/workspaces/${asking.id}/permissions`, { rules });
    provider.answer = inTurn({ calls: [{ name: 'bash', input: { command } }] }, 'So be it.');
    const body = request({ workspaceId: asking.id });
    const { headers } = await readStream(service, '/api/agent', { body, headers: member.headers });
    const { approvals } = await getRun(member, headers.get('x-run-id') ?? '');
    expect(approvals).toMatchObject([{ input: { command }, ...offered }]);
  });

  describe('refuses', () => {
    let waiting: Waiting;
    let other: Waiting;
    beforeAll(async () => {
      waiting = await startWaiting();
      other = await startWaiting();
    });

    it.each<[string, () => Promise<Answer>, number, RegExp]>([
      [
        'another member',
        () => answer(colleague, waiting),
        403,
        /^Only the person who started this run can answer its approvals\./,
      ],
      ['a viewer', () => answer(viewer, waiting), 403, /role member/],
      ['a token for another workspace', () => answer(outsider, waiting), 403, /workspace/],
      ['an unauthenticated caller', () => answer(service, waiting), 401, /credential/],
      ['an unknown run', () => answer(member, { ...waiting, runId: crypto.randomUUID() }), 404, /run/],
      [
        'the approval of another run',
        () => answer(member, { ...waiting, runId: other.runId }),
        404,
        /approval/,
      ],
      [
        'a forged ID',
        () => answer(member, { ...waiting, approvalId: `${waiting.runId}-${'0'.repeat(16)}` }),
        404,
        /approval/,
      ],
      ['no answer', () => answer(member, waiting, {}), 400, /approved/],
      ['a string as the answer', () => answer(member, waiting, { approved: 'yes' }), 400, /approved/],
      ['arguments in the answer', () => answer(member, waiting, { approved: true, input: {} }), 400, /input/],
      [
        'a reason that is too long',
        () => answer(member, waiting, { approved: true, reason: 'x'.repeat(1001) }),
        400,
        /reason/,
      ],
      [
        'another member, by message',
        () => answerByMessage(colleague, waiting),
        403,
        /^Only the person who started this run can answer its approvals\./,
      ],
      ['a viewer, by message', () => answerByMessage(viewer, waiting), 403, /role member/],
      [
        'a token for another workspace, by message',
        () => answerByMessage(outsider, waiting),
        403,
        /workspace/,
      ],
      [
        'changed arguments',
        () => answerByMessage(member, waiting, { input: { ...waiting.input, gpus: 8 } }),
        409,
        /arguments/,
      ],
      ['fewer arguments', () => answerByMessage(member, waiting, { input: JOB }), 409, /arguments/],
      [
        'a forged ID, by message',
        () => answerByMessage(member, { ...waiting, approvalId: `${waiting.runId}-${'0'.repeat(16)}` }),
        404,
        /approval/,
      ],
      [
        'an ID in another format, by message',
        () => answerByMessage(member, { ...waiting, approvalId: 'yes' }),
        400,
        /approval/,
      ],
    ])('%s', async (_, attempt, status, error) => {
      const { status: answered, body } = await attempt();
      expect({ status: answered, body }).toEqual({ status, body: { error: expect.stringMatching(error) } });
      // The answer had no effect, so the run still waits.
      expect(await getRun(member, waiting.runId)).toMatchObject({ status: 'waiting', steps: 1 });
      expect(await resultsOfSoFar(waiting.runId)).toEqual([]);
    });

    it('a second answer, through the API or a message', async () => {
      const answered = await startWaiting();
      expect((await answer(member, answered)).status).toBe(200);
      const again = { status: 409, body: { error: expect.any(String) } };
      expect(await answer(member, answered)).toMatchObject(again);
      await waitForRun(member, answered.runId, 'done');
      expect(await answer(member, answered)).toMatchObject(again);
      expect(await answerByMessage(member, answered)).toMatchObject(again);
    });

    it('an answer after a stop', async () => {
      const ended = await startWaiting();
      const stopped = await member.call<AgentRun>('POST', `/api/agent/runs/${ended.runId}/stop`);
      expect(stopped).toMatchObject({ status: 200, body: { status: 'stopped' } });
      expect(await answer(member, ended)).toMatchObject({
        status: 409,
        body: { error: 'This run is already over (stopped).' },
      });
      expect((await answerByMessage(member, ended)).status).toBe(409);
    });

    it('all but one of many concurrent answers', async () => {
      const wanted = await startWaiting();
      const clicks = Array.from({ length: 12 }, (_, at) =>
        at % 2 === 0 ? answer(member, wanted) : answerByMessage(member, wanted),
      );
      const statuses = (await Promise.all(clicks)).map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array(11).fill(409)]);
      await waitForRun(member, wanted.runId, 'done');
      expect(await resultsOf(wanted.runId)).toHaveLength(1);
    });
  });
});

/** Returns the results of a run that isn't over, whose stream has no end. */
async function resultsOfSoFar(runId: string) {
  const path = `/api/agent/runs/${runId}/stream`;
  const leave = () => true;
  const { frames } = await readStream(service, path, { headers: member.headers, leave });
  return frames.map(({ part }) => part).filter(({ type }) => type.startsWith('tool-output'));
}

describe('permissions to see and stop a run', () => {
  it.each<[string, string, string, Record<string, number>]>([
    ['GET', '', 'the run', { member: 200, colleague: 200, viewer: 200, outsider: 403, nobody: 401 }],
    ['GET', '/stream', 'its frames', { outsider: 403, nobody: 401 }],
    ['POST', '/stop', 'its stop', { viewer: 403, outsider: 403, nobody: 401, colleague: 200 }],
  ])('%s %s: %s', async (method, path, _, statuses) => {
    const { runId } = await startWaiting();
    const callers: Record<string, Pick<As, 'call'>> = {
      member,
      colleague,
      viewer,
      outsider,
      nobody: service,
    };
    for (const [name, status] of Object.entries(statuses)) {
      const answered = await callers[name]?.call(method, `/api/agent/runs/${runId}${path}`);
      expect([name, answered?.status]).toEqual([name, status]);
    }
  });

  it('let a viewer ask and plan, but not run the agent or store a summary', async () => {
    provider.answer = () => 'Yes.';
    const tryMode = async (mode: string) =>
      (await viewer.call('POST', '/api/agent', request({ mode }))).status;
    expect([await tryMode('ask'), await tryMode('plan'), await tryMode('agent')]).toEqual([200, 200, 403]);
    const body = { workspaceId: workspace.id, messages: [{ role: 'user', content: 'Hi.' }] };
    expect((await viewer.call('POST', '/api/agent/summarize', body)).status).toBe(403);
    expect((await viewer.call('POST', '/api/agent/summarize', { ...body, preview: true })).status).toBe(200);
  });

  it('hide everything from a token for another workspace', async () => {
    const body = { workspaceId: workspace.id, messages: [{ role: 'user', content: 'Hi.' }] };
    expect((await outsider.call('POST', '/api/agent', request())).status).toBe(403);
    expect((await outsider.call('POST', '/api/agent/summarize', body)).status).toBe(403);
    expect((await outsider.call('GET', `/api/agent/runs?workspaceId=${workspace.id}`)).status).toBe(403);
  });
});

describe('run that waits for an approval', () => {
  const restart = async () => {
    service = await startService({ ...env, DATA_DIR: service.dataDir });
  };

  it('survives a restart and a crash of the host', async () => {
    const [first, second] = [await startWaiting(), await startWaiting()];
    provider.answer = () => 'So be it.';
    await service.stop();
    await restart();
    expect((await answer(member, first)).status).toBe(200);
    await waitForRun(member, first.runId, 'done');
    await service.kill();
    await restart();
    expect(await getRun(member, second.runId)).toMatchObject({ status: 'waiting' });
    expect((await answer(member, second)).status).toBe(200);
    await waitForRun(member, second.runId, 'done');
    for (const { runId } of [first, second]) expect(await resultsOf(runId)).toHaveLength(1);
  });

  it('differs from a working run, which fails at the next start after its process has ended', async () => {
    provider.paceMs = 20;
    provider.answer = () => Array.from({ length: 10_000 }, () => 'word ');
    const leave = ({ bytes }: { bytes: number }) => bytes > 500;
    const { headers } = await readStream(service, '/api/agent', {
      body: request(),
      headers: member.headers,
      leave,
    });
    const runId = headers.get('x-run-id') ?? '';
    const shared = { ...env, DATA_DIR: service.dataDir, DATA_DIR_SHARED: 'true' };
    await (await startService(shared)).kill();
    expect(await getRun(member, runId)).toMatchObject({ status: 'running' });
    await service.kill();
    await restart();
    expect(await getRun(member, runId)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/process/),
    });
    const { frames, done } = await readStream(service, `/api/agent/runs/${runId}/stream`, {
      headers: member.headers,
    });
    expect(frames.map(({ id }) => id)).toEqual(frames.map((_, at) => at + 1));
    expect(frames.at(-2)?.part).toMatchObject({ type: 'error' });
    expect(frames.at(-1)?.part).toEqual({ type: 'data-error', data: { code: expect.any(String) } });
    expect(done).toBe(true);
  });
});
