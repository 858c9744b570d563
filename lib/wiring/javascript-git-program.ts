import type { RepositorySettings } from '../adapters/git/shadow.ts';
import { isomorphicGitRepositories } from '../adapters/isomorphic-git/repositories.ts';
import { writeWhole } from '../files/write.ts';
import { type Bounds, isolatedProgram } from '../isolation/program.ts';
import type { PullOptions } from '../ports/repositories.ts';

/** The git settings that can be passed to another process. */
type PlainSettings = Pick<RepositorySettings, 'codeHost' | 'allowPrivate' | 'proxy'> & {
  token: string | undefined;
};

/** The library holds packs of up to 256 MB in memory, in several copies. A clone takes at most five minutes. */
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

/** Git in JavaScript, in a separate process because clones and remotes are untrusted. */
export const program = isolatedProgram(
  import.meta,
  {
    clone: ({ settings, folder, url }: InFolder & { url: string }) => open(settings).clone(url, folder),
    pull: ({ settings, folder, tokenFor }: InFolder & Pick<PullOptions, 'tokenFor'>) =>
      open(settings).pull(folder, { tokenFor }),
    status: ({ settings, folder }: InFolder) => open(settings).status(folder),
  },
  BOUNDS,
);

function open({ token, ...settings }: PlainSettings) {
  return isomorphicGitRepositories({ ...settings, token: async () => token, replaceFile: writeWhole });
}
