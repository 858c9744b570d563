import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Dataset } from '../../../lib/datasets/schema.ts';
import { LONG, startDownloads } from '../../support/downloads.ts';
import { fakeFile, fakeRepo, startFakeHub } from '../../support/fakes/fake-hub.ts';
import { differences } from '../../support/samples/dataset-folder.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const KILLS = LONG ? 100 : 2;
const WORKERS = 8;
const PROCESS = join(import.meta.dirname, '../../support/processes/download-process.ts');

const FILES = [
  ...Array.from({ length: 300 }, (_, index) => fakeFile(`small/${index}.bin`, 4096 + index, false)),
  ...Array.from({ length: 4 }, (_, index) => fakeFile(`middle/${index}.bin`, 20_000_000 + index)),
  ...(LONG ? [fakeFile('large.bin', 270_000_000)] : []),
];
const TOTAL = FILES.reduce((sum, { size }) => sum + size, 0);

it('download that is killed repeatedly ends with the exact bytes, and downloads few of them twice', async () => {
  const hub = await startFakeHub({ 'o/n': fakeRepo(FILES) });
  for (const { path, size } of FILES) if (size > 5000) hub.repos.get('o/n')?.faults.set(path, { paceMs: 2 });
  const dataDir = await tempFolder();
  const api = await startDownloads({ dataDir, hubUrl: hub.url, workers: 0 });
  let [finished, kills, sent, before] = [0, 0, 0, { files: 0, bytes: 0 }];
  let dataset = await api.create({});
  while (kills < KILLS || finished === 0) {
    const child = spawn(process.execPath, [PROCESS, dataDir, hub.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    whenDone(async () => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const life = kills < KILLS ? 200 + Math.random() * (LONG ? 2500 : 500) : Number.POSITIVE_INFINITY;
    dataset = await watchFor(life, () => api.read(dataset.id), before);
    before = { files: dataset.downloadedFiles, bytes: dataset.downloadedBytes };
    child.kill('SIGKILL');
    await once(child, 'exit');
    if (dataset.status !== 'ready') {
      kills += 1;
      continue;
    }
    finished += 1;
    expect(await differences(dataset.localPath, FILES)).toEqual([]);
    sent += TOTAL;
    before = { files: 0, bytes: 0 };
    await rm(join(dataset.localPath, '..'), { recursive: true });
    dataset = await api.create({});
  }
  const served = [...hub.served.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const again = (served - sent - before.bytes) / Math.max(1, kills);
  process.stderr.write(`${kills} kills, ${finished} finished, ${Math.round(again / 1e6)} MB again a kill\n`);
  // A part of the medium files, and the socket buffers, for each worker.
  expect(again).toBeLessThan(WORKERS * 20_000_000);
}, 1_200_000);

/** Expects that its counters never go backwards, not even after a kill. */
async function watchFor(ms: number, read: () => Promise<Dataset>, before: { files: number; bytes: number }) {
  const until = Date.now() + ms;
  for (let last = before; ; ) {
    const dataset = await read();
    expect(dataset.downloadedBytes).toBeGreaterThanOrEqual(last.bytes);
    expect(dataset.downloadedFiles).toBeGreaterThanOrEqual(last.files);
    last = { files: dataset.downloadedFiles, bytes: dataset.downloadedBytes };
    if (Date.now() > until || dataset.status === 'ready') return dataset;
    await new Promise((done) => setTimeout(done, 10));
  }
}
