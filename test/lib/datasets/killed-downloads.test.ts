import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Dataset } from '../../../lib/datasets/schema.ts';
import { differences } from '../../support/dataset-folder.ts';
import { startDownloads } from '../../support/downloads.ts';
import { fakeFile, fakeRepo, startFakeHub } from '../../support/fake-hub.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** `KILL_ROUNDS=100` is the long form. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 4);
const WORKERS = 8;
const PROCESS = join(import.meta.dirname, '../../support/download-process.ts');

const FILES = [
  ...Array.from({ length: 300 }, (_, index) => fakeFile(`small/${index}.bin`, 4096 + index, false)),
  ...Array.from({ length: 4 }, (_, index) => fakeFile(`middle/${index}.bin`, 20_000_000 + index)),
  fakeFile('large.bin', 270_000_000),
];
const TOTAL = FILES.reduce((sum, { size }) => sum + size, 0);

it('a download that is killed again and again ends with the very bytes, and fetches little twice', async () => {
  const hub = await startFakeHub({ 'o/n': fakeRepo(FILES) });
  for (const { path, size } of FILES) if (size > 5000) hub.repos.get('o/n')?.faults.set(path, { paceMs: 2 });
  const dataDir = await tempFolder();
  const api = await startDownloads({ dataDir, hubUrl: hub.url, workers: 0 });
  let [rounds, finished, kills, sent, before] = [0, 0, 0, 0, { files: 0, bytes: 0 }];
  let dataset = await api.create({});
  while (rounds < ROUNDS || finished === 0) {
    const child = spawn(process.execPath, [PROCESS, dataDir, hub.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    dataset = await watchFor(200 + Math.random() * 2500, () => api.read(dataset.id), before);
    before = { files: dataset.downloadedFiles, bytes: dataset.downloadedBytes };
    child.kill('SIGKILL');
    await once(child, 'exit');
    rounds += 1;
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
  process.stderr.write(
    `${rounds} rounds, ${kills} kills, ${finished} finished, ${Math.round(again / 1e6)} MB again a kill\n`,
  );
  // A part of the middle files, what the sockets held, for each worker.
  expect(again).toBeLessThan(WORKERS * 20_000_000);
  await api.stop();
  await hub.stop();
}, 600_000);

/** Its counters never run back, also not over a kill. */
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
