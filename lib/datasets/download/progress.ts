import { timestamp } from '../../ports/clock.ts';
import { ExpectationFailed } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { type Dataset, datasets } from '../schema.ts';
import { type Work, watches, works } from './records.ts';
import { Superseded } from './write-lease.ts';

const SAMPLE_EVERY_MS = 1500;
/** The weight of the latest sample in the average rate. */
const WEIGHT = 0.4;
const WATCH_EVERY_MS = 15_000;
const WATCH_MS = 60_000;

export type Running = Pick<Dataset, 'id' | 'generation'>;

/** A piece of work's progress in memory, written to the records whenever the work's lease is renewed. */
export interface DownloadProgress {
  /** Call this under the lease, because only then is the previous worker's progress final. */
  begin(work: Work): void;
  /** Records that `position` bytes from the start are on the disk, including `bytes` and `files` that are complete. */
  reach(position: number, bytes: number, files: number): void;
  check(): Promise<void>;
}

/**
 * Tracks a piece of work. A dataset's counters only grow. The maximum for a piece is stored before the piece
 * is counted, so if a worker dies in between, the counters are too low until the next start, but never too
 * high.
 */
export function trackProgress(ports: TimedRecords, dataset: Running): DownloadProgress {
  const { records } = ports;
  let open: Work | undefined;
  let now = { position: 0, bytes: 0, files: 0 };
  return {
    begin(work) {
      open = work;
      now = { position: work.position, bytes: 0, files: 0 };
    },
    reach: (position, bytes, files) => {
      now = { position, bytes, files };
    },
    async check() {
      if (open === undefined) return count(ports, dataset, 0, 0);
      const set = {
        position: now.position,
        countedBytes: Math.max(open.countedBytes, now.bytes),
        countedFiles: Math.max(open.countedFiles, now.files),
      };
      const [bytes, files] = [set.countedBytes - open.countedBytes, set.countedFiles - open.countedFiles];
      if (bytes > 0 || files > 0 || set.position !== open.position) {
        await requireRunning(ports, dataset);
        open = await works.update(records, open, { set });
      }
      await count(ports, dataset, bytes, files);
    },
  };
}

/** Throws Superseded unless this generation of the dataset is being downloaded. */
export async function requireRunning(
  { records }: TimedRecords,
  { id, generation }: Running,
): Promise<Dataset> {
  const dataset = await datasets.get(records, { id });
  if (dataset?.generation !== generation || dataset.status !== 'downloading')
    throw new Superseded('superseded');
  return dataset;
}

async function count(ports: TimedRecords, running: Running, bytes: number, files: number): Promise<void> {
  const dataset =
    bytes > 0 || files > 0
      ? await changeWhile(ports, running, {}, { downloadedBytes: bytes, downloadedFiles: files })
      : await requireRunning(ports, running);
  await measureRate(ports, dataset);
  await watchOn(ports, dataset.id);
}

/** Throws ExpectationFailed unless this generation is being downloaded. */
export async function changeWhile(
  { records, clock }: TimedRecords,
  { id, generation }: Running,
  set: Partial<Dataset>,
  add: Record<string, number> = {},
): Promise<Dataset> {
  const change = { add, set: { ...set, updatedAt: timestamp(clock) } };
  return datasets.update(records, { id }, change, { generation, status: 'downloading' });
}

/**
 * Measures the total rate of all workers. The first worker after a sampling interval takes the next sample.
 */
async function measureRate({ records, clock }: TimedRecords, dataset: Dataset): Promise<void> {
  const { id, generation, sampledAt, sampledBytes, downloadedBytes, totalBytes } = dataset;
  const elapsed = clock.now() - sampledAt;
  if (elapsed < SAMPLE_EVERY_MS) return;
  const latest = ((downloadedBytes - sampledBytes) * 1000) / elapsed;
  const before = dataset.bytesPerSecond ?? latest;
  const bytesPerSecond = Math.max(0, Math.round(before + WEIGHT * (latest - before)));
  const left = Math.max(0, totalBytes - downloadedBytes);
  const etaSeconds = bytesPerSecond > 0 ? Math.ceil(left / bytesPerSecond) : null;
  const set = { sampledAt: clock.now(), sampledBytes: downloadedBytes, bytesPerSecond, etaSeconds };
  await datasets
    .update(records, { id }, { set }, { generation, status: 'downloading', sampledAt })
    .catch((error: unknown) => {
      // Another took the sample, or the download ended.
      if (!(error instanceof ExpectationFailed)) throw error;
    });
}

const watched = new Map<string, number>();

/** Shows the scheduler tick that a worker is active. Occasional calls are enough. */
export async function watchOn({ records, clock }: TimedRecords, datasetId: string): Promise<void> {
  const now = clock.now();
  if (now - (watched.get(datasetId) ?? 0) < WATCH_EVERY_MS) return;
  watched.set(datasetId, now);
  await watches.put(records, { datasetId, until: now + WATCH_MS, silences: 0 });
}
