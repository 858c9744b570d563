import { once } from 'node:events';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Research } from '../../lib/research/request-schema.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { getRun } from '../support/agent-client.ts';
import { makeCaller } from '../support/callers.ts';
import { kubeconfigFile } from '../support/cluster.ts';
import { type FakeKubernetes, startFakeKubernetes } from '../support/fakes/fake-kubernetes.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { researchAnswer } from '../support/research-model.ts';
import { type Service, startService } from '../support/service.ts';
import { eventually } from '../support/sync.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';
import { personEnvironment, runWrs, startWrs, type WrsRun } from '../support/wrs.ts';

/** Sets the title, writes the clipboard, clears the screen, and overwrites the line, as ESC and as C1. */
const HOSTILE = '\x1b]0;owned\x07\x1b]52;c;cm0=\x07\x1b[2J\rApproved.\x9b31m\u202e\x08';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/;
/** Name of an indexed file. Such names contain no ASCII control characters. */
const UNREADABLE = 'x\x9b31m\u202e.md';
const OWLS = '# Owls\n\nOwls hunt at night.\n';
const JOB = { name: 'train', command: 'python train.py', image: 'python:3' };

let provider: FakeOpenai;
let cluster: FakeKubernetes;
let service: Service;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  cluster = await startFakeKubernetes();
  whenDone(() => cluster.stop());
  const KUBECONFIG_PATH = await kubeconfigFile(cluster.kubeconfig());
  service = await startService({ PROVIDER_A_BASE_URL: provider.url, KUBECONFIG_PATH });
  folder = join(service.root, 'library');
  await mkdir(folder);
  await writeFile(join(folder, 'owls.md'), OWLS);
  env = { ...(await personEnvironment()), WRS_URL: service.url };
});

beforeEach(() => {
  provider.paceMs = 0;
  provider.failure = undefined;
  provider.answer = () => 'Owls hunt at night [1].';
});

function wrs(...args: string[]): Promise<WrsRun> {
  return runWrs(args, { env, cwd: service.root });
}

async function json<Body>(...args: string[]): Promise<Body> {
  const { code, stdout, stderr } = await wrs(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Body;
}

describe('wrs ask', () => {
  it('syncs the folder, then prints the answer and its sources as path:line', async () => {
    const { code, stdout, stderr } = await wrs('ask', 'library', 'When do owls hunt?');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Owls hunt at night \[1\]\.\n\n\[1\] library\/owls\.md:\d {2}“.*Owls hunt at night\.”\n$/,
    );
  });

  it('prints one JSON value with --json', async () => {
    const answer = await json<{ answer: string; citations: object[] }>(
      'ask',
      'library',
      'When do owls hunt?',
    );
    expect(Object.keys(answer)).toEqual(['workspaceId', 'answer', 'citations', 'notices', 'metadata']);
    expect(answer.answer).toBe('Owls hunt at night [1].');
    expect(answer.citations).toMatchObject([{ path: 'owls.md', verified: true, stale: false }]);
  });

  it('escapes control sequences of names, files, models, and errors', async () => {
    const evil = join(service.root, 'evil');
    await mkdir(evil);
    // Other files are treated as binary.
    await writeFile(join(evil, UNREADABLE), '# Owls\u202e\n\nOwls hunt.\n');
    await writeFile(join(evil, `${HOSTILE}.md`), '\0');
    provider.answer = () => ['Owls hunt \x1b', ']52;c;cm0=\x07', `at night${HOSTILE} [1].`];
    const shown = await Promise.all([
      wrs('ask', 'evil', 'When do owls hunt?'),
      wrs('search', 'evil', 'owls', '--json'),
      wrs('ask', `evil/${HOSTILE}`, 'What?'),
      wrs(HOSTILE),
    ]);
    for (const { stdout, stderr } of shown) {
      expect(stdout + stderr).not.toMatch(CONTROL);
      expect((stdout + stderr).length).toBeGreaterThan(10);
    }
    expect(JSON.parse(shown[1]?.stdout ?? '')[0].path).toBe(UNREADABLE); // completely, with escapes
  });

  it('uses the workspace that contains the folder', async () => {
    await mkdir(join(folder, 'inner'), { recursive: true });
    const { code, stderr } = await wrs('search', 'library/inner', 'owls');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('is inside the workspace') });
  });

  it('stops the model call when it is stopped, and leaves no conversation', async () => {
    const { child, ended } = await startSlow('ask');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringMatching(/Stopped\.\n$/) });
    await eventually(
      async () => provider.openChats,
      (open) => open === 0,
    );
    expect(await listKept()).toEqual([]);
  });

  it('keeps a conversation only with --keep', async () => {
    await wrs('ask', 'library', 'When do owls hunt?', '--no-sync');
    expect(await listKept()).toEqual([]);
    const kept = await json<{ conversationId: string }>('ask', 'library', 'At night?', '--no-sync', '--keep');
    expect(await listKept()).toMatchObject([
      { id: kept.conversationId, title: 'At night?', messageCount: 2, answering: false },
    ]);
  });
});

