import type { Pulled } from '../../ports/repositories.ts';
import { requireFastForward, requireUpstream, treeCounter } from '../git/bounds.ts';
import { findRemote } from '../git/remote.ts';
import { keepPulled, type RepositorySettings, type Shadow } from '../git/shadow.ts';
import { confinedFs } from './confined-fs.ts';
import { remoteHttp } from './http.ts';
import { loadGit } from './load.ts';
import { moveTo } from './move-files.ts';
import { type CloneAt, countTree } from './trees.ts';

/** Fetches, then fast-forwards the branch and the files. */
export async function pullInto(
  settings: RepositorySettings,
  root: string,
  shadow: Shadow,
  signal: AbortSignal,
): Promise<Pulled> {
  const git = await loadGit();
  const { branch, commit: from, upstream } = requireUpstream(shadow);
  const remote = await findRemote(settings, upstream.url, signal);
  const fs = confinedFs({ root, gitdir: shadow.gitdir }, signal, treeCounter());
  const place = { fs, dir: root, gitdir: shadow.gitdir, cache: {} };
  await git.fetch({
    ...place,
    http: remoteHttp(remote, signal),
    url: remote.url,
    remote: 'origin',
    ref: branch,
    remoteRef: upstream.branch,
    singleBranch: true,
    tags: false,
  });
  const to = await git.resolveRef({ ...place, ref: `refs/remotes/origin/${upstream.branch}` });
  if (to === from || (await isAncestor(place, to, from))) return { branch, from, to: from, changedFiles: 0 };
  requireFastForward(await isAncestor(place, from, to));
  for (const commit of [from, to]) await countTree(place, commit);
  const changedFiles = await moveTo(place, from, to);
  await keepPulled(settings.replaceFile, root, shadow, to);
  return { branch, from, to, changedFiles };
}

async function isAncestor(place: CloneAt, older: string, newer: string): Promise<boolean> {
  const git = await loadGit();
  return git.isDescendent({ ...place, oid: newer, ancestor: older, depth: -1 });
}
