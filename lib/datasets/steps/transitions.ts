import type { Caller } from '../../access/caller.ts';
import { DATASET_ACTIONS, DATASET_STATUSES, type DatasetAction } from '../../api-contract/dataset-actions.ts';
import { Conflict, InvalidInput, NotFound } from '../../errors.ts';
import { newId } from '../../identifiers.ts';
import { timestamp } from '../../ports/clock.ts';
import { ExpectationFailed } from '../../ports/records.ts';
import { awaitWriters } from '../download/write-lease.ts';
import { filesFolder } from '../folders.ts';
import type { DatasetPorts } from '../ports.ts';
import { type CreateDataset, type Dataset, type DatasetMessage, datasets } from '../schema.ts';
import { AGAIN_SECONDS, sendMessages } from './send-messages.ts';

export const DEFAULT_REVISIONS = { hub_a: 'main', hub_b: 'master' };

/** Throws InvalidInput for a repository type that the hub doesn't have. */
export function requireOnHub(source: Dataset['source'], repoType: Dataset['repoType']): void {
  if (source === 'hub_b' && repoType === 'space')
    throw new InvalidInput(
      'hub_type_unsupported',
      'repoType can be model or dataset: ModelScope has no Spaces.',
      { field: 'repoType' },
    );
}

/** Creates the record; the download starts as soon as a worker is free. */
export async function createDataset(
  ports: DatasetPorts,
  caller: Caller,
  { repoId, repoType, source, revision, name, allowPatterns, ignorePatterns }: CreateDataset,
): Promise<Dataset> {
  requireOnHub(source, repoType);
  const dataset = newDataset(ports, caller, {
    name: name ?? repoId.slice(repoId.indexOf('/') + 1),
    repoId,
    repoType,
    source,
    revision: revision ?? DEFAULT_REVISIONS[source],
    allowPatterns: allowPatterns ?? null,
    ignorePatterns: ignorePatterns ?? null,
  });
  await begin(ports, dataset, () => datasets.create(ports.records, dataset));
  return dataset;
}

type NewDataset = Pick<Dataset, 'name' | 'repoId' | 'repoType' | 'source' | 'revision'> &
  Pick<Dataset, 'allowPatterns' | 'ignorePatterns'> & { localPath?: string };

export function newDataset(
  { clock, datasetsDir }: Pick<DatasetPorts, 'clock' | 'datasetsDir'>,
  caller: Caller,
  fields: NewDataset,
): Dataset {
  const id = newId();
  const createdAt = timestamp(clock);
  return {
    id,
    localPath: filesFolder(datasetsDir, id),
    ...fields,
    commit: null,
    status: 'pending',
    phase: 'queued',
    downloadedBytes: 0,
    totalBytes: 0,
    downloadedFiles: 0,
    totalFiles: 0,
    bytesPerSecond: null,
    etaSeconds: null,
    error: null,
    sampledAt: 0,
    sampledBytes: 0,
    stats: null,
    manifestKey: null,
    createdBy: caller.id,
    generation: 1,
    deleted: false,
    createdAt,
    updatedAt: createdAt,
  };
}

/**
 * Writes a pending record and calls a worker. First sends a delayed copy of the message, so that nothing
 * stays pending forever if the process dies in between. A worker drops the copy if it isn't needed.
 */
async function begin(
  ports: Pick<DatasetPorts, 'datasetQueue'>,
  { id, generation, source }: Pick<Dataset, 'id' | 'generation' | 'source'>,
  write: () => Promise<unknown>,
): Promise<void> {
  const kind = source === 'local' ? 'build' : 'plan';
  const body: DatasetMessage = { kind, datasetId: id, generation };
  await sendMessages(ports, [body], AGAIN_SECONDS);
  await write();
  await sendMessages(ports, [body]);
}

/** Throws Conflict, naming the state, if the state doesn't allow the call. */
export function requireState({ status }: Dataset, call: DatasetAction): void {
  const possible = DATASET_STATUSES.filter((state) =>
    DATASET_ACTIONS[state].some((action) => action === call),
  );
  if (possible.includes(status)) return;
  const others = possible.join(' or ');
  throw new Conflict('dataset_wrong_state', `The dataset is ${status}. To ${call} it, it must be ${others}.`);
}

/** Pauses the download. After this returns, no further byte is written. Throws Conflict. */
export async function pauseDataset(ports: DatasetPorts, dataset: Dataset): Promise<Dataset> {
  return halt(ports, dataset, 'pause', 'paused');
}

/** Cancels the download. After this returns, no further byte is written. Throws Conflict. */
export async function cancelDataset(ports: DatasetPorts, dataset: Dataset): Promise<Dataset> {
  return halt(ports, dataset, 'cancel', 'cancelled');
}

async function halt(
  ports: DatasetPorts,
  dataset: Dataset,
  call: 'pause' | 'cancel',
  status: 'paused' | 'cancelled',
): Promise<Dataset> {
  const halted = await change(ports, dataset, call, { status, bytesPerSecond: null, etaSeconds: null });
  // Other callers may restart and stop the download in the meantime. This returns the state for which it
  // waited.
  for (let waitedFor = halted; ; ) {
    await awaitWriters(ports, halted.id, waitedFor.generation);
    const now = (await datasets.get(ports.records, { id: halted.id })) ?? waitedFor;
    if (now.generation === waitedFor.generation || now.status === 'pending' || now.status === 'downloading')
      return now;
    waitedFor = now;
  }
}

/** Continues with the unverified parts. Throws Conflict. */
export async function retryDataset(ports: DatasetPorts, dataset: Dataset): Promise<Dataset> {
  requireState(dataset, 'retry');
  const next = { ...dataset, generation: dataset.generation + 1 };
  const set = { status: 'pending', phase: 'queued', error: null, generation: next.generation } as const;
  const written: Dataset[] = [];
  const pending = { ...set, updatedAt: timestamp(ports.clock) };
  try {
    await begin(ports, next, async () => written.push(await update(ports, dataset, pending)));
  } catch (error) {
    if (!(error instanceof ExpectationFailed)) throw error;
    return retryDataset(ports, await readAgain(ports, dataset));
  }
  return written[0] ?? next;
}

/**
 * Performs a transition as one conditional write. If the record has changed, tries again while the transition
 * is allowed.
 */
async function change(
  ports: DatasetPorts,
  dataset: Dataset,
  call: 'pause' | 'cancel',
  set: Partial<Dataset>,
): Promise<Dataset> {
  requireState(dataset, call);
  try {
    const generation = dataset.generation + 1;
    return await update(ports, dataset, { ...set, generation, updatedAt: timestamp(ports.clock) });
  } catch (error) {
    if (!(error instanceof ExpectationFailed)) throw error;
    return change(ports, await readAgain(ports, dataset), call, set);
  }
}

function update({ records }: DatasetPorts, { id, generation, status }: Dataset, set: Partial<Dataset>) {
  return datasets.update(records, { id }, { set }, { generation, status, deleted: false });
}

async function readAgain({ records }: DatasetPorts, { id }: Dataset): Promise<Dataset> {
  const dataset = await datasets.get(records, { id });
  if (dataset === undefined || dataset.deleted)
    throw new NotFound('dataset_not_found', 'This dataset does not exist.');
  return dataset;
}
