import type { Caller } from '../access/caller.ts';
import { Forbidden, NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { type Dataset, datasets, links } from './schema.ts';

/**
 * The dataset, for a caller who may see it: who is bound to certain workspaces sees what is linked to them, and what
 * this credential made itself. Throws NotFound.
 */
export async function findDataset(records: Records, caller: Caller, datasetId: string): Promise<Dataset> {
  const dataset = await datasets.get(records, { id: datasetId });
  if (dataset === undefined || dataset.deleted || !(await maySee(records, caller, dataset)))
    throw new NotFound('no such dataset');
  return dataset;
}

/** Like findDataset, for a caller who is about to change it. Throws Forbidden. */
export async function findOwnDataset(records: Records, caller: Caller, datasetId: string): Promise<Dataset> {
  const dataset = await findDataset(records, caller, datasetId);
  if (caller.workspaceIds !== null && dataset.createdBy !== caller.id)
    throw new Forbidden('this credential is bound to its workspaces, and did not make the dataset');
  return dataset;
}

export async function maySee(records: Records, caller: Caller, dataset: Dataset): Promise<boolean> {
  if (caller.workspaceIds === null || dataset.createdBy === caller.id) return true;
  const places = caller.workspaceIds.map((workspaceId) => ({ workspaceId, name: dataset.name }));
  return (await links.getMany(records, places)).some(({ datasetId }) => datasetId === dataset.id);
}
