import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { filesOf, homeOf, MODEL_KINDS, type ModelKind } from '../../../infra/embedder/manifest.ts';
import { startLocalEmbedder, superviseEmbedder } from '../../../infra/embedder/supervise.ts';
import { readConfig } from '../../../lib/config.ts';
import { manifestPath } from '../../../lib/paths/installed-files.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const program = pathToFileURL(join(import.meta.dirname, '../../support/fakes/fake-embedder-program.ts')).href;

async function supervise(name: string) {
  const folder = join(await tempFolder(), name);
  await mkdir(folder);
  const { url, stop } = await superviseEmbedder({
    ...{ program, folder, firstPauseMs: 50 },
    runs: ['embedder'],
  });
  whenDone(async () => stop());
  const starts = async () =>
    (await readFile(join(folder, 'starts'), 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '');
  const ask = (path = '') =>
    fetch(new URL(path, url)).then(
      (answer) => answer.text(),
      () => undefined,
    );
  return { starts, ask, stop };
}

it('supervisor restarts the embedder at the same URL, and stops it at the end', async () => {
  const { starts, ask, stop } = await supervise('embedder');
  const first = await eventually(ask, (pid) => pid !== undefined);
  await ask('/end');
  const second = await eventually(ask, (pid) => pid !== undefined && pid !== first);
  expect(await starts()).toEqual([first, second]);
  stop();
  await eventually(ask, (pid) => pid === undefined);
  await sleep(150);
  expect(await starts()).toHaveLength(2);
});

it('supervisor does not restart an embedder that rejects its model', async () => {
  const { starts } = await supervise('refused');
  await eventually(starts, (pids) => pids.length === 1);
  await sleep(300);
  expect(await starts()).toHaveLength(1);
});

describe('supervisor with installed models', () => {
  const SET = ['URL', 'KEY', 'MODEL']
    .map((name) => `LOCAL_EMBEDDER_${name}`)
    .concat('LOCAL_RERANKER_MODEL', 'LOCAL_ENTAILMENT_MODEL');
  afterEach(() => {
    for (const name of SET) delete process.env[name];
  });

  async function install(folder: string, model: string) {
    const file = { bytes: 1, sha256: 'x' };
    const files = Object.fromEntries(filesOf('entailment').map((name) => [name, file]));
    await mkdir(folder, { recursive: true });
    const prefixes = { query: '', passage: '' };
    const manifest = { model, source: 'x', installedAt: 'x', files, prefixes };
    await writeFile(manifestPath(folder), JSON.stringify(manifest));
  }

  /** Returns the command of the process, and the models that the service knows. */
  async function start(
    installed: ModelKind[],
    environment: NodeJS.ProcessEnv = {},
    aws?: ReturnType<typeof readConfig>['aws'],
  ) {
    const dataDir = await tempFolder();
    const folder = join(dataDir, 'embedder');
    await mkdir(folder);
    for (const kind of installed) await install(homeOf(folder, kind), `${kind}@1`);
    const config = { ...readConfig({ DATA_DIR: dataDir, ...environment }), aws };
    whenDone(async () => stop());
    const stop = await startLocalEmbedder(config, new URL(program));
    const models = MODEL_KINDS.map((kind) => process.env[`LOCAL_${kind.toUpperCase()}_MODEL`]);
    const known = models.filter((model) => model !== undefined);
    if (process.env.LOCAL_EMBEDDER_URL === undefined) return { known, runs: [] };
    const text = await eventually(
      () => readFile(join(folder, 'order'), 'utf8').catch(() => ''),
      (written) => written !== '',
    );
    return { known, runs: JSON.parse(text) };
  }

  const [KEY, RERANKER, ENTAILMENT] = [
    { PROVIDER_A_API_KEY: 'k' },
    { RERANK_BASE_URL: 'http://127.0.0.1:9' },
    { ENTAILMENT_BASE_URL: 'http://127.0.0.1:9' },
  ];

  it.each<[string, ModelKind[], NodeJS.ProcessEnv, ModelKind[]]>([
    ['all models', [...MODEL_KINDS], {}, [...MODEL_KINDS]],
    ['only the embedder', ['embedder'], {}, ['embedder']],
    ['only the reranker', ['reranker'], {}, ['reranker']],
    ['only the entailment model', ['entailment'], {}, ['entailment']],
    ['the others, next to a provider with embeddings', [...MODEL_KINDS], KEY, ['reranker', 'entailment']],
    ['the others, next to a reranking service', [...MODEL_KINDS], RERANKER, ['embedder', 'entailment']],
    ['the others, next to an entailment service', [...MODEL_KINDS], ENTAILMENT, ['embedder', 'reranker']],
    ['nothing, next to all services', [...MODEL_KINDS], { ...KEY, ...RERANKER, ...ENTAILMENT }, []],
    ["nothing that isn't installed", [], {}, []],
  ])('runs %s', async (_, installed, environment, runs) => {
    expect(await start(installed, environment)).toEqual({ runs, known: runs.map((kind) => `${kind}@1`) });
  });

  it('runs no model if the records are on AWS', async () => {
    expect(await start([...MODEL_KINDS], {}, {} as never)).toEqual({ known: [], runs: [] });
  });
});