describe('wrs agent', () => {
  it('shows steps and the answer, and approves nothing without a terminal, even if standard input contains an answer', async () => {
    provider.answer = inTurn({ calls: [{ name: 'submitJob', input: JOB }] }, 'It was refused.');
    cluster.objects = [];
    const input = 'yes\nyes\n';
    const { code, stdout, stderr } = await runWrs(['agent', 'library', 'Train.'], {
      env,
      cwd: service.root,
      input,
    });
    expect(stdout).toMatch(/^→ submitJob \{.*"train".*\}\n/);
    expect(stdout).toMatch(/\nIt was refused\.\n$/);
    expect(stderr).toContain('denied submitJob: no terminal to ask for approval on');
    expect(code).toBe(6);
    expect(cluster.objects).toEqual([]);
  });

  it('prints the sources of the answer below it as path:line, and includes them with --json', async () => {
    const read = { calls: [{ name: 'readFile', input: { path: 'owls.md' } }] };
    provider.answer = inTurn(read, 'Owls hunt at night [1].');
    const shown = await wrs('agent', 'library', 'When?', '--mode', 'ask');
    expect(shown.stdout).toMatch(
      /\nOwls hunt at night \[1\]\.\n\n\[1\] library\/owls\.md:3 {2}“Owls hunt at night\.”\n$/,
    );
    provider.answer = inTurn(read, 'Owls hunt at night [1].');
    const { citations } = await json<{ citations: object[] }>('agent', 'library', 'When?');
    expect(citations).toMatchObject([{ index: 1, path: 'owls.md', support: 'unjudged', verified: true }]);
  });

  it('continues the latest conversation with --continue', async () => {
    provider.answer = () => 'They hunt at night.';
    await wrs('agent', 'library', 'When do owls hunt?', '--mode', 'plan');
    await wrs('agent', 'library', 'Why then?', '--mode', 'plan', '--continue');
    const said = provider.lastChat?.messages.slice(1).map(({ content }) => content);
    expect(said).toEqual(['When do owls hunt?', 'They hunt at night.', 'Why then?']);
    await wrs('agent', 'library', 'New topic.', '--mode', 'plan');
    expect(provider.lastChat?.messages).toHaveLength(2);
  });

  it('lists the actions that were denied without a terminal, with --json', async () => {
    provider.answer = inTurn({ calls: [{ name: 'submitJob', input: JOB }] }, 'It was refused.');
    const { code, stdout, stderr } = await wrs('agent', 'library', 'Train.', '--json');
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'refused',
      refused: [{ toolName: 'submitJob', input: JOB }],
      text: 'It was refused.',
    });
    expect(JSON.parse(stderr)).toEqual({ notice: expect.stringContaining('denied submitJob') });
  });

  it.each(['ask', 'agent'])('reports a model failure once: %s', async (command) => {
    provider.failure = 'unauthorized';
    const { code, stdout, stderr } = await wrs(command, 'library', 'When?');
    expect([code, (stdout + stderr).match(/The OpenAI-compatible endpoint/g)]).toEqual([
      1,
      ['The OpenAI-compatible endpoint'],
    ]);
  });

  it('stops the run when it is stopped', async () => {
    const { child, ended } = await startSlow('agent');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(130);
    const { body: workspaces } = await service.call<Named[]>('GET', '/api/workspaces');
    const id = workspaces.find(({ name }) => name === 'library')?.id;
    const { body: runs } = await service.call<Named[]>('GET', `/api/agent/runs?workspaceId=${id}`);
    await eventually(
      () => getRun(service, runs[0]?.id ?? ''),
      ({ status }) => status === 'stopped',
    );
  });
});

