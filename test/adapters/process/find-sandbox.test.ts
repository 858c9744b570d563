import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findSandbox } from '../../../lib/adapters/process/find-sandbox.ts';
import { kubeconfigFile } from '../../support/cluster.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const OPENER = resolve(import.meta.dirname, '../../../lib/wiring/commands.ts');
const AGENT = resolve(import.meta.dirname, '../../../lib/wiring/agent.ts');
const WELCOME = resolve(import.meta.dirname, '../../../infra/local/welcome.ts');
const CONFIG = resolve(import.meta.dirname, '../../../lib/config.ts');
const onLinux = process.platform === 'linux' ? it : it.skip;

/** Runs a program without user namespaces, as in many containers. */
function withoutNamespaces(program: string[], env: Record<string, string>, cwd: string) {
  const script = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
  const outer = ['--user', '--map-root-user', '--', 'sh', '-c', script, 'sh', ...program];
  return runProgram('unshare', outer, { env: { PATH: process.env.PATH, ...env }, cwd });
}

/** Opens commands as a function does, runs one, and prints the result. */
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

/** Limits of a cluster without requests. */
const KUBECONFIG = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'none',
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
  clusters: [{ name: 'none', cluster: { server: 'https://127.0.0.1:9' } }],
  users: [{ name: 'none', user: { token: 'none' } }],
});

/** Returns the start message, and the state of the tool that needs an approval. */
async function lookWithout(env: Record<string, string>) {
  const folder = await tempFolder();
  const code = `
    const [{ openAgent }, { printWelcome }, { readConfig }] =
      await Promise.all([import('${AGENT}'), import('${WELCOME}'), import('${CONFIG}')]);
    const config = readConfig();
    await printWelcome(config, 'http://127.0.0.1');
    const { tools } = await (await openAgent(config))();
    const tool = tools.find(({ name }) => name === 'submitJob');
    const context = { runId: 'r', workspace: { id: 'w' }, caller: { id: 'c' }, approvedBy: null };
    const asks = tool.approval !== undefined;
    const refusal = asks ? undefined : await tool.run({ name: 'j', command: 'true', namespace: 'n' }, context).catch((error) => error.message);
    console.log('\\n' + JSON.stringify({ asks, refusal }));`;
  const { stdout, stderr } = await withoutNamespaces(
    [process.execPath, '--input-type=module', '-e', code],
    { ...env, DATA_DIR: folder, KUBECONFIG_PATH: await kubeconfigFile(KUBECONFIG) },
    folder,
  );
  if (!stdout.includes('"asks"')) throw new Error(stderr);
  const [welcome = '', jobs = ''] = stdout.split('\n\n');
  return { welcome, jobs: JSON.parse(jobs) };
}

describe('findSandbox', () => {
  it('probes once and caches the result', async () => {
    const options = { network: 'none' as const, hidden: [] };
    expect(await findSandbox(options)).toBe(await findSandbox({ ...options }));
  });

  onLinux('reports the result of each sandbox if none works', async () => {
    const { kind, reason } = await runWithout({ AUTH_MODE: 'token' });
    expect(kind).toBe('none');
    expect(reason).toMatch(/namespaces: .*unshare/);
  });
});

describe('commands without a sandbox', () => {
  onLinux.each(['token', 'disabled'])(
    'commands are refused with 503, which says what to install or set: AUTH_MODE=%s',
    async (AUTH_MODE) => {
      const { status, text } = await runWithout({ AUTH_MODE });
      expect(status).toBe(503);
      expect(text).toMatch(/bubblewrap.*ALLOW_UNSANDBOXED_COMMANDS=true/);
    },
  );

  onLinux.each(['token', 'disabled'])(
    'commands run if the administrator allows it: AUTH_MODE=%s',
    async (AUTH_MODE) => {
      const outcome = await runWithout({ AUTH_MODE, ALLOW_UNSANDBOXED_COMMANDS: 'true' });
      expect(outcome).toMatchObject({ kind: 'none', text: 'ran\n' });
    },
  );

  onLinux.each(['token', 'disabled'])(
    'calls that need an approval are refused, because a command could approve them: AUTH_MODE=%s',
    async (AUTH_MODE) => {
      const { welcome, jobs } = await lookWithout({ AUTH_MODE, ALLOW_UNSANDBOXED_COMMANDS: 'true' });
      expect(welcome).toMatch(/^commands {4}WITHOUT a sandbox: .* including tokens and approvals/m);
      expect(welcome).toMatch(/^cluster .* read-only: commands run without a sandbox/m);
      expect(jobs).toEqual({
        asks: false,
        refusal: expect.stringMatching(/ALLOW_UNSANDBOXED_COMMANDS=true/),
      });
    },
  );

  onLinux('asks for approval where commands are denied', async () => {
    const { welcome, jobs } = await lookWithout({ AUTH_MODE: 'token' });
    expect(welcome).not.toMatch(/to look at only/);
    expect(jobs).toEqual({ asks: true });
  });
});

describe('npm start', () => {
  it('reports where commands run', async () => {
    const [closed, open] = await Promise.all([startService(), startService({ COMMAND_NETWORK: 'host' })]);
    expect(closed.output()).toMatch(/^commands {4}in a sandbox \(\w+\), without network$/m);
    expect(open.output()).toMatch(/^commands {4}in a sandbox \(\w+\), with the network of this host$/m);
  });
});
