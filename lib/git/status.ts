import type { Repositories } from '../ports/repositories.ts';
import type { RepositoryState } from './schema.ts';

const NO_REPOSITORY: RepositoryState = {
  isGitRepo: false,
  branch: null,
  clean: true,
  modified: [],
  ahead: 0,
  behind: 0,
};

export async function describeRepository(
  { repositories }: { repositories: Repositories },
  { rootPath }: { rootPath: string },
): Promise<RepositoryState> {
  const status = await repositories.status(rootPath);
  if (status === undefined) return NO_REPOSITORY;
  const { branch, modified, ahead, behind } = status;
  return { isGitRepo: true, branch, clean: modified.length === 0, modified, ahead, behind };
}
