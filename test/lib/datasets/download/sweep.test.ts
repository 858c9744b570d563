import { expect, it } from '@jest/globals';
import { WATCHED, watches } from '../../../../lib/datasets/download/records.ts';
import { sweepDownloads } from '../../../../lib/datasets/download/sweep.ts';
import { endDatasetWork } from '../../../../lib/datasets/steps/handle-dataset-message.ts';
import { startDownloads } from '../../../support/downloads.ts';
import { fakeFile, fakeRepo, startFakeHub } from '../../../support/fakes/fake-hub.ts';
import { takeAll } from '../../../support/pipeline.ts';
import { eventually } from '../../../support/sync.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/**
 * Also the queue's clock, which is stopped, so the delayed copy of the plan arrives when the test sends it.
 */
const clock = { time: Date.now(), now: () => clock.time };

it('download whose messages are lost continues at a scheduler tick, after a minute without work', async () => {
  const hub = await startFakeHub({ 'o/n': fakeRepo([fakeFile('a.bin', 9_000_000), fakeFile('b', 10)]) });
  const dataDir = await tempFolder();
  hub.delayMs = 300; // the one worker is at its first part when it is stopped
  const lost = await startDownloads({ dataDir, hubUrl: hub.url, workers: 1, clock });
  const { id } = await lost.create({});
  await eventually(
    () => lost.read(id),
    ({ phase }) => phase === 'downloading',
  );
  await lost.stop();
  hub.delayMs = 0;
  const { ports, settled } = await startDownloads({ dataDir, hubUrl: hub.url, workers: 0, clock });
  clock.time += 31_000;
  await takeAll(ports.datasetQueue);

  await sweepDownloads(ports);
  expect((await ports.datasetQueue.depth()).waiting).toBe(0); // a process may still be working on it

  clock.time += 30_000;
  await sweepDownloads(ports);
  expect((await ports.datasetQueue.depth()).waiting).toBe(1);
  await startDownloads({ dataDir, hubUrl: hub.url, clock });
  expect((await settled(id)).status).toBe('ready');

  clock.time += 3_600_000;
  await sweepDownloads(ports);
  expect((await watches.list(ports.records, { partition: WATCHED, byIndex: true })).items).toEqual([]);
});

it('download whose messages repeat endlessly fails, and reports it', async () => {
  const hub = await startFakeHub({ 'o/n': fakeRepo([fakeFile('a.bin', 9_000_000)]) });
  hub.delayMs = 300;
  const { ports, create, read, stop } = await startDownloads({
    dataDir: await tempFolder(),
    hubUrl: hub.url,
    workers: 1,
  });
  const { id, generation } = await create({});
  await eventually(
    () => read(id),
    ({ phase }) => phase === 'downloading',
  );
  await stop();
  const part = { kind: 'part' as const, datasetId: id, part: 1 };
  await endDatasetWork(ports, { ...part, generation: generation - 1 }, 'an old one');
  expect(await read(id)).toMatchObject({ status: 'downloading' });
  await endDatasetWork(ports, { ...part, generation }, 'a test');
  expect(await read(id)).toMatchObject({
    status: 'failed',
    error: 'The download was stopped: a test. Retry it.',
  });
});
