import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import type { IndexState } from '../../lib/indexing/schema.ts';
import { embeddingSpaceOf } from '../../lib/passages/embedding-space.ts';
import { drainQueues } from '../package/queue-pump.ts';
import type { TruerDeployment } from './truer-deployment.ts';

const SYNC = '/api/workspaces/{workspaceId}/sync';
const INDEX_QUEUES = ['IndexQueue', 'TouchQueue', 'CommitQueue', 'MaintainQueue'];
const SPACE = embeddingSpaceOf({ model: 'text-embedding-3-small' });

/** Creates a workspace of files with one passage each; returns its ID. */
export async function makeWorkspace(deployment: TruerDeployment, name: string, files: number) {
  const folder = join(deployment.mount, 'workspaces', name);
  await mkdir(folder);
  for (let file = 0; file < files; file++) {
    const text = `# Bridge ${file}\n\nBridge number ${file} was opened in ${1700 + file}. It is ${file} metres long.\n`;
    await writeFile(join(folder, `bridge-${file}.md`), text);
  }
  const request = { method: 'POST', resource: '/api/workspaces', body: { path: name } };
  return (await deployment.call<{ id: string }>('workspaces', request)).body.id;
}

export async function startSync(deployment: TruerDeployment, workspaceId: string): Promise<void> {
  await deployment.call('indexing', { method: 'POST', resource: SYNC, params: { workspaceId } });
}

/** Processes the rest of the sync. */
export async function finishSync(deployment: TruerDeployment, workspaceId: string): Promise<IndexState> {
  await drainQueues(deployment, INDEX_QUEUES);
  const request = { method: 'GET', resource: SYNC, params: { workspaceId } };
  return (await deployment.call<IndexState>('indexing', request)).body;
}

/** Returns the sorted paths of all rows in the workspace's table. A duplicate path is a duplicate row. */
export async function indexedPaths(deployment: TruerDeployment, workspaceId: string): Promise<string[]> {
  const table = await lancedbVectors(join(deployment.mount, 'vectors')).open(workspaceId, SPACE);
  const paths: string[] = [];
  for await (const passages of table.passages()) paths.push(...passages.map(({ path }) => path));
  return paths.sort();
}
