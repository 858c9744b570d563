import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { START, START_FLAGS, START_VARIABLES } from '../infra/local/start-flags.ts';
import { enabledVariable, PLATFORMS } from '../lib/api-contract/chat-platforms.ts';
import type { Access } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { configFolder, dataFolder } from './places.ts';

const MAX_LOG_BYTES = 1_000_000;
/** Milliseconds; a first start builds the service, and a busy host is slow. */
export const START_MS = 120_000;
const STOP_MS = 20_000;

export interface Embedded extends Access {
  stop(): Promise<void>;
}

/**
 * Starts the service as a process of this call: on a free loopback port, protected by a token, over the user's own
 * data. `folder` may become a workspace. The service ends with this process, even if this process is killed. It has its
 * own process group, so that Ctrl-C in the terminal reaches only us, and work in progress is stopped in order.
 */
export async function startEmbedded(folder?: string): Promise<Embedded> {
  const data = dataFolder();
  for (const place of [data, configFolder()]) mkdirSync(place, { recursive: true, mode: 0o700 });
  const log = openLog(join(data, 'wrs.log'));
  const child = spawn(process.execPath, [...START_FLAGS, START, '--embedded'], {
    cwd: configFolder(), // reads the `.env` there, never one in the target folder
    env: { ...process.env, ...environmentOf(data, folder) },
    stdio: ['ignore', log.file, log.file, 'ipc'],
    detached: true,
  });
  closeSync(log.file);
  const access = await waitForAddress(child, log.read);
  return { ...access, stop: () => stopChild(child) };
}

/**
 * Returns the service's environment. Bots would give chats access to every possible workspace folder, so only permanent
 * services have them.
 */
function environmentOf(data: string, folder: string | undefined): Record<string, string> {
  if (folder?.includes(','))
    throw new Failure(
      `The path ${folder} contains a comma. Rename the folder, or the folder that contains it.`,
      {
        exit: EXIT.usage,
      },
    );
  return {
    ...START_VARIABLES,
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    DATA_DIR: data,
    WORKSPACE_ROOTS: [join(data, 'workspaces'), ...(folder === undefined ? [] : [folder])].join(','),
    HOST: '127.0.0.1',
    PORT: '0',
    AUTH_MODE: 'token',
    ...Object.fromEntries(PLATFORMS.map((platform) => [enabledVariable(platform), 'false'])),
    PUBLIC_URL: '',
    TABLE_NAME: '',
  };
}

/** Opens the log, and empties it if it has grown long; `read` returns the output since this start. */
function openLog(path: string): { file: number; read(): string } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const isLong = size > MAX_LOG_BYTES;
  const from = isLong ? 0 : size;
  const file = openSync(path, isLong ? 'w' : 'a', 0o600);
  return { file, read: () => readFileSync(path).subarray(from).toString().trim() };
}

function waitForAddress(child: ChildProcess, readLog: () => string): Promise<Access> {
  return new Promise((found, failed) => {
    const fail = (why: string) => {
      child.kill('SIGKILL');
      const words = readLog().split('\n').slice(-5).join('\n');
      failed(
        new Failure([`The service ${why}`, words].filter(Boolean).join(':\n'), { exit: EXIT.unreachable }),
      );
    };
    const timer = setTimeout(() => fail(`did not start in ${START_MS / 1000} s`), START_MS);
    child.once('error', (error) => fail(`can't be started (${error.message})`));
    child.once('exit', () => {
      clearTimeout(timer);
      fail('stopped while starting');
    });
    child.once('message', (message) => {
      clearTimeout(timer);
      child.removeAllListeners('exit');
      found(message as Access);
    });
  });
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
