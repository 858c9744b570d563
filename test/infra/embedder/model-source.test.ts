import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, jest } from '@jest/globals';
import type { ModelKind } from '../../../infra/embedder/manifest.ts';
import { copyModel, fetchModel, findPrefixes } from '../../../infra/embedder/model-source.ts';
import { readConfig } from '../../../lib/config.ts';
import { fakeRepo, startFakeHub, textFile } from '../../support/fakes/fake-hub.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FILES = [
  textFile('onnx/model.onnx', 'the larger graph', true),
  textFile('onnx/model_quantized.onnx', 'the graph', true),
  textFile('tokenizer.json', '{}'),
  textFile('tokenizer_config.json', '{"a":1}'),
  textFile('README.md', 'about it'),
];
const hub = await startFakeHub({
  'owner/e5': fakeRepo(FILES),
  'owner/spoilt': fakeRepo(FILES, { faults: new Map([['tokenizer.json', { corrupt: 9 }]]) }),
  'owner/other': fakeRepo([textFile('model.gguf', 'x')]),
});
const config = readConfig({ HUB_A_BASE_URL: hub.url });

beforeEach(() => {
  jest.spyOn(console, 'log').mockImplementation(() => {});
});

function fetch(id: string, folder: string, kind: ModelKind = 'embedder') {
  return fetchModel(config, { id, revision: 'main' }, kind, folder);
}

it("fetchModel downloads the three necessary files of the revision's current commit", async () => {
  const folder = await tempFolder();
  const commit = hub.repos.get('owner/e5')?.commit;
  expect(await fetch('owner/e5', folder)).toEqual({ name: 'e5', source: `owner/e5@${commit}` });
  expect(await readFile(join(folder, 'model.onnx'), 'utf8')).toBe('the graph');
  expect(await readFile(join(folder, 'tokenizer_config.json'), 'utf8')).toBe('{"a":1}');
  expect([...hub.served.keys()].sort()).toEqual([
    'onnx/model_quantized.onnx',
    'tokenizer.json',
    'tokenizer_config.json',
  ]);
});

it("fetchModel keeps no file whose hash differs from the hub's", async () => {
  const folder = await tempFolder();
  await expect(fetch('owner/spoilt', folder)).rejects.toThrow(/promised hash/);
  expect((await readdir(folder)).filter((name) => name.startsWith('tokenizer'))).toEqual([]);
});

it('fetchModel reports missing files of a repository or a folder', async () => {
  const [folder, from] = [await tempFolder(), await tempFolder()];
  await expect(fetch('owner/other', folder)).rejects.toThrow(
    /owner\/other has no onnx\/model_quantized.onnx or/,
  );
  await writeFile(join(from, 'model.onnx'), 'a graph');
  await expect(copyModel(from, 'embedder', folder)).rejects.toThrow(/has no tokenizer.json/);
  await expect(fetch('owner/e5', folder, 'entailment')).rejects.toThrow(/owner\/e5 has no config.json/);
});

it('fetchModel knows the prefixes of models that were trained with them', async () => {
  const folder = join(await tempFolder(), 'model');
  await mkdir(folder);
  await writeFile(join(folder, 'tokenizer_config.json'), '{}');
  expect(await findPrefixes(folder, 'multilingual-e5-small')).toEqual({
    query: 'query: ',
    passage: 'passage: ',
  });
  expect(await findPrefixes(folder, 'all-MiniLM-L6-v2')).toEqual({ query: '', passage: '' });
});
