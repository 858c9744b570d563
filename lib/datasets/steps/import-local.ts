import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Caller } from '../../access/caller.ts';
import { isAdminOfAll } from '../../access/caller.ts';
import { callerIn } from '../../access/members.ts';
import { Conflict, Forbidden, InvalidInput, inField, NotFound } from '../../errors.ts';
import { splitPath } from '../../paths/confine.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import { ExpectationFailed } from '../../ports/records.ts';
import { requireOpenWithin } from '../../workspaces/access.ts';
import { findWorkspaceAround, requireInRoots } from '../../workspaces/registry.ts';
import { TimeUp } from '../download/copy-stream.ts';
import { finishDataset } from '../manifest/finish.ts';
import type { DatasetPorts } from '../ports.ts';
import { type Dataset, type DatasetMessage, datasetName, datasets, type ImportLocal } from '../schema.ts';
import { isMissing } from './refresh.ts';
import { sendMessages } from './send-messages.ts';
import { newDataset } from './transitions.ts';

/** Milliseconds per call. The worker does the rest for a larger directory. */
const CALL_MS = 5000;
/** Seconds after which the worker checks whether the call finished. */
const AGAIN_SECONDS = 30;

/**
 * Adds a directory inside WORKSPACE_ROOTS as a dataset in place: its files are never copied, changed, or
 * deleted. The dataset is ready in the response, unless counting its rows takes long. Throws InvalidInput,
 * NotFound, Forbidden for a directory of an inaccessible workspace.
 */
export async function importLocal(
  ports: DatasetPorts & { workspaceRoots: string[] },
  caller: Caller,
  { localPath, name }: ImportLocal,
): Promise<Dataset> {
  const location = await locateFolder(ports, caller, localPath);
  const dataset: Dataset = {
    ...newDataset(ports, caller, {
      name: name ?? nameOf(location),
      repoId: location,
      repoType: 'dataset',
      source: 'local',
      revision: null,
      allowPatterns: null,
      ignorePatterns: null,
      localPath: location,
    }),
    status: 'downloading',
    phase: 'building_manifest',
  };
  const body: DatasetMessage = { kind: 'build', datasetId: dataset.id, generation: dataset.generation };
  await sendMessages(ports, [body], AGAIN_SECONDS); // in case this process dies first
  await datasets.create(ports.records, dataset);
  await workBuild(ports, { datasetId: dataset.id, generation: dataset.generation }, CALL_MS);
  return (await datasets.get(ports.records, { id: dataset.id })) ?? dataset;
}

async function locateFolder(
  { records, workspaceRoots }: DatasetPorts & { workspaceRoots: string[] },
  caller: Caller,
  localPath: string,
): Promise<string> {
  checkPath(localPath);
  const found = await requireInRoots(workspaceRoots, localPath, 'localPath');
  await requireAccess(records, caller, found.location);
  const stats = await stat(found.location).catch(() => undefined);
  if (stats === undefined)
    throw new NotFound('path_not_found', 'localPath does not exist.', { field: 'localPath' });
  if (!stats.isDirectory())
    throw new InvalidInput('not_a_directory', "localPath isn't a directory.", { field: 'localPath' });
  return found.location;
}

/** Requires access to the workspace around the folder, or to all workspaces inside it. Throws Forbidden. */
async function requireAccess(records: Records, caller: Caller, location: string): Promise<void> {
  if (isAdminOfAll(caller)) return;
  const workspace = await findWorkspaceAround(records, location);
  if (workspace !== undefined) callerIn(caller, workspace);
  else if (caller.workspaceIds === null) await requireOpenWithin(records, caller, location);
  else
    throw new Forbidden(
      'workspace_access_denied',
      "localPath is in a workspace that your token doesn't include.",
      { field: 'localPath' },
    );
}

/** Checks the target of the path, which may contain `..`. */
function checkPath(localPath: string): void {
  try {
    splitPath(resolve('/', localPath).slice(1));
  } catch (error) {
    inField('localPath')(error);
  }
}

function nameOf(location: string): string {
  const parsed = datasetName.safeParse(basename(location));
  if (!parsed.success)
    throw new InvalidInput(
      'missing_value',
      "name is required: the directory's own name can't be used for a dataset.",
      { field: 'name' },
    );
  return parsed.data;
}

/** For the worker: makes a pending or downloading dataset ready or failed. */
export async function workBuild(
  ports: DatasetPorts,
  { datasetId, generation }: { datasetId: string; generation: number },
  timeMs: number,
): Promise<void> {
  const id = { id: datasetId };
  const dataset = await datasets.get(ports.records, id);
  if (dataset?.generation !== generation || dataset.deleted) return;
  if (dataset.status !== 'pending' && dataset.status !== 'downloading') return;
  const set = (fields: Partial<Dataset>) =>
    datasets.update(
      ports.records,
      id,
      { set: { ...fields, updatedAt: timestamp(ports.clock) } },
      { generation, deleted: false },
    );
  try {
    if (dataset.status === 'pending') await set({ status: 'downloading', phase: 'building_manifest' });
    await finishDataset(ports, { datasetId, generation }, undefined, { deadline: Date.now() + timeMs });
  } catch (error) {
    if (error instanceof ExpectationFailed) return; // paused, canceled, deleted, or done by another worker
    if (error instanceof TimeUp) {
      const body: DatasetMessage = { kind: 'build', datasetId, generation };
      return sendMessages(ports, [body]);
    }
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await set({ status: 'failed', error: reason });
  }
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof Conflict) return error.message;
  return isMissing(error) ? "The directory is missing or can't be read." : undefined;
}
