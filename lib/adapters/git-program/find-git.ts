import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from '../../paths/confine.ts';
import { withScratch } from '../git/scratch.ts';
import { type GitPlace, type GitSandboxes, gitProgram, succeeds } from './program.ts';

export interface FoundGit {
  git?: GitPlace;
  /** Why there is no usable git. */
  reason?: string;
}

const PROBE_MS = 10_000;
/** Folders that are visible in every sandbox. */
const SYSTEM = ['/usr', '/bin', '/sbin'];

/**
 * Finds this host's git program by running it in the environment that calls will have. Looks for sandboxes
 * only if git exists.
 */
export async function findGit(
  searchPath: string,
  openSandboxes: () => Promise<GitSandboxes | undefined>,
): Promise<FoundGit> {
  const file = await findFile(searchPath.split(':'));
  if (file === undefined) return { reason: 'git is not in PATH' };
  const sandboxes = await openSandboxes();
  const git = { file, readable: sandboxes === undefined ? [] : belongings(file), searchPath, sandboxes };
  if (await runs(git)) return { git };
  return { reason: `${file} does not run${sandboxes === undefined ? '' : ' in the sandbox'}` };
}

async function findFile(folders: string[]): Promise<string | undefined> {
  for (const folder of folders.filter((each) => each.startsWith('/'))) {
    const file = join(folder, 'git');
    if (await access(file, constants.X_OK).then(...YES_OR_NO)) return realpath(file);
  }
  return undefined;
}

const YES_OR_NO = [() => true, () => false] as const;

/**
 * Returns the folders that a git outside the system folders needs: for `/opt/git/bin/git`, also
 * `/opt/git/libexec`.
 */
function belongings(file: string): string[] {
  const folder = dirname(dirname(file));
  return folder === '/' || SYSTEM.some((seen) => isInside(seen, file)) ? [] : [folder];
}

async function runs(git: GitPlace): Promise<boolean> {
  const run = gitProgram(git);
  return withScratch(async (folder) => {
    const call = { folders: [folder], settings: [], signal: AbortSignal.timeout(PROBE_MS) };
    const outcomes = [false, true].map((network) => succeeds(run({ ...call, network, args: ['--version'] })));
    return (await Promise.all(outcomes)).every(Boolean);
  }).catch(() => false);
}
