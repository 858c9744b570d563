import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { embedderFolder, type Manifest } from '../../infra/embedder/manifest.ts';
import type { IndexState } from '../../lib/indexing/schema.ts';
import { manifestPath } from '../../lib/paths/installed-files.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { writeTinyModel } from '../support/samples/tiny-model.ts';
import { type Service, startService } from '../support/service.ts';
import { eventually, syncWorkspace } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const dataDir = join(await tempFolder(), 'data');
const source = join(await tempFolder(), 'tiny-e5');
let manifest: Manifest;

/** The process of the embedder that a host runs. */
async function embedderOf(service: Service): Promise<number | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [command = '', status = ''] = await Promise.all(
      ['cmdline', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    const isChild = new RegExp(`^PPid:\\s+${service.pid}$`, 'm').test(status);
    if (isChild && command.includes('embedder/program')) return Number(pid);
  }
  return undefined;
}

beforeAll(async () => {
  await writeTinyModel(source);
  const { code, stdout, stderr } = await runProgram(
    process.execPath,
    [join(ROOT, 'infra/embedder/cli.ts'), 'install', '--from', source],
    { env: { ...process.env, DATA_DIR: dataDir }, cwd: source },
  );
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  manifest = JSON.parse(await readFile(manifestPath(embedderFolder(dataDir)), 'utf8'));
}, 300_000);

/** Runs in a process of its own: the runtime knows none of the arrays of jest's realm. */
async function embed(texts: string[]): Promise<number[][]> {
  const model = JSON.stringify(join(ROOT, 'infra/embedder/model.ts'));
  const program = `import { loadModel } from ${model};
    const embed = await loadModel(${JSON.stringify(embedderFolder(dataDir))}, 1);
    console.log(JSON.stringify((await embed(${JSON.stringify(texts)})).map((vector) => [...vector])));`;
  const { stdout, stderr } = await runProgram(process.execPath, ['--input-type=module', '-e', program]);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

it('installs one system’s runtime and the model, and runs it', async () => {
  const folder = embedderFolder(dataDir);
  const binaries = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6');
  expect((await readdir(binaries, { recursive: true })).filter((path) => path.endsWith('.node'))).toEqual([
    `${process.platform}/${process.arch}/onnxruntime_binding.node`,
  ]);
  const library = (await readdir(join(binaries, process.platform, process.arch))).find((name) =>
    name.startsWith('libonnxruntime'),
  );
  // Later versions tell their maker of every session.
  expect(
    (await readFile(join(binaries, process.platform, process.arch, library ?? ''))).includes('OneCollector'),
  ).toBe(false);
  expect(manifest).toMatchObject({ model: expect.stringMatching(/^tiny-e5@[0-9a-f]{8}$/), source });
  expect(manifest.prefixes).toEqual({ query: 'query: ', passage: 'passage: ' });
  const [owls, rivers, both] = await embed(['owls hunt', 'rivers flow sea', 'owls hunt rivers flow sea']);
  expect(Math.hypot(...(owls ?? []))).toBeCloseTo(1, 5);
  const dot = (a?: number[], b?: number[]) => a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0);
  expect(dot(owls, rivers)).toBeCloseTo(0, 5);
  expect(dot(owls, both)).toBeCloseTo(2 / Math.sqrt(2 * 5), 5); // shorter rows are not changed by what fills them up
});

it('gives the service search by meaning, is started again, and goes with the service', async () => {
  const service = await startService({ DATA_DIR: dataDir });
  expect(service.output()).toContain(`with ${manifest.model} on this host`);
  const workspace = await makeWorkspace(service);
  for (const [path, text] of [
    ['a.md', 'owls hunt at night'],
    ['b.md', 'rivers flow'],
  ] as const)
    await service.call('POST', '/api/files/write', { workspaceId: workspace.id, path, content: text });
  const state: IndexState = await syncWorkspace(service, workspace.id);
  expect(state).toMatchObject({ status: 'ready', embedding: manifest.model, errors: [] });
  const search = async () =>
    (await service.call<{ path: string }[]>('GET', `/api/workspaces/${workspace.id}/search?q=sea+rivers&k=2`))
      .body;
  expect((await search()).map(({ path }) => path)).toEqual(['b.md', 'a.md']); // a.md has no word of it
  const first = await embedderOf(service);
  if (first === undefined) throw new Error('it runs no embedder');
  process.kill(first, 'SIGKILL');
  const second = await eventually(
    () => embedderOf(service),
    (pid) => pid !== undefined && pid !== first,
  );
  await eventually(search, (found) => found.length === 2);
  await service.kill();
  const isGone = () =>
    readFile(`/proc/${second}/status`, 'utf8').then(
      (status) => /^State:\s+Z/m.test(status),
      () => true,
    );
  await eventually(isGone, (gone) => gone);
}, 120_000);

it('is not run with a file that was changed since', async () => {
  await appendFile(join(embedderFolder(dataDir), 'model/tokenizer.json'), ' ');
  const service = await startService({ DATA_DIR: dataDir });
  await eventually(
    async () => service.output(),
    (output) => output.includes('tokenizer.json was changed'),
  );
  await sleep(1500);
  expect(await embedderOf(service)).toBeUndefined();
  await service.stop();
}, 60_000);
