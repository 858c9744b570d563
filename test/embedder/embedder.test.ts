import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { embedderFolder, homeOf, type ModelManifest, modelFolder } from '../../infra/embedder/manifest.ts';
import { readLabels } from '../../lib/adapters/text-embeddings-inference/entailment.ts';
import type { IndexState } from '../../lib/indexing/schema.ts';
import { describeFile, manifestPath } from '../../lib/paths/installed-files.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { writeTinyEntailment, writeTinyModel, writeTinyReranker } from '../support/samples/tiny-model.ts';
import { type Service, startService } from '../support/service.ts';
import { eventually, syncWorkspace } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const dataDir = join(await tempFolder(), 'data');
const source = join(await tempFolder(), 'tiny-e5');
const rerankerSource = join(await tempFolder(), 'tiny-cross-encoder');
const entailmentSource = join(await tempFolder(), 'tiny-nli');
const folder = embedderFolder(dataDir);
const [rerankerHome, entailmentHome] = [homeOf(folder, 'reranker'), homeOf(folder, 'entailment')];
let manifest: ModelManifest;
let reranker: ModelManifest;
let entailment: ModelManifest;

const readManifest = async (home: string) => JSON.parse(await readFile(manifestPath(home), 'utf8'));

/** The installer that `npm run embedder` runs. */
function embedderCli(...args: string[]) {
  const options = { env: { ...process.env, DATA_DIR: dataDir }, cwd: source };
  return runProgram(process.execPath, [join(ROOT, 'infra/embedder/cli.ts'), ...args], options);
}

/** The embedder process that a host runs. */
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
  await writeTinyReranker(rerankerSource);
  await writeTinyEntailment(entailmentSource, ['contradiction', 'entailment', 'neutral']);
  for (const args of [
    ['--from', source],
    ['--reranker', '--from', rerankerSource],
    ['--entailment', '--from', entailmentSource],
  ]) {
    const { code, stdout, stderr } = await embedderCli('install', ...args);
    if (code !== 0) throw new Error(`${stdout}${stderr}`);
  }
  manifest = await readManifest(folder);
  reranker = await readManifest(rerankerHome);
  entailment = await readManifest(entailmentHome);
}, 300_000);

/** Runs in a separate process, because the runtime doesn't accept arrays of Jest's realm. */
async function runModel<Result>(expression: string): Promise<Result> {
  const file = (name: string) => JSON.stringify(join(ROOT, `infra/embedder/${name}.ts`));
  const folders = (home: string) => `${JSON.stringify(folder)}, ${JSON.stringify(modelFolder(home))}`;
  const program = `import { loadEmbeddingModel } from ${file('embedding-model')};
    import { loadEntailmentModel, loadRerankingModel } from ${file('cross-encoders')};
    const embed = await loadEmbeddingModel(${folders(folder)}, 1);
    const score = await loadRerankingModel(${folders(rerankerHome)}, 1);
    const label = await loadEntailmentModel(${folders(entailmentHome)}, 1);
    const each = (run, pairs) => pairs.reduce(async (done, pair) => [...(await done), await run(...pair)], []);
    console.log(JSON.stringify(${expression}));`;
  const { stdout, stderr } = await runProgram(process.execPath, ['--input-type=module', '-e', program]);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

function embed(texts: string[]): Promise<number[][]> {
  return runModel(`(await embed(${JSON.stringify(texts)})).map((vector) => [...vector])`);
}

function score(question: string, texts: string[]): Promise<number[]> {
  return runModel(`await each(score, ${JSON.stringify(texts.map((text) => [question, text]))})`);
}

it('embedder installs the runtime for one system and the model, and runs the model', async () => {
  const binaries = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6');
  expect((await readdir(binaries, { recursive: true })).filter((path) => path.endsWith('.node'))).toEqual([
    `${process.platform}/${process.arch}/onnxruntime_binding.node`,
  ]);
  const library = (await readdir(join(binaries, process.platform, process.arch))).find((name) =>
    name.startsWith('libonnxruntime'),
  );
  // Later versions report every session to their vendor.
  expect(
    (await readFile(join(binaries, process.platform, process.arch, library ?? ''))).includes('OneCollector'),
  ).toBe(false);
  expect(manifest).toMatchObject({ model: expect.stringMatching(/^tiny-e5@[0-9a-f]{8}$/), source });
  expect(manifest.prefixes).toEqual({ query: 'query: ', passage: 'passage: ' });
  const [owls, rivers, both] = await embed(['owls hunt', 'rivers flow sea', 'owls hunt rivers flow sea']);
  expect(Math.hypot(...(owls ?? []))).toBeCloseTo(1, 5);
  const dot = (a?: number[], b?: number[]) => a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0);
  expect(dot(owls, rivers)).toBeCloseTo(0, 5);
  expect(dot(owls, both)).toBeCloseTo(2 / Math.sqrt(2 * 5), 5); // padding doesn't change shorter rows
});

