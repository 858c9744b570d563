import type { Pushed } from '../../ports/repositories.ts';
import { pushRejected, requireFastForward, requirePushable } from '../git/bounds.ts';
import { findRemote } from '../git/remote.ts';
import { keepUpstream, type RepositorySettings } from '../git/shadow.ts';
import type { CloneWork } from './changes.ts';
import { withNetwork } from './network.ts';
import { GitFailed } from './program.ts';

const MAX_REPORT_CHARACTERS = 65_536;

/** Sends the branch, without force, hooks, tags, and submodules. */
export async function pushBranch(
  { git, call, root, shadow, replaceFile }: CloneWork,
  settings: RepositorySettings,
): Promise<Pushed> {
  const { branch, commit, upstream } = requirePushable(shadow, settings.tokenFor);
  const remote = await findRemote(settings, upstream.url, call.signal);
  const options = [
    '--porcelain',
    '--no-verify',
    '--no-follow-tags',
    '--no-signed',
    '--recurse-submodules=no',
  ];
  const args = ['push', ...options, '--', remote.url, `${commit}:refs/heads/${upstream.branch}`];
  let report = '';
  const read = (chunk: Buffer) => {
    report = (report + chunk.toString()).slice(0, MAX_REPORT_CHARACTERS);
  };
  try {
    await withNetwork(remote, (asks) =>
      git({ ...call, ...asks, places: { ...call.places, ...asks.places }, args, onOutput: read }),
    );
  } catch (error) {
    if (error instanceof GitFailed) throw refusal(report);
    throw error;
  }
  await keepUpstream(replaceFile, root, upstream, commit);
  return { branch, commit };
}

/**
 * Reads why the push failed, from a line such as `! FROM:TO [rejected] (fetch first)`. Other texts come from
 * the remote host, and aren't shown.
 */
function refusal(report: string): Error {
  requireFastForward(!/^!\t.*\[rejected\]/m.test(report));
  return pushRejected();
}
