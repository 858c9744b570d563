import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersAbove } from './folders-above.ts';
import type { Bounds, IsolatedProgram } from './program.ts';

/** Maximum file descriptors. */
const MAX_FILES = 64;
/** The unit of `ulimit -f` in POSIX: 512 bytes. */
const BLOCKS_A_MB = 2048;
/**
 * The niceness: a lower priority than requests, but high enough that a good file doesn't exceed its time on a
 * busy host.
 */
const PRIORITY = 5;

/**
 * Returns shell commands that set limits, so that the system, not the program, enforces them: writable
 * memory, CPU time, files to write, no core dumps. Every Unix has a shell. (Not `ulimit -v`, because an
 * engine reserves a hundred times the memory that it uses.)
 */
function limits({ memoryMb, cpuSeconds, files }: Bounds): string {
  const blocks = (files?.largestMb ?? 0) * BLOCKS_A_MB;
  const limits = {
    c: 0,
    n: MAX_FILES,
    f: blocks,
    t: cpuSeconds === Number.POSITIVE_INFINITY ? 'unlimited' : cpuSeconds,
    d: memoryMb * 1024 + reservedKb(),
  };
  const set = Object.entries(limits).map(([name, value]) => `ulimit -${name} ${value};`);
  return `${set.join(' ')} ${enter(files === undefined ? [ENDS_WITH_US + WITHOUT_NETWORK, ENDS_WITH_US] : [ENDS_WITH_US])}`;
}

/** Makes the process end with the thread that started it. */
const ENDS_WITH_US = 'setpriv --pdeathsig KILL ';
const WITHOUT_NETWORK = 'unshare --user --net ';

/** Uses the first of these ways that this system supports. Some systems lack util-linux or namespaces. */
function enter(ways: string[]): string {
  const tries = ways.map((way) => `${way} true 2> /dev/null && exec ${way} "$0" "$@";`);
  return `${tries.join(' ')} exec "$0" "$@"`;
}

let reserved: number | undefined;

/**
 * Returns the address space in KB that V8 reserves for compiled code and mostly doesn't use: half a gigabyte
 * on x86-64, measured in this process.
 */
function reservedKb(): number {
  reserved ??= existsSync('/proc/self/maps') ? largestCodeKb(readFileSync('/proc/self/maps', 'utf8')) : 0;
  return reserved;
}

function largestCodeKb(maps: string): number {
  const ranges = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm)];
  return Math.max(0, ...ranges.map(([, from, to]) => (Number(`0x${to}`) - Number(`0x${from}`)) / 1024));
}

/**
 * Starts a module as a process: without the service's variables, without network access if the system allows
 * that, unable to start another process, and, unless it's given files, with access only to its own code. Its
 * channel is descriptor 3. It ends with the channel, or with the thread that started it.
 */
export function startProcess({
  url,
  bounds,
  reads = [],
}: Pick<IsolatedProgram, 'url' | 'bounds' | 'reads'>): ChildProcess {
  const file = fileURLToPath(url);
  const options = [
    `--max-old-space-size=${bounds.heapMb}`,
    '--v8-pool-size=1',
    '--no-warnings',
    // A task with files runs without the permission model, because under it Node refuses chmod, whatever the
    // process may write.
    ...(bounds.files === undefined ? onlyReading([...codeOf(file), ...reads]) : []),
  ];
  const said = bounds.files === undefined ? 'ignore' : 'inherit';
  const child = spawn('/bin/sh', ['-c', limits(bounds), process.execPath, ...options, file], {
    cwd: '/',
    env: environment(bounds),
    stdio: ['ignore', said, said, 'pipe'],
  });
  if (child.stdio === undefined) throw notStarted(child);
  if (child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

/**
 * Returns an error. If no file descriptor is free, Node creates no pipes and reports the reason later.
 * Without a listener, that would end the service.
 */
function notStarted(child: ChildProcess): Error {
  child.once('error', () => {});
  return new Error('The process that reads files did not start: too many files are open.');
}

function onlyReading(paths: string[]): string[] {
  return ['--permission', ...paths.map((path) => `--allow-fs-read=${path}`)];
}

/** The variable with which Lambda's Node finds its libraries. */
const LIBRARIES = ['LD_LIBRARY_PATH'];
/** Variables for the folder of temporary files and the trusted certificates. */
const FOR_FILES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'TMPDIR'];

/** Returns an environment without the service's variables. */
function environment({ files }: Bounds): NodeJS.ProcessEnv {
  const handedOn = files === undefined ? LIBRARIES : [...LIBRARIES, ...FOR_FILES];
  return Object.fromEntries(
    handedOn.filter((name) => process.env[name] !== undefined).map((name) => [name, process.env[name]]),
  );
}

/**
 * Returns the folders that a program may read: the code around it (all of lib/, if it runs from source), and
 * the packages, which may be elsewhere behind a link. Node reads modules by their real path, and their
 * package.json by the link's path.
 */
function codeOf(file: string): string[] {
  const own = dirname(file);
  const shared = file.endsWith('.ts') ? [dirname(import.meta.dirname)] : [];
  const packages = foldersAbove(own).flatMap((folder) => [
    join(folder, 'node_modules'),
    join(folder, 'package.json'),
  ]);
  const found = packages.filter((path) => existsSync(path));
  return [own, ...shared, ...new Set(found.flatMap((path) => [path, realpathSync(path)]))];
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // the process has already ended, which its exit shows
  }
}
