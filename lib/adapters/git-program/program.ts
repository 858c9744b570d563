import { spawn } from 'node:child_process';
import { TooLarge } from '../../errors.ts';

export interface GitCall {
  args: string[];
  /** GIT_DIR and its kin. */
  places?: Record<string, string>;
  settings: GitSettings;
  signal: AbortSignal;
  /** Takes what the program prints, as it comes; without it, that is thrown away. May throw. */
  onOutput?: (chunk: Buffer) => void;
}

/** Settings of git, in its own words: what counts whatever a clone says. */
export type GitSettings = [name: string, value: string][];

/** Where nothing may run or be reached that git was not asked for. */
const SAFE_SETTINGS: GitSettings = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['protocol.allow', 'never'],
  ['protocol.https.allow', 'always'],
  ['http.followRedirects', 'false'],
  ['credential.helper', ''],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.unpackLimit', '1'],
  ['transfer.bundleURI', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['pack.threads', '2'],
];

/** Git ended otherwise than well. What it printed is not kept: it names paths and addresses, and may quote a file. */
export class GitFailed extends Error {
  constructor(command: string, code: number | null) {
    super(`git ${command} ended with ${code}`);
  }
}

/**
 * Runs git in an environment that holds its own settings and nothing else. It and what it started are killed with the signal.
 * Throws GitFailed, and the signal's reason.
 */
export function gitProgram(searchPath: string) {
  return (call: GitCall): Promise<void> => {
    call.signal.throwIfAborted();
    const child = spawn('git', call.args, {
      cwd: '/',
      env: environment(searchPath, call),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    return new Promise((resolve, reject) => {
      let failure: unknown;
      const stop = (reason: unknown) => {
        failure ??= reason;
        killGroup(child.pid);
      };
      const abort = () => stop(call.signal.reason);
      call.signal.addEventListener('abort', abort, { once: true });
      child.stdout.on('data', (chunk: Buffer) => {
        if (failure === undefined) attempt(() => call.onOutput?.(chunk), stop);
      });
      child.once('error', stop);
      child.once('close', (code) => {
        call.signal.removeEventListener('abort', abort);
        if (failure !== undefined) reject(failure);
        else if (code === 0) resolve();
        else reject(new GitFailed(call.args[0] ?? '', code));
      });
    });
  };
}

export type GitProgram = ReturnType<typeof gitProgram>;

const MAX_OUTPUT = 64 * 1024 * 1024;

/** What it prints, as text. */
export async function output(git: GitProgram, call: GitCall): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  await git({
    ...call,
    onOutput(chunk) {
      size += chunk.length;
      if (size > MAX_OUTPUT)
        throw new TooLarge('the repository is too large: its list of changes is over 64 MB');
      chunks.push(chunk);
    },
  });
  return Buffer.concat(chunks).toString();
}

/** Whether it ended well: the answer of some commands. */
export async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
}

function attempt(work: () => void, failed: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    failed(error);
  }
}

/** With its helpers: git starts others for the network and for packs. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ended by itself
  }
}

/** Settings stand in the environment: arguments can be seen by every user of the machine. */
function environment(searchPath: string, { places, settings }: GitCall): Record<string, string> {
  const all = [...SAFE_SETTINGS, ...settings];
  const numbered = all.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    PATH: searchPath,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'https',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    ...places,
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(numbered),
  };
}
