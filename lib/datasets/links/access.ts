import type { Caller } from '../../access/caller.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { Forbidden, NotFound } from '../../errors.ts';
import type { Records } from '../../ports/records.ts';
import { type Dataset, datasets, links } from '../schema.ts';
import { isOpenTo } from './lists.ts';

/** Error codes for a dataset that the caller names. */
export const DATASET_ERRORS = ['dataset_access_denied', 'dataset_not_found'] as const satisfies ErrorCode[];

/**
 * Returns the dataset for a caller who may see it. A workspace-scoped caller sees the datasets that are
 * linked to their workspaces, and those that this credential created. Throws NotFound, and Forbidden if a
 * member list denies the caller access to the folder (isOpenTo).
 */
export async function findDataset(records: Records, caller: Caller, datasetId: string): Promise<Dataset> {
  const dataset = await findDatasetToUnlink(records, caller, datasetId);
  if (!(await isOpenTo(records, caller, dataset)))
    throw new Forbidden(
      'dataset_access_denied',
      "You can't access this dataset: you aren't a member of a workspace in or around its folder.",
    );
  return dataset;
}

/** Returns the dataset like findDataset, for a caller who is about to change it. Throws Forbidden. */
export async function findOwnDataset(records: Records, caller: Caller, datasetId: string): Promise<Dataset> {
  return requireOwn(caller, await findDataset(records, caller, datasetId));
}

/**
 * Returns the dataset for a caller who wants to delete it. Its creator may delete it even after a member list
 * has denied access to its folder. Throws NotFound, Forbidden.
 */
export async function findDatasetToDelete(
  records: Records,
  caller: Caller,
  datasetId: string,
): Promise<Dataset> {
  const dataset = await findDatasetToUnlink(records, caller, datasetId);
  return dataset.createdBy === caller.id ? dataset : findOwnDataset(records, caller, datasetId);
}

/** Returns the dataset for a caller who only wants to remove its links. Throws NotFound. */
export async function findDatasetToUnlink(
  records: Records,
  caller: Caller,
  datasetId: string,
): Promise<Dataset> {
  const dataset = await datasets.get(records, { id: datasetId });
  if (dataset === undefined || dataset.deleted || !(await isKnownTo(records, caller, dataset)))
    throw new NotFound('dataset_not_found', 'This dataset does not exist.');
  return dataset;
}

function requireOwn(caller: Caller, dataset: Dataset): Dataset {
  if (caller.workspaceIds !== null && dataset.createdBy !== caller.id)
    throw new Forbidden(
      'dataset_access_denied',
      'Your token is limited to its workspaces and did not create this dataset.',
    );
  return dataset;
}

/** Returns whether a list of datasets shows this one. */
export async function maySee(records: Records, caller: Caller, dataset: Dataset): Promise<boolean> {
  return (await isKnownTo(records, caller, dataset)) && isOpenTo(records, caller, dataset);
}

async function isKnownTo(records: Records, caller: Caller, dataset: Dataset): Promise<boolean> {
  if (caller.workspaceIds === null || dataset.createdBy === caller.id) return true;
  const places = caller.workspaceIds.map((workspaceId) => ({ workspaceId, name: dataset.name }));
  return (await links.getMany(records, places)).some(({ datasetId }) => datasetId === dataset.id);
}
