import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { superviseEmbedder } from '../../../infra/embedder/supervise.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const program = pathToFileURL(join(import.meta.dirname, '../../support/fakes/fake-embedder-program.ts')).href;

async function supervise(name: string) {
  const folder = join(await tempFolder(), name);
  await mkdir(folder);
  const { url, stop } = await superviseEmbedder({ program, folder, firstPauseMs: 50 });
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
