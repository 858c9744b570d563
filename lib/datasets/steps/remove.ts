import { NotFound } from '../../errors.ts';
import { ExpectationFailed } from '../../ports/records.ts';
import { pagesOf } from '../../records/page.ts';
import { awaitWriters } from '../download/write-lease.ts';
import { hideDataset, removeFolders } from '../folders.ts';
import { dropLinksOf } from '../links/links.ts';
import { objectsPrefix } from '../manifest/manifest.ts';
import type { DatasetPorts } from '../ports.ts';
import { type Dataset, type DatasetMessage, datasetPartition, datasets } from '../schema.ts';
import { AGAIN_SECONDS, sendMessages } from './send-messages.ts';

/**
 * Hides the dataset immediately, in any state. The worker removes the rest. `deleteFiles` also deletes the
 * dataset's own folder, but never an imported directory.
 */
export async function deleteDataset(
  ports: DatasetPorts,
  dataset: Dataset,
  deleteFiles: boolean,
): Promise<void> {
  const { id } = dataset;
  const body: DatasetMessage = { kind: 'remove', datasetId: id, deleteFiles };
  await sendMessages(ports, [body], AGAIN_SECONDS); // in case this process dies before the record is marked
  await markDeleted(ports, id);
  await sendMessages(ports, [body]);
  await awaitWriters(ports, id);
  if (deleteFiles && dataset.source !== 'local') await hideDataset(ports.datasetsDir, id);
  await dropLinksOf(ports, id);
}

async function markDeleted({ records }: DatasetPorts, id: string): Promise<void> {
  try {
    await datasets.update(records, { id }, { set: { deleted: true }, add: { generation: 1 } });
  } catch (error) {
    if (!(error instanceof ExpectationFailed)) throw error;
    throw new NotFound('dataset_not_found', 'This dataset does not exist.');
  }
}

/** For the worker: deletes data that may take long, then the record. */
export async function removeDataset(
  ports: DatasetPorts,
  { datasetId, deleteFiles }: { datasetId: string; deleteFiles: boolean },
): Promise<void> {
  const { records, objects, datasetsDir } = ports;
  const dataset = await datasets.get(records, { id: datasetId });
  if (dataset?.deleted !== true) return;
  await awaitWriters(ports, datasetId);
  if (deleteFiles) await removeFolders(datasetsDir, datasetId);
  await objects.deletePrefix(objectsPrefix(datasetId));
  await dropLinksOf(ports, datasetId);
  await dropParts(ports, datasetId);
  await datasets.delete(records, { id: datasetId });
}

async function dropParts({ records }: DatasetPorts, datasetId: string): Promise<void> {
  const partition = datasetPartition(datasetId);
  for await (const page of pagesOf((cursor) => records.query({ partition, limit: 1000, cursor })))
    await records.deleteMany(page.records.map(({ key }) => key));
}