it('embedder runs a cross-encoder on pairs of texts, including the longest ones', async () => {
  expect(reranker).toMatchObject({ model: expect.stringMatching(/^tiny-cross-encoder@[0-9a-f]{8}$/) });
  const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));
  const scores = await score('owls hunt at night', ['rivers flow', 'night birds', 'owls hunt']);
  [-0.5, 0.5, 1.5].forEach((value, at) => {
    expect(scores[at]).toBeCloseTo(sigmoid(value), 5);
  });
  const long = 'rivers '.repeat(2000);
  const [known, cut] = await score('owls', [`owls ${long}`, `${long} owls`]);
  expect([known, cut]).toEqual([expect.closeTo(sigmoid(0.5), 5), expect.closeTo(sigmoid(-0.5), 5)]);
  // The model reads 190 of the question's tokens.
  const [asked] = await score('owls '.repeat(2000), ['owls']);
  expect(asked).toBeGreaterThan(0.99);
});

it("embedder labels pairs of texts with the names in the model's config, and rejects a sentence that would be truncated", async () => {
  expect(entailment).toMatchObject({ model: expect.stringMatching(/^tiny-nli@[0-9a-f]{8}$/) });
  expect(Object.keys(entailment.files).sort()).toEqual([
    'config.json',
    'model.onnx',
    'tokenizer.json',
    'tokenizer_config.json',
  ]);
  const long = 'rivers '.repeat(2000);
  const pairs = [
    ['owls hunt at night', 'owls hunt'],
    ['owls hunt at night', 'rivers flow'],
    ['rivers flow sea', 'sea birds'],
    [`owls hunt ${long}`, 'owls hunt'],
    ['owls hunt', `owls hunt ${long}`],
  ];
  const labels = await runModel<{ label: string; score: number }[][]>(
    `await each(label, ${JSON.stringify(pairs)})`,
  );
  expect(labels[0]?.map(({ label }) => label)).toEqual(['contradiction', 'entailment', 'neutral']);
  expect(labels[0]?.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 5);
  expect(labels.map((each) => readLabels(each))).toEqual([
    { entailment: expect.closeTo(0.88, 2), contradiction: expect.closeTo(0, 2) },
    { entailment: expect.closeTo(0, 2), contradiction: expect.closeTo(0, 2) },
    { entailment: expect.closeTo(0, 2), contradiction: expect.closeTo(1, 2) },
    { entailment: expect.closeTo(0.88, 2), contradiction: expect.closeTo(0, 2) },
    undefined,
  ]);
});

