import { timestamp } from '../../ports/clock.ts';
import { ExpectationFailed, type FieldExpectation } from '../../ports/records.ts';
import { requireRoot } from '../folders.ts';
import { touchLinked } from '../links/links.ts';
import type { DatasetPorts } from '../ports.ts';
import { type Dataset, datasets, type Manifest, type Stats } from '../schema.ts';
import { draftKeyOf, measureFolder, newManifestKey, toManifest, toStats } from './manifest.ts';

interface FinishOptions {
  /** Milliseconds since the epoch. At the deadline, TimeUp is thrown, and the next call continues from there. */
  deadline?: number;
}

/**
 * Makes a dataset ready once its last file is verified: writes its manifest for the generation that downloaded it.
 * Throws ExpectationFailed if that generation has ended, and TimeUp.
 */
export async function finishDataset(
  ports: DatasetPorts,
  { datasetId, generation }: { datasetId: string; generation: number },
  hashes: (path: string) => string | null = () => null,
  { deadline = Number.POSITIVE_INFINITY }: FinishOptions = {},
): Promise<Dataset> {
  const { records, objects } = ports;
  const id = { id: datasetId };
  const expect = { generation, status: 'downloading', deleted: false };
  const set = (fields: Partial<Dataset>) =>
    datasets.update(records, id, { set: { ...fields, updatedAt: timestamp(ports.clock) } }, expect);
  const begun = await set({ phase: 'building_manifest' });
  const root = await requireRoot(begun);
  const check = () => requireStill(ports, datasetId, expect);
  const draftKey = draftKeyOf(datasetId, String(generation));
  const files = await measureFolder(objects, root, draftKey, { hashes, deadline, check });
  const manifest = toManifest(files, begun.commit);
  const before = await set({ phase: 'computing_stats' });
  const stats = toStats(manifest);
  const counters = {
    downloadedBytes: stats.sizeBytes,
    totalBytes: stats.sizeBytes,
    downloadedFiles: stats.numFiles,
    totalFiles: stats.numFiles,
  };
  const rates = { bytesPerSecond: null, etaSeconds: null };
  const last = { status: 'ready', phase: 'done', error: null, ...rates } as const;
  const own = before.source === 'local' ? { ...last, ...counters } : last;
  return storeManifest(ports, before, expect, { manifest, stats, own });
}

/** Throws if another worker has taken over, because the measurement is then useless. */
async function requireStill(
  { records }: DatasetPorts,
  id: string,
  { generation, status }: { generation: number; status: string },
): Promise<void> {
  const dataset = await datasets.get(records, { id });
  if (dataset?.generation !== generation || dataset.status !== status || dataset.deleted)
    throw new ExpectationFailed(datasets.key({ id }));
}

/** Stores the manifest under a unique name, then the record with that name, so that the two always belong together. */
async function storeManifest(
  ports: DatasetPorts,
  { id, manifestKey: replaced }: Dataset,
  expect: FieldExpectation,
  { manifest, stats, own }: { manifest: Manifest; stats: Stats; own: Partial<Dataset> },
): Promise<Dataset> {
  const { records, objects, clock } = ports;
  const manifestKey = newManifestKey(id);
  await objects.put(manifestKey, Buffer.from(JSON.stringify(manifest)));
  const set = { ...own, stats, manifestKey, updatedAt: timestamp(clock) };
  let stored: Dataset;
  try {
    stored = await datasets.update(records, { id }, { set }, { ...expect, manifestKey: replaced });
  } catch (error) {
    if (error instanceof ExpectationFailed) await objects.delete(manifestKey);
    throw error;
  }
  if (replaced !== null) await objects.delete(replaced);
  await touchLinked(ports, id);
  return stored;
}

/**
 * Measures the files of a ready dataset again. Throws ExpectationFailed if the dataset is no longer ready, and TimeUp.
 */
export async function remeasure(
  ports: DatasetPorts,
  { id, generation }: Pick<Dataset, 'id' | 'generation'>,
  deadline: number,
): Promise<Dataset> {
  const expect = { generation, status: 'ready', deleted: false };
  const dataset = await datasets.get(ports.records, { id });
  if (dataset === undefined) throw new ExpectationFailed(datasets.key({ id }));
  const root = await requireRoot(dataset);
  const files = await measureFolder(ports.objects, root, draftKeyOf(id, 'refresh'), {
    hashes: () => null,
    deadline,
    check: () => requireStill(ports, id, expect),
  });
  const manifest = toManifest(files, dataset.commit);
  return storeManifest(ports, dataset, expect, { manifest, stats: toStats(manifest), own: {} });
}
