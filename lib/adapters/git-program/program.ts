import { joinPieces } from '../../async/join-pieces.ts';
import { DiskFull, TooLarge } from '../../errors.ts';
import { CLONE_TIMEOUT_MS } from '../../ports/repositories.ts';
import { launchScript } from '../process/commands.ts';
import { SANDBOX_BOUNDS } from '../process/group-use.ts';
import type { Launch, Sandbox } from '../process/launch.ts';
import { runGroup } from '../process/process-group.ts';
import { BEGUN, quote } from '../process/shell.ts';

export interface GitCall {
  args: string[];
  /** Absolute real paths of the folders that git works in. In addition, git sees only programs. */
  folders: string[];
  /** More folders that git may read. */
  readable?: string[];
  /** True if the call contacts a remote. */
  network?: boolean;
  /** GIT_DIR and similar variables. */
  places?: Record<string, string>;
  settings: GitSettings;
  signal: AbortSignal;
  /** Receives the output as it arrives; may throw. Without a receiver, the output is discarded. */
  onOutput?: (chunk: Buffer) => void;
}

/** Git settings in git's own syntax. They override the clone's settings. */
export type GitSettings = [name: string, value: string][];

/** Settings that keep git from running a program or contacting a host unasked. */
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
  ['diff.ignoreSubmodules', 'all'],
  ['commit.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['log.showSignature', 'false'],
  ['log.mailmap', 'false'],
  ['core.editor', '/bin/false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.unpackLimit', '1'],
  ['transfer.bundleURI', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['pack.threads', '2'],
];

/** Git failed. Its output is omitted, because it names paths and URLs, and may quote a file. */
export class GitFailed extends Error {
  constructor(command: string, code: number) {
    super(`git ${command} ended with ${code}`);
  }
}

/** Where the git program is installed, and the sandbox that confines it. */
export interface GitPlace {
  /** Absolute real path. */
  file: string;
  /** Readable paths in addition to the system's programs. */
  readable: string[];
  searchPath: string;
  /** Undefined if commands in the workspace run without a sandbox too. */
  sandboxes: GitSandboxes | undefined;
}

/** The two sandboxes for git. Only the one for contacting a remote has the host's network. */
export interface GitSandboxes {
  alone: Sandbox;
  connected: Sandbox;
}

/**
 * Runs git with only its own settings, in the sandbox of workspace commands, so that a command that
 * interferes with it gains nothing. Aborting the signal kills git and its child processes. Throws GitFailed,
 * TooLarge, DiskFull, and the signal's reason.
 */
export function gitProgram(place: GitPlace) {
  return async (call: GitCall): Promise<void> => {
    const launch = await launchGit(place, call);
    const { signal, onOutput = () => {} } = call;
    const bounds = place.sandboxes && SANDBOX_BOUNDS;
    const limits = { timeoutMs: CLONE_TIMEOUT_MS, maxOutputBytes: MAX_MESSAGE, signal, onOutput, bounds };
    const { exitCode, exceeded, report, stderr } = await runGroup(launch, limits);
    if (exceeded !== undefined)
      throw new TooLarge('git_repository_too_large', `The repository is too large: git ${exceeded}.`);
    if (place.sandboxes !== undefined && !report.startsWith(BEGUN))
      throw new Error(`The sandbox for git could not be created: ${exitCode} ${stderr.trim()}`);
    if (exitCode !== 0 && NO_ROOM.test(stderr)) throw new DiskFull();
    if (exitCode !== 0) throw new GitFailed(call.args[0] ?? '', exitCode);
  };
}

export type GitProgram = ReturnType<typeof gitProgram>;

async function launchGit(place: GitPlace, call: GitCall): Promise<Launch> {
  const { file, sandboxes, searchPath } = place;
  if (sandboxes === undefined)
    return { file, args: call.args, env: { PATH: searchPath, ...environment(call) }, cwd: '/' };
  const { folders, args, network = false, readable = [] } = call;
  const { launch } = await launchScript(network ? sandboxes.connected : sandboxes.alone, {
    script: `cd / && exec ${[file, ...args].map(quote).join(' ')}`,
    cwd: folders[0] ?? '',
    writable: folders,
    readable: [...place.readable, ...readable],
  });
  return { ...launch, env: { ...launch.env, ...environment(call) } };
}

/** Maximum characters of an error message from the sandbox or from git. Messages of git are only logged. */
const MAX_MESSAGE = 1000;
/** Matches the system's error messages under LC_ALL=C. */
const NO_ROOM = /No space left on device|Disk quota exceeded/;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Returns the output as text. */
export async function output(git: GitProgram, call: GitCall): Promise<string> {
  const tooLarge = () =>
    new TooLarge(
      'git_repository_too_large',
      'The repository is too large: its list of changes is over 64 MB.',
    );
  const pieces = joinPieces(MAX_OUTPUT, tooLarge);
  await git({ ...call, onOutput: pieces.add });
  return pieces.whole().toString();
}

class Full extends Error {}

/** Returns the first bytes of the output, and whether more follow. Kills git once it has written enough. */
export async function outputStart(
  git: GitProgram,
  call: GitCall,
  most: number,
): Promise<{ text: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let room = most;
  const onOutput = (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, room));
    room = Math.max(-1, room - chunk.length);
    if (room < 0) throw new Full();
  };
  const isCut = await git({ ...call, onOutput }).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Full) return true;
      throw error;
    },
  );
  return { text: Buffer.concat(chunks).toString(), isCut };
}

/** Returns whether git succeeded. Some commands answer by their exit code. */
export async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
}

/** Bytes of paths per call. The sandbox passes a command as one argument, which Linux limits to 128 KB. */
const MAX_PATHS_BYTES = 60_000;

/** Splits a list of paths into parts that fit into a command, and runs git for each. */
export async function forPaths(paths: string[], work: (part: string[]) => Promise<unknown>): Promise<void> {
  let [part, bytes] = [[] as string[], 0];
  for (const path of paths) {
    const size = Buffer.byteLength(quote(path)) + 1;
    if (bytes + size > MAX_PATHS_BYTES && part.length > 0) {
      await work(part);
      [part, bytes] = [[], 0];
    }
    part.push(path);
    bytes += size;
  }
  if (part.length > 0) await work(part);
}

/** Settings are passed in the environment, because every user of the host can see arguments. */
function environment({ places, settings }: Pick<GitCall, 'places' | 'settings'>): Record<string, string> {
  const all = [...SAFE_SETTINGS, ...settings];
  const numbered = all.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
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
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    ...places,
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(numbered),
  };
}
