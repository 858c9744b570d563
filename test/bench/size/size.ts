import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexState } from '../../../lib/indexing/schema.ts';
import { sizeOf } from '../../lanes/soak/measure.ts';
import { peakMegabytes } from '../../support/processes/process-memory.ts';
import { type Service, startService } from '../../support/service.ts';
import { createWorkspace } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { type BenchRow, ms, perSecond } from '../table.ts';
import { type Figures, measureFts5, measureLance, measurePython, measureSearch } from './engines.ts';
import { writeTexts } from './texts.ts';

export const DEFAULT_FILES = 10_000;
const LOOK_EVERY_MS = 100;
const MEASURE_EVERY_MS = 500;
/** Milliseconds for the first sync of 100,000 files on a busy host. */
const PATIENCE_MS = 20 * 60_000;
const AIM = { filesPerSecond: 3000, diskTimes: 6, gapMs: 1000, p50: 2.5, p95: 3, throughput: 0.75 };

/**
 * Measures many short files with keyword search: the first sync, its disk space, and the search, next to raw
 * engines on the same texts.
 */
export async function benchSize(files: number): Promise<BenchRow[]> {
  const service = await startService({ LOG_LEVEL: 'warn' });
  let ours: Ours;
  try {
    ours = await measureService(service, files);
  } finally {
    await service.stop();
  }
  const folder = await tempFolder();
  const lance = await measureLance(join(folder, 'lance'), files);
  const others = { 'SQLite FTS5': await measureFts5(join(folder, 'fts5'), files) };
  const python = await measurePython(join(folder, 'python'), files);
  if (python === undefined)
    process.stderr.write('left out: LanceDB from Python and bm25s (no .cache/engines)\n');
  const rows = [...syncRows(ours, lance), ...searchRows(ours, lance)];
  const further = Object.entries({ ...others, ...python }).map(([name, figures]) =>
    otherRow(name, figures, ours.bytes),
  );
  return [...rows, ...further].map((row) => ({ ...row, measure: `${files} files: ${row.measure}` }));
}

interface Ours extends Figures {
  files: number;
  bytes: number;
  peakBytes: number;
  longestGapMs: number;
  memory: number;
}

async function measureService(service: Service, files: number): Promise<Ours> {
  const bytes = await writeTexts(join(service.root, 'many'), files);
  const workspaceId = await createWorkspace(service, 'many');
  const built = await watchSync(service, workspaceId);
  const ask = (question: string) =>
    service.call('GET', `/api/workspaces/${workspaceId}/search?q=${encodeURIComponent(question)}`);
  const diskBytes = await settled(service);
  return {
    files,
    bytes,
    ...built,
    diskBytes,
    ...(await measureSearch(files, ask)),
    memory: peakMegabytes(service.pid),
  };
}

/** Syncs, and watches the progress and the disk space until the end. */
async function watchSync(service: Service, workspaceId: string) {
  const started = performance.now();
  const seen = { done: 0, at: started, longestGapMs: 0, peakBytes: 0, measuredAt: 0 };
  await service.call('POST', `/api/workspaces/${workspaceId}/sync`);
  for (;;) {
    const { body } = await service.call<IndexState>('GET', `/api/workspaces/${workspaceId}/sync`);
    const now = performance.now();
    const isOver = body.status === 'ready';
    if (body.done !== seen.done || isOver) {
      seen.longestGapMs = Math.max(seen.longestGapMs, now - seen.at);
      Object.assign(seen, { done: body.done, at: now });
    }
    if (isOver) return { buildMs: now - started, longestGapMs: seen.longestGapMs, peakBytes: seen.peakBytes };
    if (body.status === 'failed' || now - started > PATIENCE_MS) throw new Error(JSON.stringify(body));
    if (now - seen.measuredAt > MEASURE_EVERY_MS) {
      seen.peakBytes = Math.max(seen.peakBytes, await indexBytes(service));
      seen.measuredAt = now;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

const indexBytes = async ({ dataDir }: Service) => (await sizeOf(join(dataDir, 'vectors'))).bytes;

const SETTLED_MS = 3000;

/** Waits until maintenance no longer changes the index; returns its size. */
async function settled(service: Service): Promise<number> {
  for (let before = -1; ; ) {
    const bytes = await indexBytes(service);
    if (bytes === before) return bytes;
    before = bytes;
    await sleep(SETTLED_MS);
  }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
const times = (value: number) => `${value.toFixed(2)}x`;
const ofText = (bytes: number, text: number) =>
  `${Math.round(bytes / 1e6)} MB, ${times(bytes / text)} the text`;

function syncRows(ours: Ours, lance: Figures): BenchRow[] {
  const rate = (ours.files / ours.buildMs) * 1000;
  const peak = Math.max(ours.peakBytes, ours.diskBytes);
  return [
    {
      measure: 'first sync',
      ours: `${seconds(ours.buildMs)}, ${perSecond(rate)}`,
      baseline: `LanceDB ${seconds(lance.buildMs)}`,
      aim: `${AIM.filesPerSecond}/s`,
      met: rate >= AIM.filesPerSecond,
    },
    {
      measure: 'longest wait for progress',
      ours: ms(ours.longestGapMs),
      baseline: '-',
      aim: ms(AIM.gapMs),
      met: ours.longestGapMs <= AIM.gapMs,
    },
    {
      measure: 'disk at most; settled',
      ours: `${ofText(peak, ours.bytes)}; ${ofText(ours.diskBytes, ours.bytes)}`,
      baseline: `LanceDB ${ofText(lance.diskBytes, ours.bytes)}`,
      aim: `at most ${AIM.diskTimes}x`,
      met: peak <= AIM.diskTimes * ours.bytes,
    },
    { measure: 'peak memory', ours: `${Math.round(ours.memory)} MB`, baseline: '-', aim: '-', met: true },
  ];
}

function searchRows(ours: Ours, lance: Figures): BenchRow[] {
  const [p50, p95, rate] = [ours.p50 / lance.p50, ours.p95 / lance.p95, ours.perSecond / lance.perSecond];
  return [
    {
      measure: 'search p50 / p95',
      ours: `${ms(ours.p50)} / ${ms(ours.p95)} (${times(p50)} / ${times(p95)})`,
      baseline: `LanceDB ${ms(lance.p50)} / ${ms(lance.p95)}`,
      aim: `${AIM.p50}x / ${AIM.p95}x`,
      met: p50 <= AIM.p50 && p95 <= AIM.p95,
    },
    {
      measure: 'search by ten clients',
      ours: `${perSecond(ours.perSecond)} (${times(rate)})`,
      baseline: `LanceDB ${perSecond(lance.perSecond)}`,
      aim: `${AIM.throughput}x`,
      met: rate >= AIM.throughput,
    },
  ];
}

function otherRow(
  name: string,
  { buildMs, diskBytes, p50, p95, perSecond: rate }: Figures,
  bytes: number,
): BenchRow {
  const built = `built in ${seconds(buildMs)}, ${ofText(diskBytes, bytes)}`;
  return {
    measure: name,
    ours: '-',
    baseline: `${built}, ${ms(p50)} / ${ms(p95)}, ${perSecond(rate)}`,
    aim: '-',
    met: true,
  };
}
