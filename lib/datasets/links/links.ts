import { lstat } from 'node:fs/promises';
import type { Caller } from '../../access/caller.ts';
import { mayEnter } from '../../access/members.ts';
import { recordActivity } from '../../activity/record.ts';
import { Conflict, NotFound } from '../../errors.ts';
import { confineEntry } from '../../paths/confine.ts';
import { timestamp } from '../../ports/clock.ts';
import { ifExpected, type Records } from '../../ports/records.ts';
import type { FilesChanged } from '../../workspaces/callbacks.ts';
import { type Workspace, workspaces } from '../../workspaces/schema.ts';
import type { DatasetPorts } from '../ports.ts';
import { DATASETS, type Dataset, type DatasetLink, datasets, linkedPartition, links } from '../schema.ts';
import { isAskedFor, isOpenIn } from './lists.ts';
import { findLinked, mountPath } from './mounts.ts';

interface LinkPorts {
  records: Records;
  filesChanged: FilesChanged;
}

export interface LinkedWorkspace {
  workspaceId: string;
  name: string;
  rootPath: string;
  linkedAt: string;
}

/** Returns the workspaces with this dataset that the caller may use. */
export async function listLinked(
  records: Records,
  caller: Caller,
  datasetId: string,
): Promise<LinkedWorkspace[]> {
  const found = await linksOf(records, datasetId);
  const known = await workspaces.getMany(
    records,
    found.map(({ workspaceId }) => ({ id: workspaceId })),
  );
  const entered = known.filter((workspace) => mayEnter(caller, workspace));
  const byId = new Map(entered.map((workspace) => [workspace.id, workspace]));
  return found.flatMap((link) => describeLink(link, byId.get(link.workspaceId)) ?? []).reverse();
}

function describeLink({ linkedAt }: DatasetLink, workspace?: Workspace): LinkedWorkspace | undefined {
  return (
    workspace && { workspaceId: workspace.id, name: workspace.name, rootPath: workspace.rootPath, linkedAt }
  );
}

/**
 * Links a dataset. Throws Conflict if the workspace has another entry with that name, or admits users who
 * have no access to the folder.
 */
export async function linkDataset(
  ports: DatasetPorts,
  caller: Caller,
  dataset: Dataset,
  workspace: Workspace,
): Promise<{ link: LinkedWorkspace; created: boolean }> {
  const { records, clock, filesChanged } = ports;
  const workspaceId = workspace.id;
  const link = { workspaceId, name: dataset.name, datasetId: dataset.id, linkedAt: timestamp(clock) };
  const before = await links.get(records, link);
  const own = { workspaceId, name: workspace.name, rootPath: workspace.rootPath };
  if (before?.datasetId === dataset.id)
    return { link: { ...own, linkedAt: before.linkedAt }, created: false };
  await requireOpenIn(records, workspaceId, dataset);
  await requireFree(workspace, link.name);
  if (!(await claimName(records, link, before))) throw nameTaken(link.name);
  await filesChanged(workspaceId, [mountPath(link.name)]);
  await recordActivity(ports, {
    workspaceId,
    kind: 'dataset_linked',
    actor: caller.id,
    summary: `Linked the dataset ${dataset.name}`,
    details: { datasetId: dataset.id, repoId: dataset.repoId },
  });
  return { link: { ...own, linkedAt: link.linkedAt }, created: true };
}

/** Throws Conflict, because the dataset would be linked but invisible. */
async function requireOpenIn(records: Records, workspaceId: string, dataset: Dataset): Promise<void> {
  if (await isOpenIn(records, workspaceId, dataset)) return;
  throw new Conflict(
    'dataset_link_refused',
    "Some members of this workspace can't access a workspace in or around the dataset's folder. Add them there first.",
  );
}

/** Reserves a name for a link. A deleted dataset's link doesn't count. */
async function claimName(records: Records, link: DatasetLink, before?: DatasetLink): Promise<boolean> {
  if (before === undefined) return links.create(records, link);
  const holder = await datasets.get(records, { id: before.datasetId });
  if (holder !== undefined && !holder.deleted) return false;
  return links.put(records, link, { datasetId: before.datasetId });
}

/** Throws Conflict if the workspace has its own entry at the link's path, because the link would hide it. */
async function requireFree({ rootPath }: Workspace, name: string): Promise<void> {
  const location = await confineEntry(rootPath, mountPath(name)).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined; // without the workspace's directory, there is no entry
    throw error;
  });
  const found = location && (await lstat(location).catch(() => undefined));
  if (found !== undefined) throw nameTaken(name);
}

function nameTaken(name: string): Conflict {
  return new Conflict(
    'dataset_name_taken',
    `The workspace already has datasets/${name}. Rename or remove it first.`,
  );
}

/** Removes a link. Throws NotFound if the dataset isn't linked. */
export async function unlinkDataset(
  ports: DatasetPorts,
  { id, name }: Dataset,
  { id: workspaceId }: Workspace,
): Promise<void> {
  const { records, filesChanged } = ports;
  const link = { workspaceId, name };
  const before = await links.get(records, link);
  if (before?.datasetId !== id || !(await removeLink(records, before)))
    throw new NotFound('dataset_link_not_found', 'The dataset is not linked to this workspace.');
  await filesChanged(workspaceId, [mountPath(name)]);
}

async function removeLink(records: Records, link: DatasetLink): Promise<boolean> {
  return (await ifExpected(links.delete(records, link, { datasetId: link.datasetId }))) ?? false;
}

/**
 * Notifies the index of every workspace that links this dataset that the dataset was added, changed, or
 * removed.
 */
export async function touchLinked({ records, filesChanged }: LinkPorts, datasetId: string): Promise<void> {
  for (const { workspaceId, name } of await linksOf(records, datasetId))
    await filesChanged(workspaceId, [mountPath(name)]);
}

/**
 * Updates the indexes after a workspace's member list changed: adds datasets that are now accessible, and
 * removes those that no longer are. This affects folders in and around the workspace, wherever they are
 * linked, and datasets that are linked to it.
 */
export async function touchListed(
  { records, filesChanged }: LinkPorts,
  workspace: Pick<Workspace, 'id' | 'rootPath'>,
): Promise<void> {
  for await (const dataset of datasets.all(records, { partition: DATASETS }))
    if (isAskedFor(workspace, dataset)) await touchLinked({ records, filesChanged }, dataset.id);
  for (const { name, dataset } of await findLinked(records, workspace.id))
    if (dataset.source === 'local') await filesChanged(workspace.id, [mountPath(name)]);
}

/** Removes the links of a deleted dataset. */
export async function dropLinksOf({ records, filesChanged }: LinkPorts, datasetId: string): Promise<void> {
  for (const link of await linksOf(records, datasetId)) {
    await removeLink(records, link);
    await filesChanged(link.workspaceId, [mountPath(link.name)]);
  }
}

function linksOf(records: Records, datasetId: string): Promise<DatasetLink[]> {
  return Array.fromAsync(links.all(records, { partition: linkedPartition(datasetId), byIndex: true }));
}
