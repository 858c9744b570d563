import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { commandFunction } from '../../lib/adapters/lambda/command-function.ts';
import { lambdaCommands } from '../../lib/adapters/lambda/commands.ts';
import { openMirror } from '../../lib/adapters/lambda/mirror.ts';
import { processCommands } from '../../lib/adapters/process/commands.ts';
import type { Sandbox } from '../../lib/adapters/process/launch.ts';
import { startLambda } from '../support/fakes/fake-lambda.ts';
import { sandboxesHere } from '../support/processes/sandboxes.ts';
import {
  canStartEnvironments,
  startCommandEnvironment,
} from '../support/processes/start-command-environment.ts';
import { startSignedObjects } from '../support/signed-objects.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PLANTED = 'planted-5d1e7b';
const CREDENTIALS = {
  AWS_ACCESS_KEY_ID: `${PLANTED}-key`,
  AWS_SECRET_ACCESS_KEY: `${PLANTED}-secret`,
  AWS_SESSION_TOKEN: `${PLANTED}-session`,
};
const limits = { timeoutMs: 20_000, maxOutputBytes: 1024 * 1024 };

/** A function, and how to start an environment of it. */
type Start = () => Promise<(event: unknown, context: { tenantId?: string }) => Promise<unknown>>;

/** Two sibling workspaces. Both run commands in the same function; one of them is malicious. */
async function start(startEnvironment: Start) {
  const store = await startSignedObjects();
  const tenants: string[] = [];
  const lambda = await startLambda(async () => {
    const handle = await startEnvironment();
    return (event, context) => {
      tenants.push(context.tenantId ?? 'nobody');
      return handle(event, context);
    };
  });
  const roots = await tempFolder();
  const ports = {
    client: lambda.client,
    functionName: 'commands',
    objects: store.objects,
    signGet: store.signGet,
    notesFolder: join(await tempFolder(), 'commands'),
    isolated: true,
  };
  const commands = lambdaCommands(ports);
  const runIn = (workspaceId: string) => (script: string) => {
    const root = join(roots, workspaceId);
    return commands.run({ script, workspaceId, cwd: root, writable: [root], ...limits });
  };
  const [victim, hostile] = [join(roots, 'victim'), join(roots, 'hostile')];
  await mkdir(victim);
  await mkdir(hostile);
  await writeFile(join(victim, 'secret.txt'), `${PLANTED}-file`);
  await symlink(join(victim, 'secret.txt'), join(hostile, 'absolute'));
  await symlink('../victim', join(hostile, 'beside'));
  await runIn('victim')(
    'cp secret.txt copy.txt; cp secret.txt /tmp/left.txt; cp secret.txt "$TMPDIR/left.txt"',
  );
  return { victim, hostile, store, lambda, tenants, inVictim: runIn('victim'), inHostile: runIn('hostile') };
}

const inSandbox =
  (sandbox: Sandbox): Start =>
  async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, 'workspace'));
    const mirror = openMirror(join(folder, 'workspace'));
    const environment = { mirror, folder, cleanUp: async () => {}, shared: false };
    return commandFunction({ commands: processCommands(sandbox), ...environment });
  };

/**
 * Starts it as deployed on Lambda, which allows no sandbox. Workspaces are isolated because each environment
 * contains only one.
 */
const inFunction: Start = async () => (await startCommandEnvironment(CREDENTIALS)).handle;

const kinds: [string, Start][] = (await sandboxesHere()).map((sandbox) => [sandbox.kind, inSandbox(sandbox)]);
if (canStartEnvironments()) kinds.push(['none', inFunction]);

it('command isolation can be tested on this host', () => {
  expect(kinds).not.toEqual([]);
});

describe.each(kinds)('two workspaces, one malicious, with the sandbox: %s', (_kind, startEnvironment) => {
  let started: ReturnType<typeof start>;
  beforeAll(() => {
    started = start(startEnvironment);
  });

  it.each([
    [
      'the other workspace by every path',
      (victim: string) => `cat ${victim}/* ../victim/* ../*/secret.txt; ls -laR ..`,
    ],
    ['the other workspace by links', () => 'cat absolute beside/secret.txt; ls -la beside/'],
    [
      'the other workspace by earlier mounts',
      () => 'cat /mnt/data/workspaces/*/* /mnt/workspaces/*/*; ls -a /mnt/data /mnt/workspaces',
    ],
    [
      'remains of earlier commands',
      () => `grep -rs ${PLANTED} /tmp /var/tmp /dev/shm "$TMPDIR"; ls -laR /tmp /dev/shm`,
    ],
    ['the environment', () => 'env; set; export -p'],
    [
      'the environment and the arguments of every process',
      () => 'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/[0-9]*/task/*/environ | tr "\\0" "\\n"',
    ],
    [
      'open files of every process',
      () => 'ls -l /proc/[0-9]*/fd /proc/[0-9]*/cwd /proc/[0-9]*/root; cat /proc/[0-9]*/maps',
    ],
  ])('expose nothing of the other workspace or of the role: %s', async (_what, script) => {
    const { victim, inHostile } = await started;
    const { stdout, stderr } = await inHostile(script(victim));
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes(PLANTED))).toEqual([]);
  });

  it('never share an environment', async () => {
    const { tenants, lambda } = await started;
    await (await started).inHostile('true');
    expect(new Set(tenants)).toEqual(new Set(['victim', 'hostile']));
    const first = lambda.payloads.map((payload) => JSON.parse(payload) as { workspace: string });
    expect(first.map(({ workspace }) => workspace)).toEqual(tenants);
  });

  it("end a background process, so that it can't make later writes", async () => {
    const { inHostile, hostile } = await started;
    await inHostile(
      '(setsid sh -c "sleep 0.5; echo late > $PWD/late" >/dev/null 2>&1 &) ; nohup sleep 60 >/dev/null 2>&1 &',
    );
    expect((await inHostile('sleep 1; ls; cat /proc/[0-9]*/cmdline')).stdout).not.toMatch(/late|nohup/);
    expect(await readdir(hostile)).not.toContain('late');
  });

  it('allow changes only in their own workspace', async () => {
    const { inHostile, hostile, victim } = await started;
    await inHostile(
      'echo x > ../victim/secret.txt; echo x > beside/secret.txt; mkdir -p ../victim/new; echo x > absolute; echo mine > mine',
    );
    expect(await readFile(join(victim, 'secret.txt'), 'utf8')).toBe(`${PLANTED}-file`);
    expect((await readdir(victim)).sort()).toEqual(['copy.txt', 'secret.txt']);
    expect(await readdir(hostile)).toContain('mine');
  });

  it('get presigned URLs that reach no object of the other workspace, and accept no other size', async () => {
    const { lambda, store } = await started;
    const own = JSON.parse(lambda.payloads.at(-1) ?? '') as { results: string[]; stopped: string };
    const put = (url: string, size: number) => fetch(url, { method: 'PUT', body: Buffer.alloc(size) });
    expect((await put(own.results[0] ?? '', 10_000_000)).status).toBe(403);
    expect((await put(own.stopped, 1)).status).toBe(403);
    expect((await fetch(own.results[0] ?? '')).status).toBe(403);
    expect([...store.held.keys()].filter((key) => key.startsWith('commands/victim/'))).toEqual([]);
  });
});
