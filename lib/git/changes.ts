import type { Caller } from '../access/caller.ts';
import { recordActivity } from '../activity/record.ts';
import { Conflict, NotConfigured } from '../errors.ts';
import { remove } from '../files/write.ts';
import { touchChanged, touchWorkspace } from '../indexing/enqueue.ts';
import { splitPath } from '../paths/confine.ts';
import { withPathLock } from '../paths/path-lock.ts';
import type { Committed, GitFile, Pushed, Switched, WantedBranch } from '../ports/repositories.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { PullPorts } from './repository.ts';
import { clones } from './schema.ts';

interface CommitPorts extends PullPorts {
  /** Email address of the author of commits. */
  commitEmail: string;
}

/** Throws Conflict for a workspace that isn't a clone. */
export function requireRepository<Result>(found: Result | undefined): Result {
  if (found !== undefined) return found;
  throw new Conflict('git_repository_missing', "The workspace isn't a Git repository. Clone one first.", {
    field: 'workspaceId',
  });
}

const FITS = {
  stage: ({ unstaged }: GitFile) => unstaged,
  unstage: ({ staged }: GitFile) => staged,
};

/** Puts the changes at these paths into the next commit, or takes them out; returns the number of files. */
export async function changeIndex(
  { repositories }: PullPorts,
  { rootPath }: Workspace,
  paths: string[],
  how: keyof typeof FITS,
): Promise<number> {
  return withPathLock(rootPath, async () => {
    const files = await findChanged({ repositories }, rootPath, paths, FITS[how]);
    requireRepository(await repositories[how](rootPath, files.map(pathOf)));
    return files.length;
  });
}

/**
 * Restores tracked files from the index, so that staged changes stay. Deletes untracked files only if the
 * caller asks for it, because nothing can restore them. Never deletes ignored files.
 */
export async function discardChanges(
  ports: PullPorts,
  workspace: Workspace,
  actor: string,
  { paths, untracked }: { paths: string[]; untracked: boolean },
): Promise<number> {
  const { id, rootPath } = workspace;
  const files = await withPathLock(rootPath, () => discardIn(ports, rootPath, paths, untracked));
  await Promise.all([
    touchChanged(ports, id, files.map(pathOf)),
    recordActivity(ports, {
      workspaceId: id,
      kind: 'git_discarded',
      actor,
      summary: `Discarded the changes of ${countOf(files.length)}`,
      details: { changedFiles: files.length, untracked },
    }),
  ]);
  return files.length;
}

async function discardIn(
  ports: PullPorts,
  rootPath: string,
  paths: string[],
  untracked: boolean,
): Promise<GitFile[]> {
  const files = await findChanged(
    ports,
    rootPath,
    paths,
    ({ unstaged, status }) => unstaged && status !== 'conflicted',
  );
  const [own, tracked] = [files.filter(isUntracked), files.filter((file) => !isUntracked(file))];
  if (own.length > 0 && !untracked && tracked.length === 0)
    throw new Conflict(
      'git_untracked_kept',
      "These files aren't tracked, so deleting them can't be undone. To delete them, send untracked: true.",
      { field: 'untracked' },
    );
  if (tracked.length > 0) requireRepository(await ports.repositories.discard(rootPath, tracked.map(pathOf)));
  if (!untracked) return tracked;
  for (const { path } of own) await remove(rootPath, path);
  return files;
}

function isUntracked({ status }: GitFile): boolean {
  return status === 'untracked';
}

function pathOf({ path }: GitFile): string {
  return path;
}

function countOf(files: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'}`;
}

/** Returns the changed files at or below these paths. A nested repository, whose path ends in `/`, isn't a file. */
async function findChanged(
  { repositories }: Pick<PullPorts, 'repositories'>,
  rootPath: string,
  paths: string[],
  fits: (file: GitFile) => boolean,
): Promise<GitFile[]> {
  const wanted = new Set(paths.map((path) => splitPath(path).join('/')));
  const { modified } = requireRepository(await repositories.status(rootPath));
  const files = modified.filter(
    (file) => fits(file) && !file.path.endsWith('/') && isWithin(wanted, file.path),
  );
  if (files.length > 0) return files;
  throw new Conflict('git_no_changes', 'None of these paths has such a change. Read the status again.', {
    field: 'paths',
  });
}

function isWithin(wanted: Set<string>, path: string): boolean {
  const parts = path.split('/');
  return parts.some((_, length) => wanted.has(parts.slice(0, length).join('/'))) || wanted.has(path);
}

/** Commits what is staged, with the caller as author. */
export async function commitStaged(
  ports: CommitPorts,
  { id, rootPath }: Workspace,
  caller: Caller,
  message: string,
): Promise<Committed> {
  const author = { name: nameOf(caller), email: ports.commitEmail };
  const committed = requireRepository(
    await withPathLock(rootPath, () =>
      ports.repositories.commit(rootPath, { message: `${message}\n`, author }),
    ),
  );
  await recordActivity(ports, {
    workspaceId: id,
    kind: 'git_committed',
    actor: caller.id,
    summary: `Committed to ${committed.branch}: ${message}`,
    details: { ...committed },
  });
  return committed;
}

const UNNAMED = 'Workspace Research Service';

/** Returns a name that git accepts: without line breaks, angle brackets, and other characters that it strips. */
function nameOf({ profile, id }: Caller): string {
  const name = (profile?.name ?? id).replace(/[\p{Cc}<>]+/gu, ' ').trim();
  return /[\p{L}\p{N}]/u.test(name) ? name.slice(0, 200) : UNNAMED;
}

export async function switchBranch(
  ports: PullPorts,
  { id, rootPath }: Workspace,
  actor: string,
  wanted: WantedBranch,
): Promise<Switched> {
  const switched = requireRepository(
    await withPathLock(rootPath, () => ports.repositories.branch(rootPath, wanted)),
  );
  const { branch, changedFiles } = switched;
  await Promise.all([
    changedFiles > 0 && touchWorkspace(ports, id),
    recordActivity(ports, {
      workspaceId: id,
      kind: 'git_branch_switched',
      actor,
      summary: `${wanted.create ? 'Created' : 'Switched to'} the branch ${branch}`,
      details: { branch, changedFiles },
    }),
  ]);
  return switched;
}

/** Pushes to the URL from which the API cloned, if a token for it is configured. */
export async function pushWorkspace(
  ports: PullPorts,
  { id, rootPath }: Workspace,
  actor: string,
): Promise<Pushed> {
  const tokenFor = (await clones.get(ports.records, { workspaceId: id }))?.url;
  if (tokenFor === undefined || !(await ports.repositories.canPush(tokenFor)))
    throw new NotConfigured(
      'git_push_not_configured',
      "No token for this repository's host is configured. An administrator can set CODE_HOST and CODE_HOST_TOKEN.",
    );
  const pushed = requireRepository(
    await withPathLock(rootPath, () => ports.repositories.push(rootPath, { tokenFor })),
  );
  await recordActivity(ports, {
    workspaceId: id,
    kind: 'git_pushed',
    actor,
    summary: `Pushed ${pushed.branch}`,
    details: { ...pushed },
  });
  return pushed;
}
