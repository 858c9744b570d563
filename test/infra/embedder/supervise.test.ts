import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
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
    ...{ embeds: true, reranks: false },
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

it('starts the embedder again at the same address, and ends it at the end', async () => {
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

it('does not start one again that refuses its model', async () => {
  const { starts } = await supervise('refused');
  await eventually(starts, (pids) => pids.length === 1);
  await sleep(300);
  expect(await starts()).toHaveLength(1);
});

describe('what is run of what is installed', () => {
  const SET = ['URL', 'KEY', 'MODEL'].map((name) => `LOCAL_EMBEDDER_${name}`).concat('LOCAL_RERANKER_MODEL');
  afterEach(() => {
    for (const name of SET) delete process.env[name];
  });

  async function install(folder: string, model: string) {
    const file = { bytes: 1, sha256: 'x' };
    const files = { 'model.onnx': file, 'tokenizer.json': file, 'tokenizer_config.json': file };
    await mkdir(folder, { recursive: true });
    const prefixes = { query: '', passage: '' };
    const manifest = { model, source: 'x', installedAt: 'x', files, prefixes };
    await writeFile(manifestPath(folder), JSON.stringify(manifest));
  }

  /** Returns the order that the process got, and the models that the service knows. */
  async function start(
    installed: ('e' | 'r')[],
    environment: NodeJS.ProcessEnv = {},
    aws?: ReturnType<typeof readConfig>['aws'],
  ) {
    const dataDir = await tempFolder();
    const folder = join(dataDir, 'embedder');
    await mkdir(folder);
    if (installed.includes('e')) await install(folder, 'e@1');
    if (installed.includes('r')) await install(join(folder, 'reranker'), 'r@1');
    const config = { ...readConfig({ DATA_DIR: dataDir, ...environment }), aws };
    whenDone(async () => stop());
    const stop = await startLocalEmbedder(config, new URL(program));
    const { LOCAL_EMBEDDER_MODEL: embedder, LOCAL_RERANKER_MODEL: reranker } = process.env;
    if (process.env.LOCAL_EMBEDDER_URL === undefined) return { embedder, reranker };
    const text = await eventually(
      () => readFile(join(folder, 'order'), 'utf8').catch(() => ''),
      (written) => written !== '',
    );
    return { embedder, reranker, ...JSON.parse(text) };
  }

  const BOTH = { embedder: 'e@1', reranker: 'r@1', embeds: true, reranks: true };
  const EMBEDDER = { ...BOTH, reranker: undefined, reranks: false };
  const RERANKER = { ...BOTH, embedder: undefined, embeds: false };
  const NONE = { embedder: undefined, reranker: undefined };
  const [KEY, SERVICE] = [{ PROVIDER_A_API_KEY: 'k' }, { RERANK_BASE_URL: 'http://127.0.0.1:9' }];

  it.each<[string, ('e' | 'r')[], NodeJS.ProcessEnv, object]>([
    ['both models', ['e', 'r'], {}, BOTH],
    ['the embedder alone', ['e'], {}, EMBEDDER],
    ['the reranker alone', ['r'], {}, RERANKER],
    ['the reranker, next to a provider with embeddings', ['e', 'r'], KEY, RERANKER],
    ['the embedder, next to a reranking service', ['e', 'r'], SERVICE, EMBEDDER],
    ['nothing, next to both services', ['e', 'r'], { ...KEY, ...SERVICE }, NONE],
    ['nothing that is not installed', [], {}, NONE],
  ])('runs %s', async (_, installed, environment, expected) => {
    expect(await start(installed, environment)).toEqual(expected);
  });

  it('runs nothing next to records on AWS', async () => {
    expect(await start(['e', 'r'], {}, {} as never)).toEqual(NONE);
  });
});