it.each([
  [
    'a model with three labels in another order',
    ['entailment', 'neutral', 'contradiction'],
    /\d+ sentences of an answer/,
  ],
  ['a fact-checking model, whose labels have no names', undefined, /\d+ sentences of an answer/],
  ['no model with other labels', ['neutral', 'contradiction', 'neutral'], /can't tell what a text entails/],
])(
  'embedder installs %s',
  async (_, names, expected) => {
    const from = join(await tempFolder(), 'tiny-nli');
    await writeTinyEntailment(from, names);
    const { stdout, stderr } = await embedderCli('install', '--entailment', '--from', from);
    expect(stdout + stderr).toMatch(expected);
  },
  120_000,
);

it('embedder gives the service semantic search, is restarted after a crash, and ends with the service', async () => {
  const service = await startService({ DATA_DIR: dataDir });
  expect(service.output()).toContain(`with ${manifest.model} on this host, reranked with ${reranker.model}`);
  expect(service.output()).toMatch(/^citations +judged with tiny-nli@\w+ on this host$/m);
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
  // A.md contains no word of the question.
  expect((await search()).map(({ path }) => path)).toEqual(['b.md', 'a.md']);
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

const TOKENIZERS = ['model', 'reranker/model', 'entailment/model'].map((home) => `${home}/tokenizer.json`);

/** Starts the service after a change of files, and returns its complete output. */
async function startAfter(changed: string[], says: RegExp): Promise<Service> {
  for (const path of changed) await appendFile(join(folder, path), ' ');
  const service = await startService({ DATA_DIR: dataDir, LOG_LEVEL: 'info' });
  await eventually(
    async () => service.output(),
    (output) => says.test(output),
  );
  return service;
}

it.each(TOKENIZERS)(
  "embedder doesn't run a model whose %s was changed, but runs the others",
  async (path) => {
    const file = join(folder, path);
    const text = await readFile(file, 'utf8');
    const service = await startAfter([path], /"ready":true/);
    expect(service.output()).toMatch(/tokenizer\.json of tiny-[^ ]+ was changed after the installation/);
    expect(await embedderOf(service)).toBeDefined();
    await service.stop();
    expect(await embedderCli('status')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('CHANGED after the installation'),
    });
    await writeFile(file, text);
  },
  60_000,
);

it("embedder isn't restarted if all models were changed", async () => {
  const texts = await Promise.all(TOKENIZERS.map((path) => readFile(join(folder, path))));
  const service = await startAfter(TOKENIZERS, /None of its models can be run/);
  await sleep(1500);
  expect(await embedderOf(service)).toBeUndefined();
  await service.stop();
  for (const [at, path] of TOKENIZERS.entries()) await writeFile(join(folder, path), texts[at] ?? '');
}, 60_000);

it('embedder still embeds if the reranker fails to load, or is removed while it runs', async () => {
  await writeFile(join(modelFolder(rerankerHome), 'model.onnx'), 'no graph');
  const file = await describeFile(join(modelFolder(rerankerHome), 'model.onnx'));
  await writeFile(
    manifestPath(rerankerHome),
    JSON.stringify({ ...reranker, files: { ...reranker.files, 'model.onnx': file } }),
  );
  const service = await startAfter([], /"ready":true/);
  expect(service.output()).toContain('a model of the embedder is not run');
  expect((await embedderCli('remove', '--reranker')).code).toBe(0);
  const first = (await embedderOf(service)) ?? 0;
  process.kill(first, 'SIGKILL');
  await eventually(
    async () => service.output(),
    (output) => output.split('"ready":true').length === 3,
  );
  expect(await embedderOf(service)).not.toBe(first);
  await service.stop();
  await embedderCli('install', '--reranker', '--from', rerankerSource);
}, 120_000);

it('embedder repairs packages, and keeps the old packages if npm fails', async () => {
  const binary = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6');
  const readable = () =>
    readdir(binary).then(
      () => true,
      () => false,
    );
  const failing = join(source, 'failing.mjs');
  await writeFile(failing, 'process.exit(7)');
  const options = { env: { ...process.env, DATA_DIR: dataDir, npm_execpath: failing }, cwd: source };
  const cli = [join(ROOT, 'infra/embedder/cli.ts'), 'install', '--reranker', '--from', rerankerSource];
  expect(await runProgram(process.execPath, cli, options)).toMatchObject({ code: 2 });
  expect([await readable(), (await embedderCli('status')).code]).toEqual([true, 0]);
  await rm(binary, { recursive: true });
  expect((await embedderCli('install', '--reranker', '--from', rerankerSource)).code).toBe(0);
  expect(await readable()).toBe(true);
}, 120_000);

it('embedder accepts no cross-encoder as an embedding model, and no embedding model as a cross-encoder', async () => {
  const refused = async (...args: string[]) => (await embedderCli('install', ...args)).stderr;
  expect(await refused('--from', rerankerSource)).toMatch(/can't embed text/);
  expect(await refused('--reranker', '--from', source)).toMatch(/can't rank texts by a question/);
  expect(await refused('--entailment', '--from', rerankerSource)).toMatch(/has no config.json/);
  expect(await readManifest(folder)).toEqual(manifest);
  expect(await readdir(folder)).not.toContain('staged');
  expect(await embedderCli('status')).toMatchObject({ code: 0, stdout: expect.stringContaining('reranker') });
}, 120_000);

it('embedder is removed in parts, or completely', async () => {
  await embedderCli('remove', '--reranker');
  await embedderCli('remove', '--entailment');
  const { stdout } = await embedderCli('status');
  expect(stdout).toMatch(/^embedder tiny-e5@/m);
  expect(stdout).not.toMatch(/reranker|entailment/);
  await embedderCli('remove');
  expect((await embedderCli('status')).stdout).toContain('Not installed');
}, 120_000);
