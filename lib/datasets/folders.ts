import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** All that the service has of a dataset on the disk: its files, and what is not a whole file yet. */
export function folderOf(datasetsDir: string, datasetId: string): string {
  return join(datasetsDir, datasetId);
}

/** The whole, verified files. */
export function filesFolder(datasetsDir: string, datasetId: string): string {
  return join(folderOf(datasetsDir, datasetId), 'files');
}

/** Takes a dataset's folder out of sight in one step. Harmless when it is not there. */
export async function setAside(datasetsDir: string, datasetId: string): Promise<void> {
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
