import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pulled } from '../../ports/repositories.ts';
import { requireFastForward, requireUpstream, watchSize } from '../git/bounds.ts';
import { findRemote, type Remote } from '../git/remote.ts';
import { keepPulled, type RepositorySettings, type Shadow } from '../git/shadow.ts';
import { guardTree } from './clone.ts';
import { moveFiles } from './move-files.ts';
import { withNetwork } from './network.ts';
import { type GitCall, type GitProgram, output } from './program.ts';

type Call = Omit<GitCall, 'args'>;

/** Fetches, then fast-forwards the branch and the files. */
export async function pullInto(
  git: GitProgram,
  repositorySettings: RepositorySettings,
  root: string,
  shadow: Shadow,
  until: AbortSignal,
): Promise<Pulled> {
  const { gitdir } = shadow;
  const { branch, commit: from, upstream } = requireUpstream(shadow);
  const remote = await findRemote(repositorySettings, upstream.url, until);
  const places = { GIT_DIR: gitdir, GIT_WORK_TREE: root };
  const call = { folders: [root, gitdir], places, settings: [], signal: until };
  await fetchUpstream(git, remote, call, upstream.branch);
  const to = (await readFile(join(gitdir, 'refs/remotes/origin', upstream.branch), 'utf8')).trim();
  if (to === from) return { branch, from, to, changedFiles: 0 };
  const { own, others } = await countCommits(git, call, from, to);
  if (others === 0) return { branch, from, to: from, changedFiles: 0 };
  requireFastForward(own === 0);
  for (const commit of [from, to]) await guardTree(git, call, commit);
  const changed = await moveFiles(git, call, root, { from, to });
  await keepPulled(repositorySettings.replaceFile, root, shadow, to);
  return { branch, from, to, changedFiles: changed.length };
}

async function fetchUpstream(git: GitProgram, remote: Remote, call: Call, branch: string): Promise<void> {
  const sizes = watchSize(join(call.places?.GIT_DIR ?? '', 'objects/pack'));
  const refspec = `+refs/heads/${branch}:refs/remotes/origin/${branch}`;
  try {
    await withNetwork(remote, (asks) =>
      git({
        ...asks,
        folders: call.folders,
        args: ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', remote.url, refspec],
        places: { ...call.places, ...asks.places },
        signal: AbortSignal.any([call.signal, sizes.signal]),
      }),
    );
  } finally {
    sizes.end();
  }
}

/** Returns two counts: the commits that only this side has, and those that only the other side has. */
async function countCommits(git: GitProgram, call: Call, from: string, to: string) {
  const args = ['rev-list', '--left-right', '--count', `${from}...${to}`];
  const [own, others] = (await output(git, { ...call, args })).split('\t').map(Number);
  return { own, others };
}
