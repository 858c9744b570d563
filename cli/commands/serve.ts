import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { START_FLAGS, START_VARIABLES } from '../../infra/local/start-flags.ts';
import type { Command } from '../command.ts';
import { START, stopChild } from '../embedded.ts';
import { EXIT, Failure } from '../failure.ts';
import { configFolder, dataFolder } from '../places.ts';
import { locate } from '../workspace.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[FOLDER…]',
  summary: 'start the service with its console, which may use these folders',
  uses: 'nothing',
  completes: 'folder',
  async run({ context, words }) {
    if (!existsSync(START))
      throw new Failure('This installation has no service. Run `npm start` in a clone of the repository.', {
        exit: EXIT.usage,
      });
    const child = startService(await Promise.all(words.map(locate)));
    context.whenDone(async () => {
      child.kill('SIGTERM');
      await stopChild(child);
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = EXIT.failed;
  },
};

/**
 * Starts the service over the user's own data, with the settings of `wrs`. It has its own process group, so that it
 * gets Ctrl-C only once, from us. As under npm, it ends if its parent is killed.
 */
function startService(folders: string[]) {
  for (const place of [dataFolder(), configFolder()]) mkdirSync(place, { recursive: true, mode: 0o700 });
  const env = { ...process.env, ...START_VARIABLES, DATA_DIR: dataFolder(), npm_lifecycle_event: 'start' };
  const args = [...START_FLAGS, START, '--', ...folders];
  return spawn(process.execPath, args, { cwd: configFolder(), env, stdio: 'inherit', detached: true });
}
