import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readStream, waitForRun } from '../../support/agent-client.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';
import { snapshot } from '../../support/undo-trees.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const TOKEN_COMMAND = resolve(import.meta.dirname, '../../../infra/token.ts');

interface Changes {
  files: { path: string; type: string; change: string; undo: string; from?: string }[];
  counts: Record<string, number>;
  complete: boolean;
  keptUntil: string | null;
  undoneAt: string | null;
}

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;
let member: Record<string, string>;
let viewer: Record<string, string>;
let stranger: Record<string, string>;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({
    PROVIDER_A_BASE_URL: provider.url,
    AUTH_MODE: 'token',
    ALLOW_UNSANDBOXED_COMMANDS: 'true',
  });
  const args = [TOKEN_COMMAND, 'create', '--name', 'first', '--role', 'admin'];
  const env = { PATH: process.env.PATH, DATA_DIR: service.dataDir };
  const first = (await runProgram(process.execPath, args, { env, cwd: service.dataDir })).stdout.trim();
  const admin = { authorization: `Bearer ${first}` };
  const call = ((method: string, path: string, body: unknown) =>
    service.call(method, path, body, admin)) as Service['call'];
  workspace = await makeWorkspace({ call });
  const other = await makeWorkspace({ call });
  const token = async (role: string, workspaceIds?: string[]) => {
    const fields = { name: role, role, ...(workspaceIds && { workspaceIds }) };
    const { body } = await service.call<{ secret: string }>('POST', '/api/tokens', fields, admin);
    return { authorization: `Bearer ${body.secret}` };
  };
  [member, viewer, stranger] = [
    await token('member'),
    await token('viewer'),
    await token('member', [other.id]),
  ];
});

beforeEach(async () => {
  for (const name of await readdir(workspace.root)) await rm(join(workspace.root, name), { recursive: true });
  await mkdir(join(workspace.root, 'data/empty'), { recursive: true });
  await writeFile(join(workspace.root, 'notes.md'), 'owls\n');
  await writeFile(join(workspace.root, 'data/run-1.csv'), '1,2\n');
  await chmod(join(workspace.root, 'data/run-1.csv'), 0o640);
  await symlink('data/run-1.csv', join(workspace.root, 'latest'));
});

/** Makes the calls in a run, one after the other, and waits for the end of the run. */
async function run(...calls: { name: string; input: Record<string, unknown> }[]): Promise<string> {
  provider.answer = inTurn(...calls.map((call) => ({ calls: [call] })), 'Done.');
  const body = { workspaceId: workspace.id, cwd: '', messages: [{ role: 'user', content: 'Do it.' }] };
  const { headers } = await readStream(service, '/api/agent', { body, headers: member });
  const runId = headers.get('x-run-id') ?? '';
  await waitForRun(asMember(), runId, 'done', 'failed', 'stopped');
  return runId;
}

function asMember(): Service {
  return { ...service, call: (method, path, sent) => service.call(method, path, sent, member) };
}

const bash = (command: string) => ({ name: 'bash', input: { command } });
const write = (path: string, content: string) => ({ name: 'writeFile', input: { path, content } });

function changesOf(runId: string, headers = member) {
  return service.call<Changes>('GET', `/api/agent/runs/${runId}/changes`, undefined, headers);
}

/** Returns the number of changes in the list of runs, which is stored right after the end of a run. */
async function listedChanges(runId: string) {
  const read = async () => {
    const path = `/api/agent/runs?workspaceId=${workspace.id}&limit=1000`;
    const { body } = await service.call<{ id: string; changes: unknown }[]>('GET', path, undefined, member);
    return body.find(({ id }) => id === runId)?.changes;
  };
  return eventually(read, (changes) => changes !== null);
}

function undo(runId: string, body: Record<string, unknown> = {}, headers = member) {
  return service.call<Changes>('POST', `/api/agent/runs/${runId}/undo`, body, headers);
}

const at = (path: string) => join(workspace.root, path);
const stateOf = ({ files }: Changes) => Object.fromEntries(files.map(({ path, undo }) => [path, undo]));

