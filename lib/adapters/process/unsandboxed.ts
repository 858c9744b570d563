import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, type Sandbox } from './launch.ts';

/** Runs commands with no isolation but a clean environment and a process group. */
export const unsandboxed: Sandbox = {
  kind: 'none',
  hidden: [],
  async launch({ argv: [file = '', ...args], cwd }) {
    const temporaryFolder = await mkdtemp(join(tmpdir(), 'command-'));
    return { file, args, cwd, temporaryFolder, env: cleanEnvironment(temporaryFolder, temporaryFolder) };
  },
};