interface Named {
  id: string;
  name: string;
}

async function listKept(): Promise<{ id: string }[]> {
  const { body: workspaces } = await service.call<Named[]>('GET', '/api/workspaces');
  const id = workspaces.find(({ name }) => name === 'library')?.id;
  const { body } = await service.call<{ id: string; kind: string }[]>(
    'GET',
    `/api/conversations?workspaceId=${id}`,
  );
  return body.filter(({ kind }) => kind === 'chat');
}

/** Starts an answer that takes a minute, and waits for its first part. */
async function startSlow(command: string) {
  provider.answer = () => Array.from({ length: 3000 }, () => 'slow ');
  provider.paceMs = 20;
  const { child, ended } = startWrs([command, 'library', 'When?'], { env, cwd: service.root });
  if (child.stdout !== null) await once(child.stdout, 'data');
  return { child, ended };
}

describe('wrs research', () => {
  beforeAll(async () => {
    await mkdir(join(service.root, 'reports')); // reports become notes of their workspace
    await writeFile(join(service.root, 'reports/owls.md'), OWLS);
  });
  beforeEach(() => {
    provider.answer = researchAnswer();
  });

  it('shows its progress, and prints the report or writes it in the format of the file name', async () => {
    const { code, stdout, stderr } = await wrs('research', 'reports', 'When do owls hunt?');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /plan: 1 question\nevidence: 1 quote\n(.*\n)+report: 2 sentences: 2 supported, 0 flagged, 0 dropped\n$/,
    );
    expect(stdout).toContain('Owls hunt at night.[^1]');
    expect(stdout).toContain('owls.md:3');
    const out = join(await tempFolder(), 'owls.docx');
    const { runId, status } = await json<Research>('research', 'reports', 'When do owls hunt?', '--out', out);
    expect([status, runId]).toEqual(['done', expect.any(String)]);
    expect((await readFile(out)).subarray(0, 2).toString()).toBe('PK');
  });

  it('rejects an unknown file type before it starts', async () => {
    const { code, stderr } = await wrs('research', 'reports', 'When?', '--out', 'report.xls');
    expect([code, stderr]).toEqual([2, expect.stringContaining('md, html, docx, bib, json')]);
  });

  it('rejects a file in a missing folder before the model is called', async () => {
    const asked = provider.chatRequests;
    const out = join(await tempFolder(), 'missing', 'owls.docx');
    const { code, stderr } = await wrs('research', 'reports', 'When?', '--out', out);
    expect([code, stderr]).toEqual([2, expect.stringContaining("doesn't exist or isn't writable")]);
    expect(provider.chatRequests).toBe(asked);
  });

  it('searches the workspaces of --also as well, and refuses a name that none has', async () => {
    await mkdir(join(service.root, 'aviary'), { recursive: true });
    await writeFile(join(service.root, 'aviary/hawks.md'), 'Hawks hunt by day, owls at night.\n');
    expect((await wrs('sync', 'aviary')).code).toBe(0);
    const asked = ['research', 'reports', 'When do owls hunt?', '--also'];
    const { status, workspaceIds, evidence } = await json<Research>(...asked, 'aviary');
    expect([status, workspaceIds?.length]).toEqual(['done', 2]);
    expect(new Set(evidence.map(({ workspaceId }) => workspaceId))).toEqual(new Set(workspaceIds));
    const unknown = await wrs(...asked, 'none');
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('No workspace is named none.'),
    ]);
  });
});

