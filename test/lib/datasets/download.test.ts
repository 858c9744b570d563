import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type DownloadPart, parts, works } from '../../../lib/datasets/download/records.ts';
import { newWork } from '../../../lib/datasets/download/split.ts';
import { folderOf } from '../../../lib/datasets/folders.ts';
import { type Dataset, datasets } from '../../../lib/datasets/schema.ts';
import { handleDatasetMessage } from '../../../lib/datasets/steps/handle-dataset-message.ts';
import { cancelDataset, pauseDataset, retryDataset } from '../../../lib/datasets/steps/transitions.ts';
import { LONG, startDownloads } from '../../support/downloads.ts';
import {
  type FakeFile,
  type FakeHub,
  type FakeRepo,
  fakeFile,
  fakeRepo,
  hashesOf,
  startFakeHub,
  textFile,
} from '../../support/fakes/fake-hub.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Downloads = Awaited<ReturnType<typeof startDownloads>>;
let [hub, downloads] = [undefined as unknown as FakeHub, undefined as unknown as Downloads];

beforeEach(async () => {
  hub = await startFakeHub();
  downloads = await startDownloads({ dataDir: await tempFolder(), hubUrl: hub.url });
});
afterEach(async () => {
  await downloads.stop();
  await hub.stop();
});

function offer(files: FakeFile[], fields: Partial<FakeRepo> = {}): FakeRepo {
  const repo = fakeRepo(files, fields);
  hub.repos.set('o/n', repo);
  return repo;
}

async function fetchAll(fields: Parameters<Downloads['create']>[0] = {}): Promise<Dataset> {
  const { id } = await downloads.create(fields);
  return downloads.settled(id);
}

