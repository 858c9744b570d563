import { realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Conflict } from '../errors.ts';
import type { Dataset } from './schema.ts';

/** Returns the folder with all of a dataset's data on disk: its files, and incomplete ones. */
export function folderOf(datasetsDir: string, datasetId: string): string {
  return join(datasetsDir, datasetId);
}

/**
 * Returns the real path of a dataset's files; undefined if another directory has replaced it. Users who may
 * write next to an imported directory could replace it with a link to anywhere. Only the service writes to
 * its own folders.
 */
export async function rootOf({
  source,
  localPath,
}: Pick<Dataset, 'source' | 'localPath'>): Promise<string | undefined> {
  const real = await realpath(localPath).catch(() => undefined);
  if (source === 'local') return real === localPath ? real : undefined;
  return real ?? localPath;
}

/** Like rootOf, but throws Conflict. */
export async function requireRoot(dataset: Pick<Dataset, 'source' | 'localPath'>): Promise<string> {
  const root = await rootOf(dataset);
  if (root === undefined)
    throw new Conflict('dataset_files_missing', 'The files of the dataset are missing.');
  return root;
}

/** Returns the folder of the complete, verified files. */
export function filesFolder(datasetsDir: string, datasetId: string): string {
  return join(folderOf(datasetsDir, datasetId), 'files');
}

/** Hides a dataset's folder in one step. Harmless if it doesn't exist. */
export async function hideDataset(datasetsDir: string, datasetId: string): Promise<void> {
  await rename(folderOf(datasetsDir, datasetId), asideOf(datasetsDir, datasetId)).catch(
    (error: NodeJS.ErrnoException) => {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
    },
  );
}

export async function removeFolders(datasetsDir: string, datasetId: string): Promise<void> {
  for (const folder of [folderOf(datasetsDir, datasetId), asideOf(datasetsDir, datasetId)])
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

function asideOf(datasetsDir: string, datasetId: string): string {
  return join(datasetsDir, `.deleted-${datasetId}`);
}