describe('undo of a run', () => {
  it('restores the workspace from before writes and commands', async () => {
    const before = snapshot(workspace.root);
    const runId = await run(
      write('notes.md', 'mice\n'),
      write('new/deep/b.md', 'b\n'),
      bash(
        'rm -rf data latest; echo more >> notes.md; mkdir -p .cache/objects && echo o > .cache/objects/ab',
      ),
    );
    const listed = await changesOf(runId);
    expect(listed.status).toBe(200);
    const counts = { created: 2, changed: 1, deleted: 2, moved: 0 };
    expect(listed.body.counts).toEqual(counts);
    expect(listed.body.complete).toBe(true);
    expect(await listedChanges(runId)).toEqual({ ...counts, undone: 0 });
    const days = (Date.parse(listed.body.keptUntil ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29);
    const undone = await undo(runId);
    expect(undone.status).toBe(200);
    expect(new Set(undone.body.files.map((file) => file.undo))).toEqual(new Set(['done']));
    expect(undone.body.undoneAt).not.toBeNull();
    expect(await listedChanges(runId)).toEqual({ ...counts, undone: 5 });
    expect(snapshot(workspace.root)).toEqual(before);
  });

  it("restores a file that a command deleted in a part of its line that isn't plain", async () => {
    const runId = await run(bash('echo hi; a=()`rm notes.md`'));
    expect((await changesOf(runId)).body).toMatchObject({ counts: { deleted: 1 }, complete: true });
    await undo(runId);
    expect(await readFile(at('notes.md'), 'utf8')).toBe('owls\n');
  });

  it('undoes one file, and then a move by the new name of the file', async () => {
    const runId = await run(write('notes.md', 'mice\n'), bash('mv data/run-1.csv data/first.csv'));
    const { body } = await changesOf(runId);
    expect(body.files).toEqual([
      { path: 'data/first.csv', type: 'file', change: 'moved', undo: 'possible', from: 'data/run-1.csv' },
      { path: 'notes.md', type: 'file', change: 'changed', undo: 'possible' },
    ]);
    const one = await undo(runId, { paths: ['notes.md'] });
    expect(stateOf(one.body)).toEqual({ 'data/first.csv': 'possible', 'notes.md': 'done' });
    expect(await readFile(at('notes.md'), 'utf8')).toBe('owls\n');
    await undo(runId, { paths: ['data/first.csv'] });
    expect(await readdir(at('data'))).toEqual(['empty', 'run-1.csv']);
    expect((await lstat(at('data/run-1.csv'))).mode & 0o777).toBe(0o640);
  });

  it('keeps a file that was changed since then, unless the caller forces it', async () => {
    const runId = await run(write('notes.md', 'mice\n'), write('made.md', 'made\n'));
    await writeFile(at('notes.md'), 'my own words\n');
    const first = await undo(runId);
    expect(stateOf(first.body)).toEqual({ 'made.md': 'done', 'notes.md': 'conflict' });
    expect(await readFile(at('notes.md'), 'utf8')).toBe('my own words\n');
    const forced = await undo(runId, { paths: ['notes.md'], force: true });
    expect(stateOf(forced.body)).toEqual({ 'made.md': 'done', 'notes.md': 'done' });
    expect(await readFile(at('notes.md'), 'utf8')).toBe('owls\n');
  });

  it('does nothing when it is repeated, not even to later changes', async () => {
    const runId = await run(write('notes.md', 'mice\n'), write('made.md', 'made\n'));
    await undo(runId);
    await writeFile(at('notes.md'), 'later\n');
    await writeFile(at('made.md'), 'made\n');
    const again = await undo(runId, { force: true });
    expect(stateOf(again.body)).toEqual({ 'made.md': 'done', 'notes.md': 'done' });
    expect(await readFile(at('notes.md'), 'utf8')).toBe('later\n');
    expect(await readFile(at('made.md'), 'utf8')).toBe('made\n');
  });

  it('follows no link out of the workspace, and reads nothing through one', async () => {
    const outside = await tempFolder();
    await writeFile(join(outside, 'run-1.csv'), 'theirs\n');
    const runId = await run(bash(`rm -rf data && ln -s ${outside} data`), write('sub/a.md', 'a\n'));
    await rm(at('sub'), { recursive: true });
    await symlink(outside, at('sub'));
    await writeFile(join(outside, 'a.md'), 'theirs\n');
    const undone = await undo(runId, { force: true });
    expect(undone.status).toBe(200);
    expect((await readdir(outside)).sort()).toEqual(['a.md', 'run-1.csv']);
    expect(await readFile(join(outside, 'run-1.csv'), 'utf8')).toBe('theirs\n');
    expect(await readFile(at('data/run-1.csv'), 'utf8')).toBe('1,2\n');
    expect((await lstat(at('data'))).isDirectory()).toBe(true);
  });

  it('restores a link as a link', async () => {
    const runId = await run(bash('echo through > latest; rm latest; ln -s elsewhere latest'));
    await undo(runId);
    expect(await readlink(at('latest'))).toBe('data/run-1.csv');
    expect(await readFile(at('data/run-1.csv'), 'utf8')).toBe('1,2\n');
  });

  it('is allowed for members of the workspace, while readers only see the list', async () => {
    const runId = await run(write('notes.md', 'mice\n'));
    expect((await changesOf(runId, viewer)).status).toBe(200);
    expect((await undo(runId, {}, viewer)).status).toBe(403);
    expect((await changesOf(runId, stranger)).status).toBe(403);
    expect((await undo(runId, {}, stranger)).status).toBe(403);
    expect(await readFile(at('notes.md'), 'utf8')).toBe('mice\n');
    expect((await undo(runId, { paths: ['data/run-1.csv'] })).status).toBe(404);
  });

  it('is refused while the run works', async () => {
    provider.answer = inTurn({ calls: [bash('echo x > notes.md; sleep 20')] }, 'Done.');
    const body = { workspaceId: workspace.id, cwd: '', messages: [{ role: 'user', content: 'Do it.' }] };
    const { headers } = await readStream(service, '/api/agent', {
      body,
      headers: member,
      leave: ({ frames }) => frames.some(({ part }) => part.type === 'tool-input-available'),
    });
    const runId = headers.get('x-run-id') ?? '';
    const refused = await undo(runId);
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'run_in_progress']);
    await service.call('POST', `/api/agent/runs/${runId}/stop`, undefined, member);
    await waitForRun(asMember(), runId, 'done', 'failed', 'stopped');
    await undo(runId);
    expect(await readFile(at('notes.md'), 'utf8')).toBe('owls\n');
  });
});
