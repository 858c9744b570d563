import type { Caller } from '../../access/caller.ts';
import type { Objects } from '../../ports/objects.ts';
import type { Records } from '../../ports/records.ts';
import { type PageQuery, pageUpTo } from '../../records/page.ts';
import { maySee } from '../links/access.ts';
import type { DatasetPorts } from '../ports.ts';
import {
  DATASETS,
  type Dataset,
  type DescribedDataset,
  datasets,
  type Manifest,
  manifestSchema,
  shownSchema,
} from '../schema.ts';

/** Returns the dataset as the API shows it, with its manifest. */
export async function describeDataset(objects: Objects, dataset: Dataset): Promise<DescribedDataset> {
  const manifest = (await readDatasetManifest(objects, dataset)) ?? null;
  return { ...shownSchema.parse(dataset), progress: progressOf(dataset), manifest };
}

export async function readDatasetManifest(
  objects: Objects,
  { manifestKey }: Pick<Dataset, 'manifestKey'>,
): Promise<Manifest | undefined> {
  if (manifestKey === null) return undefined;
  const bytes = await objects.getBytes(manifestKey);
  return bytes && manifestSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
}

export function describeStatus(dataset: Dataset) {
  const { id, status, phase, downloadedBytes, totalBytes, downloadedFiles, totalFiles } = dataset;
  const { bytesPerSecond, etaSeconds, error } = dataset;
  const counts = { downloadedBytes, totalBytes, downloadedFiles, totalFiles };
  const progress = progressOf(dataset);
  return { datasetId: id, status, progress, phase, ...counts, bytesPerSecond, etaSeconds, error };
}

/** Returns the percentage of downloaded bytes, or of files if all are empty. Only ready datasets have 100. */
function progressOf({ status, totalBytes, downloadedBytes, totalFiles, downloadedFiles }: Dataset): number {
  if (status === 'ready') return 100;
  const [done, all] = totalBytes > 0 ? [downloadedBytes, totalBytes] : [downloadedFiles, totalFiles];
  return all === 0 ? 0 : Math.min(99, Math.floor((100 * done) / all));
}

/** Lists datasets, newest first. A page may end before its limit if manifests are long. */
export async function listDatasets(
  ports: Pick<DatasetPorts, 'records' | 'objects'>,
  caller: Caller,
  query: PageQuery,
): Promise<{ items: DescribedDataset[]; cursor?: string }> {
  return pageUpTo((id) => described(ports, caller, id), query);
}

const AT_ONCE = 16;

/**
 * Yields datasets in descending order of ID, starting below one. Reads their manifests on demand, a few at a
 * time.
 */
async function* described(
  { records, objects }: Pick<DatasetPorts, 'records' | 'objects'>,
  caller: Caller,
  from: string | undefined,
): AsyncGenerator<DescribedDataset> {
  let waiting: Dataset[] = [];
  for await (const dataset of visible(records, caller, from)) {
    waiting.push(dataset);
    if (waiting.length < AT_ONCE) continue;
    yield* await Promise.all(waiting.map((each) => describeDataset(objects, each)));
    waiting = [];
  }
  yield* await Promise.all(waiting.map((each) => describeDataset(objects, each)));
}

async function* visible(records: Records, caller: Caller, to: string | undefined): AsyncGenerator<Dataset> {
  const query = { partition: DATASETS, order: 'descending' as const, to, limit: 100 };
  for await (const dataset of datasets.all(records, query)) {
    if (!dataset.deleted && (await maySee(records, caller, dataset))) yield dataset;
  }
}
