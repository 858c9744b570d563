import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { log } from '../../lib/log.ts';
import { builtPage, isBuilt } from '../web/built-page.ts';
import type { Page, PageFiles } from './page.ts';
import { readPageFiles } from './page-files.ts';

/** Milliseconds, thirty times the typical duration. */
const BUILD_TIMEOUT_MS = 180_000;
const KEPT_OUTPUT = 4000;

/** The console's page. Its files stay undefined if they couldn't be built. */
export interface Console extends Page {
  close(): void;
}

/** Opens the console of the sources in `root`, built in the background while the service runs. */
export function openConsole(root: string, headers: Record<string, string>): Console {
  let files: PageFiles | undefined;
  const take = () => {
    files = readPageFiles(builtPage(root));
  };
  if (isBuilt(root)) {
    take();
    return { headers, files: () => files, close: () => {} };
  }
  const started = performance.now();
  process.stdout.write('console     is being built; the API is ready\n');
  const child = startBuild(root, (problem) => {
    if (problem === undefined) take();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (problem === undefined) process.stdout.write(`console     built in ${seconds} s\n`);
    else log.error('failed to build the console; the service runs without it', { problem });
  });
  return { headers, files: () => files, close: () => void child.kill('SIGKILL') };
}

/** Starts the build in a separate process with the lowest priority. */
function startBuild(root: string, done: (problem?: string) => void): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'infra/web/build.ts')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-KEPT_OUTPUT);
  });
  child.once('spawn', () => {
    try {
      setPriority(child.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {} // The process may have ended already.
  });
  child.once('error', ({ message }) => done(message));
  child.once('close', (code) => done(code === 0 ? undefined : said || `ended with ${code}`));
  return child;
}