describe('wrs verify', () => {
  beforeAll(async () => {
    await mkdir(join(service.root, 'sources'));
    await writeFile(join(service.root, 'sources/owls.md'), OWLS);
  });

  it('prints the verdicts, or writes them in the format of the file name, without a model', async () => {
    const asked = provider.chatRequests;
    const draft = join(await tempFolder(), 'draft.md');
    await writeFile(draft, 'Owls hunt at night. Penguins file their taxes in April.\n');
    const { code, stdout, stderr } = await wrs('verify', 'sources', draft);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/## Not in the source[\s\S]*## Supported[\s\S]*owls\.md:3/),
    ]);
    expect(stdout).toContain(
      '2 claims · Possible errors: 1 · Contradicted: 0 · Not in the source: 1 · Facts found: 0 · Supported: 1',
    );
    expect(stderr).not.toContain('2 claims');
    const out = join(await tempFolder(), 'checked.json');
    expect(await json('verify', 'sources', draft, '--out', out)).toMatchObject({
      counts: { supported: 1 },
      out,
    });
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ name: 'draft.md' });
    expect(provider.chatRequests).toBe(asked);
  });

  it('reports why the model did not judge, and exits with 7 and the verdicts of code', async () => {
    const draft = join(await tempFolder(), 'draft.md');
    await writeFile(draft, 'Barn owls hunt at night.\n');
    provider.failure = 'unauthorized';
    const { code, stdout, stderr } = await wrs('verify', 'sources', draft, '--judge');
    expect([code, stderr]).toEqual([
      7,
      expect.stringMatching(/The model failed to judge 1 sentence\. .*refused the key/),
    ]);
    expect(stdout).toContain('1 claim · ');
    const asJson = await wrs('verify', 'sources', draft, '--judge', '--json');
    expect([asJson.code, JSON.parse(asJson.stdout).judgeError]).toMatchObject([7, { sentences: 1 }]);
    expect(JSON.parse(asJson.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      code: 'model_credential_refused',
    });
    provider.failure = undefined;
    expect((await wrs('verify', 'sources', draft)).code).toBe(0);
  });

  it('rejects a missing draft and an unknown file type', async () => {
    const missing = await wrs('verify', 'sources', '/none.md');
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("can't be read (ENOENT)")]);
    const unfit = await wrs('verify', 'sources', 'missing.md', '--out', 'a.docx');
    expect([unfit.code, unfit.stderr]).toEqual([2, expect.stringContaining('only for a DOCX draft')]);
    const other = await wrs('verify', 'sources', 'a.md', '--out', 'a.pdf');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('md, docx, json')]);
  });
});

describe('other commands', () => {
  it('sync, search, and notes print what the API returns', async () => {
    expect(await json('sync', 'library')).toMatchObject({ status: 'ready', total: 1, failedCount: 0 });
    expect(await json('search', 'library', 'owls')).toMatchObject([{ path: 'owls.md', startLine: 1 }]);
    expect(await json('search', 'library', 'owls', '--in', 'owls.md')).toMatchObject([{ path: 'owls.md' }]);
    await mkdir(join(folder, 'empty'), { recursive: true });
    expect(await json('search', 'library', 'owls', '--in', 'library/empty')).toEqual([]);
    const { code, stderr } = await wrs('search', 'library', 'owls', '--in', '../elsewhere.md');
    expect([code, stderr]).toEqual([2, expect.stringContaining("isn't a file or folder of the workspace")]);
    const note = await json<{ id: string }>(
      'notes',
      'add',
      'library',
      '--title',
      'Night',
      '--content',
      'Dark.',
    );
    expect(await json('notes', 'list', 'library')).toMatchObject([{ id: note.id, title: 'Night' }]);
    expect((await wrs('notes', 'show', note.id)).stdout).toBe('Night\n\nDark.\n');
    expect(await json('notes', 'remove', note.id)).toEqual({ success: true });
    expect(await json('notes', '-w', 'library')).toEqual([]);
  });

  it('token creates, lists, and revokes tokens', async () => {
    const made = await json<{ id: string; secret: string }>(
      'token',
      'create',
      '--name',
      'ci',
      '--role',
      'viewer',
    );
    expect(made.secret).toMatch(/^wrs_/);
    expect((await wrs('token', 'list')).stdout).toMatch(new RegExp(`^${made.id} {2}viewer ci`, 'm'));
    expect((await wrs('token', 'revoke', made.id)).stdout).toBe(`Revoked ${made.id}.\n`);
  });

  it('login stores the URL and the token readable by its user only, and sends the token to no other URL', async () => {
    const person = await personEnvironment();
    const options = { env: person, cwd: service.root };
    const { code } = await runWrs(['login', service.url], { ...options, input: 'wrs_secret\n' });
    expect(code).toBe(0);
    const file = join(person.HOME ?? '', '.config/wrs/login.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ url: service.url, token: 'wrs_secret' });
    expect((await runWrs(['search', 'library', 'owls'], options)).stdout).toContain('owls.md');
    provider.lastHeaders = {};
    const origin = new URL(provider.url).origin;
    await runWrs(['search', 'library', 'owls', '--url', origin], options);
    expect(provider.lastHeaders.authorization).toBeUndefined();
    expect((await runWrs(['logout'], options)).code).toBe(0);
  });
});

describe('read-only token', () => {
  it('searches the existing index without a sync, and prints a note about it', async () => {
    const guarded = await startService({ PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token' });
    await cp(folder, join(guarded.root, 'library'), { recursive: true });
    const tokenOf = async (role: 'admin' | 'viewer') =>
      (await makeCaller(guarded, role)).headers.authorization?.replace('Bearer ', '') ?? '';
    const options = async (role: 'admin' | 'viewer') => ({
      env: { ...env, WRS_URL: guarded.url, WRS_TOKEN: await tokenOf(role) },
      cwd: guarded.root,
    });
    expect(await runWrs(['sync', 'library'], await options('admin'))).toMatchObject({ code: 0 });
    const viewer = await options('viewer');
    const line = 'Not re-indexed, because your token can only read. Using the current index.\n';
    const found = await runWrs(['search', 'library', 'owls'], viewer);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('owls.md'), stderr: line });
    expect(await runWrs(['ask', '-w', 'library', 'When?'], viewer)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(line),
    });
    const quiet = await runWrs(['search', 'library', 'owls', '--no-sync', '--json'], viewer);
    expect([quiet.code, quiet.stderr]).toEqual([0, '']);
    expect(await runWrs(['sync', 'library'], viewer)).toMatchObject({ code: 4 });
  });
});

