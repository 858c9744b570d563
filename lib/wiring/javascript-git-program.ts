import type { RepositorySettings } from '../adapters/git/shadow.ts';
import { isomorphicGitRepositories } from '../adapters/isomorphic-git/repositories.ts';
import { writeWhole } from '../files/write.ts';
import { type Bounds, isolatedProgram } from '../isolation/program.ts';
import type { CommitDraft, DiffRequest, LogRange, PullOptions, WantedBranch } from '../ports/repositories.ts';

/** The git settings that can be passed to another process. */
type PlainSettings = Pick<RepositorySettings, 'codeHost' | 'allowPrivate' | 'proxy'> & {
  token: string | undefined;
};

/**
 * The library keeps packs of up to 256 MB in memory, in several copies. A clone takes at most five minutes.
 */
const BOUNDS: Bounds = {
  memoryMb: 2048,
  heapMb: 1024,
  cpuSeconds: 600,
  files: { largestMb: 4096 },
  atOnce: { main: 4, worker: 1 },
};

interface InFolder {
  settings: PlainSettings;
  folder: string;
}

interface InPaths extends InFolder {
  paths: string[];
}

/** Git in JavaScript, in a separate process, because clones and remotes are untrusted. */
export const program = isolatedProgram(
  import.meta,
  {
    clone: ({ settings, folder, url }: InFolder & { url: string }) => open(settings).clone(url, folder),
    pull: ({ settings, folder, tokenFor }: InFolder & Pick<PullOptions, 'tokenFor'>) =>
      open(settings).pull(folder, { tokenFor }),
    status: ({ settings, folder }: InFolder) => open(settings).status(folder),
    diff: ({ settings, folder, ...asked }: InFolder & DiffRequest) => open(settings).diff(folder, asked),
    log: ({ settings, folder, ...range }: InFolder & LogRange) => open(settings).log(folder, range),
    stage: ({ settings, folder, paths }: InPaths) => open(settings).stage(folder, paths),
    unstage: ({ settings, folder, paths }: InPaths) => open(settings).unstage(folder, paths),
    discard: ({ settings, folder, paths }: InPaths) => open(settings).discard(folder, paths),
    commit: ({ settings, folder, ...draft }: InFolder & CommitDraft) => open(settings).commit(folder, draft),
    branch: ({ settings, folder, ...wanted }: InFolder & WantedBranch) =>
      open(settings).branch(folder, wanted),
    push: ({ settings, folder, tokenFor }: InFolder & Pick<PullOptions, 'tokenFor'>) =>
      open(settings).push(folder, { tokenFor }),
  },
  BOUNDS,
);

function open({ token, ...settings }: PlainSettings) {
  return isomorphicGitRepositories({ ...settings, token: async () => token, replaceFile: writeWhole });
}
