import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { DownloadPorts } from '../../../lib/datasets/download/ports.ts';
import type { Dataset } from '../../../lib/datasets/schema.ts';
import { cancelDataset, pauseDataset, retryDataset } from '../../../lib/datasets/steps/transitions.ts';
import { Conflict } from '../../../lib/errors.ts';
import type { Hub } from '../../../lib/ports/hub.ts';
import { LONG, startDownloads } from '../../support/downloads.ts';
import { fakeFile, fakeRepo, startFakeHub } from '../../support/fakes/fake-hub.ts';
import { differences } from '../../support/samples/dataset-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SECONDS = LONG ? 60 : 2;
const CLIENTS = 4;
/**
 * Data that a worker may still receive after another worker has replaced it: two buffers, and its stream's
 * buffer. The worker writes none of this data.
 */
const TAKEN_IN = 2_000_000;

const FILES = [
  ...Array.from({ length: 200 }, (_, index) => fakeFile(`small/${index}.bin`, 4096 + index, false)),
  ...Array.from({ length: 6 }, (_, index) => fakeFile(`middle/${index}.bin`, 30_000_000 + index)),
  ...(LONG ? [fakeFile('large.bin', 270_000_000)] : []),
];

it('pause, resume, and cancel by several clients keep one writer per file, growing counters, and the right end state', async () => {
  const hub = await startFakeHub({ 'o/n': fakeRepo(FILES) });
  for (const { path, size } of FILES) if (size > 5000) hub.repos.get('o/n')?.faults.set(path, { paceMs: 20 });
  const dataDir = await tempFolder();
  const instances = [
    await startDownloads({ dataDir, hubUrl: hub.url }),
    await startDownloads({ dataDir, hubUrl: hub.url }),
  ];
  const [one] = instances as [Awaited<ReturnType<typeof startDownloads>>];
  const writers = watchWriters(instances.map(({ ports }) => ports));
  const { id } = await one.create({});
  const state = {
    until: Date.now() + SECONDS * 1000,
    calls: 0,
    refused: 0,
    late: [] as string[],
    slowest: 0,
  };
  const counters = watchCounters(() => one.read(id));
  await Promise.all(
    Array.from({ length: CLIENTS }, () => callAtRandom(one.ports, () => one.read(id), state)),
  );
  expect(state.late).toEqual([]);
  hub.repos.get('o/n')?.faults.clear();
  const end = await finish(one, id);
  counters.stop();
  process.stderr.write(
    `${SECONDS} s: ${state.calls} transitions, ${state.refused} refused, slowest ${state.slowest} ms, ${writers.streams} streams\n`,
  );
  expect(writers.twice).toEqual([]);
  expect(counters.backwards).toEqual([]);
  expect(state.slowest).toBeLessThan(LONG ? 2000 : 60_000); // a busy host says nothing about time
  expect(end).toMatchObject({ status: 'ready', error: null, downloadedFiles: FILES.length });
  expect(await differences(end.localPath, FILES)).toEqual([]);
  expect(instances.flatMap(({ errors }) => errors)).toEqual([]);
}, 180_000);

interface State {
  until: number;
  calls: number;
  refused: number;
  slowest: number;
  /** Bytes written after a pause was confirmed. */
  late: string[];
}

async function callAtRandom(ports: DownloadPorts, read: () => Promise<Dataset>, state: State): Promise<void> {
  while (Date.now() < state.until) {
    await new Promise((done) => setTimeout(done, Math.random() * 700));
    const call = [pauseDataset, cancelDataset, retryDataset, retryDataset][Math.floor(Math.random() * 4)];
    const before = Date.now();
    try {
      const answer = await call?.(ports, await read());
      state.calls += 1;
      state.slowest = Math.max(state.slowest, Date.now() - before);
      // Another client may have resumed before this response.
      if (answer?.status === 'paused' || answer?.status === 'cancelled')
        await checkStill(answer, read, state);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      state.refused += 1;
    }
  }
}

/** Expects that nothing changes on disk until a client resumes. */
async function checkStill(answer: Dataset, read: () => Promise<Dataset>, state: State): Promise<void> {
  const there = await listing(answer);
  if ((await read()).generation !== answer.generation) return;
  await new Promise((done) => setTimeout(done, 150));
  const later = await listing(answer);
  if ((await read()).generation !== answer.generation) return;
  if (later !== there) state.late.push(`${there}\n→\n${later}`);
}

async function listing({ localPath }: Dataset): Promise<string> {
  const entries = await readdir(join(localPath, '..'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const lines = files.map(async (file) => {
    const found = await stat(file).catch(() => undefined);
    return `${file} ${found?.size} ${found?.mtimeMs}`;
  });
  return (await Promise.all(lines)).sort().join('\n');
}

/**
 * Counts streams that continue after another stream of the same bytes started. Each stream has its own
 * writer.
 */
function watchWriters(all: DownloadPorts[]) {
  const latest = new Map<string, number>();
  const seen = { twice: [] as string[], streams: 0 };
  for (const ports of all) {
    const { openFile, ...rest } = ports.hubs.hub_a;
    const watched: Hub = {
      ...rest,
      async openFile(repo, path, range) {
        const answer = await openFile(repo, path, range);
        return { ...answer, body: counted(answer.body, `${path} to ${range.end}`) };
      },
    };
    ports.hubs = { ...ports.hubs, hub_a: watched };
  }
  async function* counted(body: AsyncIterable<Buffer>, key: string): AsyncGenerator<Buffer> {
    seen.streams += 1;
    const own = seen.streams;
    latest.set(key, own);
    let taken = 0;
    for await (const piece of body) {
      taken += latest.get(key) === own ? 0 : piece.length;
      if (taken > TAKEN_IN) seen.twice.push(key);
      yield piece;
    }
  }
  return seen;
}

function watchCounters(read: () => Promise<Dataset>) {
  const seen = { backwards: [] as string[], stop: () => clearInterval(timer) };
  let last = { bytes: 0, files: 0 };
  const timer = setInterval(async () => {
    const { downloadedBytes: bytes, downloadedFiles: files } = await read();
    if (bytes < last.bytes || files < last.files)
      seen.backwards.push(JSON.stringify([last, { bytes, files }]));
    last = { bytes, files };
  }, 10);
  return seen;
}

async function finish(api: Awaited<ReturnType<typeof startDownloads>>, id: string): Promise<Dataset> {
  const dataset = await api.read(id);
  if (['paused', 'cancelled', 'failed'].includes(dataset.status)) await retryDataset(api.ports, dataset);
  return api.settled(id);
}