describe('error', () => {
  it.each([
    [['--version'], 0, `${packageFile.version}\n`, ''],
    [['-V', '--json'], 0, `{"version":"${packageFile.version}"}\n`, ''],
    [['serach', 'x'], 2, '', 'wrs: Unknown command serach. Did you mean search?\n'],
    [['--verison'], 2, '', 'wrs: Unknown option --verison. Did you mean --version?\n'],
    [['--url', 'x', 'search'], 2, '', 'wrs: --url must come after the command: wrs COMMAND --url\n'],
    [['search', '--jsn', 'x'], 2, '', 'wrs: Unknown option --jsn. Did you mean --json?\n'],
    [['search', '-x', 'x'], 2, '', 'wrs: Unknown option -x.\n'],
    [['search', '--json=yes'], 2, '', 'wrs: --json takes no value.\n'],
    [['ask', 'x', '--model'], 2, '', 'wrs: --model needs a value.\n'],
    [
      ['ask', 'x', '--model', '-x'],
      2,
      '',
      'wrs: --model needs a value. For a value that begins with -, write --model=-x\n',
    ],
    [['search', '--json', '--wrong'], 2, '', '{"error":"Unknown option --wrong."}\n'],
    [['search', 'x', '--url', 'nowhere'], 2, '', "wrs: nowhere isn't an HTTP URL.\n"],
  ])('is explained in plain words: wrs %j', async (args, code, stdout, stderr) => {
    expect(await wrs(...args)).toEqual({ code, stdout, stderr });
  });

  it.each([
    [2, ['bake']],
    [2, ['search', 'nowhere', 'x']],
    [1, ['notes', 'show', '01a204a2-d1b7-74d8-8ebf-7d46e0844ad0']],
    [3, ['search', 'library', 'x', '--url', 'http://127.0.0.1:9']],
  ])('exits with %i for wrs %j, in one line without a stack trace', async (expected, args) => {
    const { code, stdout, stderr } = await wrs(...args);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(/^wrs: .+\n$/);
  });

  it('is printed as JSON with --json', async () => {
    const { code, stdout, stderr } = await wrs('search', '--workspace', 'nowhere', 'x', '--json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({ error: expect.stringContaining('Workspaces: ') });
  });

  it('explains what to do about a folder outside the roots of a given service', async () => {
    const { code, stderr } = await runWrs(['search', '.', 'x'], { env, cwd: await tempFolder() });
    expect(code).toBe(1);
    expect(stderr).toMatch(/is outside the folders .* WORKSPACE_ROOTS/);
  });
});