/** Expects exactly the files of the repository, byte for byte. */
async function expectWhole({ localPath }: Dataset, files: FakeFile[]): Promise<void> {
  const found = (await readdir(localPath, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(localPath.length + 1));
  expect(found.sort()).toEqual(files.map(({ path }) => path).sort());
  for (const file of files) expect(await sha256(join(localPath, file.path))).toBe(hashesOf(file).sha256);
}

async function sha256(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

const MIXED = [
  ...Array.from({ length: 150 }, (_, index) => fakeFile(`data/${index % 7}/f ${index}#?%.bin`, 100 + index)),
  textFile('README.md', '# a fake'),
  textFile('empty', ''),
  fakeFile('middle.bin', 9_000_001),
];
/** Downloaded in ranges. */
const LARGE = fakeFile('large ü.bin', 270_000_003);

describe('download', () => {
  it.each(['hub_a', 'hub_b'] as const)('gets every file of %s, complete and verified', async (source) => {
    const files = [...MIXED, ...(LONG ? [LARGE] : [])];
    offer(files);
    const dataset = await fetchAll({ source });
    expect(dataset).toMatchObject({ status: 'ready', error: null, downloadedFiles: files.length });
    expect(dataset.downloadedBytes).toBe(files.reduce((sum, { size }) => sum + size, 0));
    await expectWhole(dataset, files);
    expect(hub.leaked).toBe(false);
    expect(hub.counts.lists).toBe(source === 'hub_a' ? 1 : 2); // the first page also has the commit
  });

  it("requests each small file once, and doesn't request an empty file", async () => {
    offer(MIXED.slice(0, 152));
    await fetchAll();
    expect(hub.counts.files).toBe(151);
  });

  it('reads a list with many pages', async () => {
    hub.pageSize = 20;
    const files = MIXED.slice(0, 152);
    offer(files);
    await expectWhole(await fetchAll(), files);
    expect(hub.counts.lists).toBe(8);
  });

  it('gets only files that the patterns allow, in which * crosses /', async () => {
    offer(MIXED.slice(0, 152));
    const dataset = await fetchAll({ allowPatterns: ['data*.bin', '*.md'], ignorePatterns: ['data/[!0]/'] });
    expect(dataset.totalFiles).toBe(23);
  });

  it('fails if the patterns allow nothing, and lists near misses', async () => {
    offer(MIXED.slice(0, 152));
    const near = await fetchAll({ allowPatterns: ['docs/readme.*'] });
    expect([near.status, near.error]).toEqual([
      'failed',
      expect.stringMatching(
        /^allowPatterns matches none of the 152 files: docs\/readme\.\*\. The repository has: README\.md, /,
      ),
    ]);
    expect((await fetchAll({ allowPatterns: ['*.BIN'] })).error).toMatch(
      /The repository has: data\/\S+ \S+\.bin, data/,
    );
  });

  it('sends its token to the hub and to no other host', async () => {
    const other = await startDownloads({ dataDir: await tempFolder(), hubUrl: hub.url, token: 't0' });
    offer(MIXED, { token: 't0', gated: true });
    const { id } = await other.create({});
    expect(await other.settled(id)).toMatchObject({ status: 'ready' });
    expect(hub.leaked).toBe(false);
    await other.stop();
  });

  it('follows a repository to its new name', async () => {
    hub.repos.set('o/old', { ...offer(MIXED.slice(0, 3)), renamedTo: 'o/n' });
    expect(await fetchAll({ repoId: 'o/old' })).toMatchObject({ status: 'ready', totalFiles: 3 });
  });

  it.each([
    ['a missing repository', 'o/nothing', {}, /has no such repository, or you don't have access/],
    ['a private one', 'o/n', { token: 'x' }, /has no such repository, or you don't have access/],
    ['a gated one', 'o/n', { token: 'x', gated: true }, /gated/],
  ])('fails for %s, and reports the failure', async (_, repoId, fields, error) => {
    offer(MIXED.slice(0, 3), fields);
    const dataset = await fetchAll({ repoId });
    expect(dataset.status).toBe('failed');
    expect(dataset.error).toMatch(error);
  });

  it('fails for a missing revision, but accepts the revision of a pull request', async () => {
    offer(MIXED.slice(0, 3));
    expect(await fetchAll({ revision: 'nope' })).toMatchObject({
      status: 'failed',
      error: 'Hugging Face has no such revision. Check the branch, tag, or commit.',
    });
    expect(await fetchAll({ revision: 'refs/pr/1' })).toMatchObject({ status: 'ready' });
  });

  it.each([
    '../x',
    '/etc/x',
    'a/../../x',
    'a\\b',
    'a\0b',
    'a//b',
    './a',
    'DATA/0/F 0#?%.BIN',
    'readme.md/x',
    'n\nl',
  ])('rejects a repository with the path %j before it downloads anything', async (path) => {
    offer(MIXED.slice(0, 152));
    hub.extraPaths = [path];
    const dataset = await fetchAll();
    expect(dataset.status).toBe('failed');
    expect(dataset.error).toMatch(/path|can't exist in one folder/);
    expect(hub.counts.files).toBe(0);
  });
});

describe('hub with problems', () => {
  // Runs once in the default form, because each time costs a growing pause.
  it.each([
    ['lost connections', { cut: LONG ? 2 : 1 }, LONG],
    ['503', { unavailable: LONG ? 2 : 1 }, LONG],
    ['wrong bytes', { corrupt: 1 }, LONG],
    ['responses that end early', { short: 1 }, LONG],
    ['responses that are too long', { long: 1 }, LONG],
  ])('is retried after %s', async (_, fault, large) => {
    const repo = offer([...MIXED.slice(149), ...(large ? [LARGE] : [])]);
    for (const { path } of repo.files) repo.faults.set(path, { ...fault });
    const dataset = await fetchAll();
    expect(dataset).toMatchObject({ status: 'ready', error: null });
    await expectWhole(dataset, repo.files);
  });

  it('is requested again only for the end of a large file that was too long', async () => {
    const repo = offer([LARGE]);
    repo.faults.set(LARGE.path, { long: 1 });
    const dataset = await fetchAll();
    expect(dataset).toMatchObject({ status: 'ready', error: null });
    await expectWhole(dataset, repo.files);
    expect(hub.served.get(LARGE.path)?.requests).toBe(4);
  });

  it('resumes after a lost connection', async () => {
    const file = fakeFile('middle.bin', 9_000_001);
    offer([file]).faults.set('middle.bin', { cut: 1 });
    await fetchAll();
    expect(hub.served.get('middle.bin')?.bytes).toBeLessThan(file.size + 1_000_000); // data in memory
  });

  it.each([
    { corrupt: Number.POSITIVE_INFINITY },
    { short: Number.POSITIVE_INFINITY },
    { long: Number.POSITIVE_INFINITY },
  ])('never makes a dataset ready with %j, however large its file, and names the file', async (fault) => {
    for (const file of [fakeFile('small.bin', 5000), ...MIXED.slice(152), ...(LONG ? [LARGE] : [])]) {
      offer([file, textFile('good', 'x')]).faults.set(file.path, fault);
      const dataset = await fetchAll();
      expect(dataset.status).toBe('failed');
      expect(dataset.error).toContain(file.path);
      await expect(stat(join(dataset.localPath, file.path))).rejects.toThrow('ENOENT');
    }
  });

  it('is not called by any worker during a rate limit', async () => {
    offer(MIXED.slice(0, 152));
    hub.limit = { left: 40, seconds: 1 };
    const before = Date.now();
    expect(await fetchAll()).toMatchObject({ status: 'ready' });
    expect(Date.now() - before).toBeGreaterThanOrEqual(999);
    expect(hub.impatient).toBeLessThan(32); // requests that were in flight
    expect(hub.counts.files - hub.counts.limited).toBe(151);
  });

  it('may ignore ranges', async () => {
    hub.ignoreRange = true;
    const file = fakeFile('middle.bin', 9_000_001);
    const repo = offer([file]);
    repo.faults.set('middle.bin', { cut: 1 });
    await expectWhole(await fetchAll(), [file]);
  });
});

describe('ranges of a large file', () => {
  const file = textFile('large.bin', 'good');
  const group: [number, number] = [0, 1];

  /** Returns one finished range, and the message that joins it, which hasn't arrived. */
  async function joinOf(bytes: string) {
    offer([file]);
    const options = { dataDir: await tempFolder(), hubUrl: hub.url, workers: 0 };
    const { ports, create, read } = await startDownloads(options);
    const { id: datasetId, generation, localPath } = await create({});
    const set = { status: 'downloading', commit: 'c0' } as const;
    await datasets.update(ports.records, { id: datasetId }, { set });
    const digest = { algorithm: 'sha256', hex: hashesOf(file).sha256 } as const;
    const files = [{ path: file.path, size: file.size, digest }];
    const common = { datasetId, files, group, sha256: null };
    const last: DownloadPart = { ...common, part: 1, kind: 'join', from: 0, to: 0 };
    await parts.putMany(ports.records, [{ ...common, part: 0, kind: 'range', from: 0, to: file.size }, last]);
    await works.put(ports.records, newWork(last));
    const unfinished = join(folderOf(ports.datasetsDir, datasetId), 'parts');
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, '1'), bytes);
    const work = (part: number, timeMs = 60_000) =>
      handleDatasetMessage(ports, { kind: 'part', datasetId, generation, part }, timeMs);
    return { work, read: () => read(datasetId), place: join(localPath, file.path) };
  }

  it('are downloaded again if the hash of the whole file is wrong, and then joined', async () => {
    const { work, read, place } = await joinOf('evil');
    await work(1);
    await expect(stat(place)).rejects.toThrow('ENOENT');
    await work(0);
    await work(1);
    expect(await readFile(place, 'utf8')).toBe('good');
    expect((await read()).error).toBeNull();
  });

  it("fail with the dataset if their hash can't be computed within a worker's time", async () => {
    const { work, read } = await joinOf('good');
    await work(1, -1);
    expect(await read()).toMatchObject({
      status: 'failed',
      error: 'large.bin: The file is too large to verify within the time limit of the worker.',
    });
  });
});

describe('pause, cancel, and retry', () => {
  async function begin(bytes = 2_000_000): Promise<Dataset> {
    const repo = offer([fakeFile('slow.bin', 30_000_000), ...MIXED.slice(0, 152)]);
    repo.faults.set('slow.bin', { paceMs: 10 });
    const { id } = await downloads.create({});
    for (;;) {
      const dataset = await downloads.read(id);
      if (dataset.downloadedBytes > bytes) return dataset;
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  it.each([
    ['paused', pauseDataset],
    ['cancelled', cancelDataset],
  ])('leave a dataset %s, and no byte arrives afterwards', async (status, halt) => {
    const dataset = await begin();
    const before = Date.now();
    const halted = await halt(downloads.ports, dataset);
    expect(Date.now() - before).toBeLessThan(LONG ? 2000 : 60_000); // a busy host says nothing about time
    expect(halted.status).toBe(status);
    const there = await listing(dataset);
    await new Promise((done) => setTimeout(done, LONG ? 1500 : 500));
    expect(await listing(dataset)).toEqual(there);
    expect(await downloads.read(dataset.id)).toEqual(halted);
  });

  it('keep the existing data, so that a retry downloads only the rest, and no counter goes backwards', async () => {
    const dataset = await begin(5_000_000);
    const paused = await pauseDataset(downloads.ports, dataset);
    const repo = hub.repos.get('o/n') as FakeRepo;
    const slow = repo.files[0] as FakeFile;
    const sent = hub.served.get(slow.path)?.bytes ?? 0;
    repo.faults.clear();
    const retried = await retryDataset(downloads.ports, paused);
    expect(retried.downloadedBytes).toBeGreaterThanOrEqual(paused.downloadedBytes);
    const ready = await downloads.settled(dataset.id);
    expect(ready.status).toBe('ready');
    await expectWhole(ready, repo.files);
    const others = repo.files.reduce((sum, { size }) => sum + size, 0) - slow.size;
    const again = (hub.served.get(slow.path)?.bytes ?? 0) - sent;
    // All counted data exists; the hub may have sent more into the stopped stream.
    expect(again).toBeLessThan(slow.size - (paused.downloadedBytes - others) + 1_000_000);
  });
});

async function listing({ localPath }: Dataset): Promise<string[]> {
  const folder = join(localPath, '..');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => `${file} ${(await stat(file)).size} ${(await stat(file)).mtimeMs}`),
  );
}
