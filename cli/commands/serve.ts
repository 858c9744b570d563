import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { START, START_FLAGS, START_VARIABLES } from '../../infra/local/start-flags.ts';
import { isLoopbackUrl } from '../../lib/api-contract/loopback.ts';
import type { Command } from '../command.ts';
import { stopChild } from '../embedded.ts';
import { EXIT } from '../failure.ts';
import { configFolder, dataFolder } from '../places.ts';
import { waitForService } from '../service.ts';
import { locate } from '../workspace.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[FOLDER…]',
  summary: 'start the service with its console, which may use these folders',
  uses: 'nothing',
  completes: 'folder',
  options: { open: { type: 'boolean' } },
  optionTexts: { open: 'opens the console in the browser, if this host has one' },
  async run({ context, words, values }) {
    const child = startService(await Promise.all(words.map(locate)));
    context.whenDone(async () => {
      child.kill('SIGTERM');
      await stopChild(child);
    });
    if (values.open) void openInBrowser(child);
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = EXIT.failed;
  },
};

/**
 * Starts the service over the user's own data, with the settings of `wrs`. It has its own process group, so
 * that it gets Ctrl-C only once, from this process. As under npm, it ends if its parent is killed.
 */
function startService(folders: string[]) {
  for (const place of [dataFolder(), configFolder()]) mkdirSync(place, { recursive: true, mode: 0o700 });
  const env = { ...process.env, ...START_VARIABLES, DATA_DIR: dataFolder(), npm_lifecycle_event: 'start' };
  const args = [...START_FLAGS, START, '--', ...folders];
  return spawn(process.execPath, args, { cwd: configFolder(), env, stdio: 'inherit', detached: true });
}

/** Opens the console once the service runs. Does nothing without a screen, or without a program that opens pages. */
async function openInBrowser(service: ChildProcess): Promise<void> {
  const url = await waitForService(service);
  const isMac = process.platform === 'darwin';
  const hasScreen = isMac || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (url === undefined || !isLoopbackUrl(url) || !hasScreen) return;
  const opener = spawn(isMac ? 'open' : 'xdg-open', [url], { stdio: 'ignore', detached: true });
  opener.once('error', () => {}); // The service has printed its URL.
  opener.unref();
}
