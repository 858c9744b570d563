import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { tempFolder, whenDone } from './temp-folder.ts';

const PROGRAM = resolve(import.meta.dirname, '../../cli/wrs.mjs');

export interface WrsRun {
  code: number;
  stdout: string;
  stderr: string;
}

export interface WrsOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** The complete standard input; empty by default. */
  input?: string;
}

/** A user's host: separate home folders, and no environment variables of the tests. */
export async function personEnvironment(): Promise<Record<string, string>> {
  const home = await tempFolder();
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_COMPILE_CACHE, HOME: home, TMPDIR: await tempFolder() };
}

/** Runs `wrs` as a process without a terminal. Ended with the test file if it's still running. */
export function startWrs(
  args: string[],
  { env, cwd, input }: WrsOptions,
): { child: ChildProcess; ended: Promise<WrsRun> } {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, cwd, stdio: 'pipe' });
  const texts = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  child.stdin?.end(input ?? '');
  const ended = new Promise<WrsRun>((done) =>
    child.once('close', (code) => done({ code: code ?? -1, ...texts })),
  );
  whenDone(async () => void child.kill('SIGKILL'));
  return { child, ended };
}

export function runWrs(args: string[], options: WrsOptions): Promise<WrsRun> {
  return startWrs(args, options).ended;
}
