import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ExecResult } from '../../../lib/terminal/schema.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const TOKEN_COMMAND = resolve(import.meta.dirname, '../../../infra/token.ts');

const service = await startService();
const workspace = await makeWorkspace(service, 'one');
const other = await makeWorkspace(service, 'other');
const outside = await tempFolder();
await symlink(outside, join(workspace.root, 'outside'));
await mkdir(join(workspace.root, 'folder/below'), { recursive: true });
await writeFile(join(workspace.root, 'file.txt'), '');

function exec(command: unknown, fields: Record<string, unknown> = {}) {
  const body = { command, cwd: workspace.root, ...fields };
  return service.call<ExecResult>('POST', '/api/terminal/exec', body);
}

async function ran(command: string, fields: Record<string, unknown> = {}): Promise<ExecResult> {
  const answer = await exec(command, fields);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.bytes.toString()}`);
  return answer.body;
}

describe('POST /api/terminal/exec', () => {
  it('returns the output, an integer exit code, and the last folder of the command', async () => {
    expect(await ran('echo out; echo err >&2; exit 3')).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
      cwd: workspace.root,
      timedOut: false,
      truncated: false,
    });
  });

  it.each([
    ['cd folder', 'folder'],
    ['cd folder && cd below', 'folder/below'],
    ['cd folder; false', 'folder'],
    ['cd ..', ''],
    ['cd /', ''],
    ['cd ../other', ''],
    ['cd outside', ''],
  ])('after %s runs the next command in /%s', async (command, end) => {
    const { cwd, stderr } = await ran(command);
    expect(cwd).toBe(join(workspace.root, end));
    const why = `cd: that leads out of the workspace: still in ${workspace.root}`;
    if (end === '') expect(stderr.includes(why) || stderr.includes('No such file')).toBe(true);
    else expect(stderr).toBe('');
    expect((await ran('pwd -P', { cwd })).stdout).toBe(`${cwd}\n`);
  });

  it('reports that a cd out of the workspace had no effect', async () => {
    expect((await ran('echo err >&2; cd ..')).stderr).toBe(
      `err\ncd: that leads out of the workspace: still in ${workspace.root}\n`,
    );
  });

  it('accepts a cwd relative to the first root', async () => {
    expect((await ran('pwd -P', { cwd: 'one/folder' })).stdout).toBe(`${workspace.root}/folder\n`);
  });

  it('shows a command only the workspace around cwd, or all workspaces if cwd is the root itself', async () => {
    expect((await ran('ls ..')).stdout).toBe('one\n');
    expect((await ran('ls', { cwd: await realpath(service.root) })).stdout).toBe('one\nother\n');
  });

  it('accepts a command of up to 4096 characters', async () => {
    expect((await ran(`echo ${'ö'.repeat(4091)}`)).stdout).toBe(`${'ö'.repeat(4091)}\n`);
    expect((await exec('x'.repeat(4097))).status).toBe(400);
  });

  it('truncates each output at 1 MB, between characters', async () => {
    const { stdout, stderr, truncated, exitCode } = await ran(
      'yes ß | head -c 3000000; echo end >&2; exit 9',
    );
    expect({ stderr, truncated, exitCode }).toEqual({ stderr: 'end\n', truncated: true, exitCode: 9 });
    expect(Buffer.byteLength(stdout)).toBe(1024 * 1024 - 1);
    expect(stdout.endsWith('ß\n')).toBe(true);
  });

  it('does not wait for background processes', async () => {
    expect(await ran('sleep 600 & echo done')).toMatchObject({ stdout: 'done\n', timedOut: false });
  });

  // `npm run test:long` waits half a minute for this test; test/contract/commands.contract.ts has shorter
  // limits.
  const long = process.env.COMMAND_LIMIT === undefined ? it.skip : it;

  long(
    'kills a command after 30 seconds, with all its processes',
    async () => {
      const started = Date.now();
      const left = 'for n in $(seq 600); do test -e go && echo > late && break; sleep 0.1; done';
      const result = await ran(`(${left}) & echo begun; sleep 600`);
      expect(result).toMatchObject({ stdout: 'begun\n', exitCode: 124, timedOut: true });
      expect(Date.now() - started).toBeGreaterThan(29_500);
      expect(Date.now() - started).toBeLessThan(55_000);
      expect((await ran('touch go; sleep 1.5; ls')).stdout).not.toContain('late');
    },
    90_000,
  );

  it('answers other requests while a fork bomb runs', async () => {
    const bomb = exec('timeout 2 bash -c ":(){ :|:& };:; sleep 5"');
    await new Promise((done) => setTimeout(done, 300));
    for (let round = 0; round < 10; round++)
      expect((await service.call('GET', '/api/health')).status).toBe(200);
    await bomb;
  });

  it('updates the index after a command changed files', async () => {
    await writeFile(join(workspace.root, 'notes.md'), 'zebras were here before');
    await syncWorkspace(service, workspace.id);
    const find = async (q: string) => {
      const path = `/api/workspaces/${workspace.id}/search?q=${q}`;
      return (await service.call<{ path: string }[]>('GET', path)).body.map((passage) => passage.path);
    };
    expect(await find('zebras')).toEqual(['notes.md']);
    await Promise.all([
      ran('echo "quokkas now" > found.md'),
      ran('rm notes.md'),
      ran('mkdir sub; echo okapis > sub/a.md'),
    ]);
    await eventually(
      () => find('quokkas'),
      (paths) => paths.includes('found.md'),
    );
    await eventually(
      () => find('okapis'),
      (paths) => paths.includes('sub/a.md'),
    );
    await eventually(
      () => find('zebras'),
      (paths) => paths.length === 0,
    );
  });

  it.each([
    ['no command', { command: undefined }, 400, 'command'],
    ['an empty command', { command: '' }, 400, 'command'],
    ['NUL in the command', { command: 'a\0b' }, 400, 'command'],
    ["a command that isn't a string", { command: ['ls'] }, 400, 'command'],
    ['no cwd', { cwd: undefined }, 400, 'cwd'],
    ['an empty cwd', { cwd: '' }, 400, 'cwd'],
    ['NUL in cwd', { cwd: '/a\0' }, 400, 'cwd'],
    ['a cwd outside the roots', { cwd: '/etc' }, 400, 'cwd'],
    ['a missing cwd outside', { cwd: '/no/such' }, 400, 'cwd'],
    ['the data folder', { cwd: service.dataDir }, 400, 'cwd'],
    ['..', { cwd: `${workspace.root}/../../..` }, 400, 'cwd'],
    ['a link to the outside', { cwd: join(workspace.root, 'outside') }, 400, 'cwd'],
    ['a file as cwd', { cwd: join(workspace.root, 'file.txt') }, 400, 'cwd'],
    ['a missing directory', { cwd: join(workspace.root, 'missing') }, 404, 'cwd'],
    ['an unknown field', { timeout: 5 }, 400, 'timeout'],
  ])('rejects %s', async (_what, fields, status, named) => {
    const answer = await exec('ls', fields);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(named) });
  });
});

describe('POST /api/terminal/exec with tokens', () => {
  it('allows members in the workspaces of their tokens', async () => {
    const guarded = await startService({
      AUTH_MODE: 'token',
      DATA_DIR: service.dataDir,
      DATA_DIR_SHARED: 'true',
    });
    const env = { PATH: process.env.PATH, DATA_DIR: service.dataDir };
    const make = async (...args: string[]) => {
      const run = [TOKEN_COMMAND, 'create', '--name', 'x', ...args];
      const { stdout } = await runProgram(process.execPath, run, { env, cwd: service.dataDir });
      return { authorization: `Bearer ${stdout.trim()}` };
    };
    const statusOf = async (headers: Record<string, string>, cwd: string) => {
      const answer = await guarded.call('POST', '/api/terminal/exec', { command: 'true', cwd }, headers);
      return answer.status;
    };
    const viewer = await make('--role', 'viewer');
    const bound = await make('--role', 'member', '--workspaces', workspace.id);
    const member = await make('--role', 'member');
    expect(await statusOf({}, workspace.root)).toBe(401);
    expect(await statusOf(viewer, workspace.root)).toBe(403);
    expect(await statusOf(bound, workspace.root)).toBe(200);
    expect(await statusOf(bound, join(workspace.root, 'folder'))).toBe(200);
    expect(await statusOf(bound, other.root)).toBe(403);
    expect(await statusOf(bound, service.root)).toBe(403);
    expect(await statusOf(member, other.root)).toBe(200);
    expect(await statusOf(member, service.root)).toBe(200);
    await guarded.stop();
  });
});
