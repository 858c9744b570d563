import { recordActivity } from '../activity/record.ts';
import { type TouchPorts, touchWorkspace } from '../indexing/enqueue.ts';
import { withPathLock } from '../paths/path-lock.ts';
import type { Pulled, Repositories } from '../ports/repositories.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { clones, type RepositoryState } from './schema.ts';

export interface PullPorts extends TouchPorts {
  repositories: Repositories;
}

/**
 * Updates the clone in a workspace, fast-forward only. Uses the service's token if the service's own record
 * states the clone's source. Undefined if there is no clone. Throws the port's errors.
 */
export async function pullWorkspace(
  ports: PullPorts,
  { id, rootPath }: Workspace,
  actor: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Pulled | undefined> {
  const tokenFor = (await clones.get(ports.records, { workspaceId: id }))?.url;
  const pulled = await withPathLock(rootPath, () => ports.repositories.pull(rootPath, { signal, tokenFor }));
  if (pulled === undefined || pulled.from === pulled.to) return pulled;
  const { branch, from, to, changedFiles } = pulled;
  await Promise.all([
    touchWorkspace(ports, id),
    recordActivity(ports, {
      workspaceId: id,
      kind: 'git_pulled',
      actor,
      summary: `Pulled ${branch}: ${changedFiles} ${changedFiles === 1 ? 'file' : 'files'} changed`,
      details: { branch, from, to, changedFiles },
    }),
  ]);
  return pulled;
}

const NO_REPOSITORY: RepositoryState = {
  isGitRepo: false,
  branch: null,
  branches: [],
  canPush: false,
  clean: true,
  modified: [],
  hasUpstream: false,
  ahead: 0,
  behind: 0,
};

export async function describeRepository(
  { repositories, records }: Pick<PullPorts, 'repositories' | 'records'>,
  { id, rootPath }: Workspace,
): Promise<RepositoryState> {
  const status = await repositories.status(rootPath);
  if (status === undefined) return NO_REPOSITORY;
  const url = (await clones.get(records, { workspaceId: id }))?.url;
  const canPush = url !== undefined && (await repositories.canPush(url));
  return { isGitRepo: true, clean: status.modified.length === 0, canPush, ...status };
}
