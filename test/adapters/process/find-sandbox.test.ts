import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findSandbox } from '../../../lib/adapters/process/find-sandbox.ts';
import { runProgram } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const OPENER = resolve(import.meta.dirname, '../../../lib/choose/commands.ts');
const CONFIG = resolve(import.meta.dirname, '../../../lib/config.ts');
const onLinux = process.platform === 'linux' ? it : it.skip;

/** Runs a program where no user namespace can be made, as in many containers. */
function withoutNamespaces(program: string[], env: Record<string, string>, cwd: string) {
  const script = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
  const outer = ['--user', '--map-root-user', '--', 'sh', '-c', script, 'sh', ...program];
  return runProgram('unshare', outer, { env: { PATH: process.env.PATH, ...env }, cwd });
}

/** Opens commands as a function does, runs one, and prints what came of it. */
async function runWithout(env: Record<string, string>) {
  const folder = await tempFolder();
  const code = `
    const [{ openCommands, describeSandbox }, { readConfig }] = await Promise.all([import('${OPENER}'), import('${CONFIG}')]);
    const config = readConfig();
    const { sandbox, reason } = await describeSandbox(config);
    const place = { cwd: '${folder}', writable: ['${folder}'], timeoutMs: 30_000, maxOutputBytes: 1000 };
    const outcome = await (await openCommands(config)).run({ script: 'echo ran', ...place }).catch((error) => error);
    console.log(JSON.stringify({ kind: sandbox.kind, reason, status: outcome.status, text: outcome.message ?? outcome.stdout }));`;
  const { stdout, stderr } = await withoutNamespaces(
    [process.execPath, '--input-type=module', '-e', code],
    env,
    folder,
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('findSandbox', () => {
  it('looks once, and remembers', async () => {
    const options = { network: 'none' as const, hidden: [] };
    expect(await findSandbox(options)).toBe(await findSandbox({ ...options }));
  });

  onLinux('names what each way answered where none works', async () => {
    const { kind, reason } = await runWithout({ AUTH_MODE: 'token' });
    expect(kind).toBe('none');
    expect(reason).toMatch(/namespaces: .*unshare/);
  });
});

describe('where there is no sandbox', () => {
  onLinux('commands are refused with 503, which says what to install or set', async () => {
    const { status, text } = await runWithout({ AUTH_MODE: 'token' });
    expect(status).toBe(503);
    expect(text).toMatch(/bubblewrap.*ALLOW_UNSANDBOXED_COMMANDS=true/);
  });

  onLinux.each([
    ['on a loopback without credentials', { AUTH_MODE: 'disabled' }],
    ['when the administrator says so', { AUTH_MODE: 'token', ALLOW_UNSANDBOXED_COMMANDS: 'true' }],
  ])('commands run %s', async (_what, env) => {
    expect(await runWithout(env)).toMatchObject({ kind: 'none', text: 'ran\n' });
  });
});

describe('npm start', () => {
  it('says at the start where commands run', async () => {
    const [closed, open] = await Promise.all([startService(), startService({ COMMAND_NETWORK: 'host' })]);
    expect(closed.output()).toMatch(/^commands {4}in a sandbox \(\w+\), without network$/m);
    expect(open.output()).toMatch(/^commands {4}in a sandbox \(\w+\), with the network of this machine$/m);
  });
});
