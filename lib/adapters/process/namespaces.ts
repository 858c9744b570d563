import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import { dirname } from 'node:path';
import { isInside } from '../../paths/confine.ts';
import { guardedFiles, type Mount, mountsOf, systemMounts } from './folders.ts';
import { CURL_SETTINGS, cleanEnvironment, type Sandbox, type SandboxOptions } from './launch.ts';
import { MAX_PROCESSES, quote } from './shell.ts';

/** The folder in which the new root is assembled. Every Linux has it, and no command sees it. */
const ROOT = '/sys';
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);
const EMPTY = 'size=512m,nosuid,nodev,X-mount.mkdir';
/**
 * Maximum shared memory that no process has attached, because nothing else counts it: 512 MB in pages of 4
 * KB.
 */
const MAX_SHARED_PAGES = 131_072;
const READ_ONLY = 'ro,nosuid,nodev';
const WRITABLE = 'nosuid,nodev';

/** Does the same as bubblewrap, with the tools of util-linux: unshare, mount, pivot_root, and setpriv. */
export function namespaces({ network, hidden }: SandboxOptions): Sandbox {
  const system = systemMounts({ network });
  const alone = network === 'none' ? ['--net'] : [];
  return {
    kind: 'namespaces',
    hidden,
    admitsHosts: network === 'none',
    async launch({ argv, cwd, isTerminal = false, ...places }) {
      const script = setUp(mountsOf(system, places, hidden), network === 'none', isTerminal);
      return {
        file: 'setpriv',
        args: [...ISOLATION, ...alone, '--', '/bin/sh', '-ec', script, cwd, ...argv],
        env: cleanEnvironment('/home', '/tmp'),
        cwd: '/',
      };
    },
  };
}

/**
 * The namespaces end with the service. Root of the first user namespace makes the mounts; the command gets a
 * namespace inside it.
 */
const ISOLATION = [
  ...['--pdeathsig', 'KILL', 'unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'],
  ...['--mount', '--ipc', '--uts', '--cgroup'],
];

/**
 * Returns the script of the namespaces' first process. It creates the root, starts the command, and waits;
 * when it ends, everything in the namespaces ends. The mount table is at a path that one of the mounts
 * covers. Each program that the script starts costs a millisecond.
 */
function setUp(mounts: Mount[], loopback: boolean, isTerminal: boolean): string {
  const files = [...mounts.filter(isFile).map(({ path }) => path), ...DEVICES, CURL_SETTINGS];
  const folders = ['/tmp', ...new Set(files.map((path) => dirname(path)))];
  return `
${loopback ? '{ ip link set lo up || ifconfig lo up || :; } &' : ''}
echo 1 > /proc/sys/user/max_user_namespaces
{ echo ${MAX_SHARED_PAGES} > /proc/sys/kernel/shmall || :; } 2> /dev/null
${hasOwnPidLimit() ? `echo ${MAX_PROCESSES} > /proc/sys/kernel/pid_max` : ''}
mount -t tmpfs -o mode=555,size=16m tmpfs ${ROOT}
mkdir -m 555 -p ${inRoot(folders)}
for file in ${inRoot(files)}; do : > "$file"; done
printf %s ${quote(table(mounts))} > ${ROOT}/tmp/table
mount --all --fstab ${ROOT}/tmp/table
wait
cd ${ROOT}
pivot_root . .
umount -l .
unshare --user --keep-caps --map-user=1000 --map-group=1000 --wd="$0" \\
  setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all -- "$@"${isTerminal ? IN_FOREGROUND : IN_BACKGROUND}`;
}

/** The outputs are left to the command, so that they end with it. */
const IN_BACKGROUND = ` &
exec > /dev/null 2>&1 3>&-
wait $!`;
/**
 * A shell in the background would have no input, and would ignore interrupts. `exit` keeps this shell as the
 * first process.
 */
const IN_FOREGROUND = '\nexit $?';

/**
 * Returns whether the limit belongs to the namespace. Before Linux 6.14, root would set the limit of the
 * whole host from here.
 */
function hasOwnPidLimit(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 14);
}

function isFile(mount: Mount): boolean {
  return mount.kind === 'file' || (mount.kind === 'read-only' && !mount.folder);
}

function inRoot(paths: string[]): string {
  return paths.map((path) => quote(ROOT + path)).join(' ');
}

/** Returns lines in the format of /etc/fstab. */
function table(mounts: Mount[]): string {
  const rows = [
    ['proc', '/proc', 'proc', 'nosuid,nodev,noexec,X-mount.mkdir'],
    ...['/tmp', '/var/tmp', '/dev/shm', '/home'].map((path) => ['tmpfs', path, 'tmpfs', EMPTY]),
    ...DEVICES.map((path) => [path, path, 'none', 'bind']),
    ['/dev/null', CURL_SETTINGS, 'none', 'bind'],
    ...guardedFiles().map((path) => [ROOT + path, path, 'none', 'bind,ro']),
    ...mounts.flatMap(toRows),
  ];
  return rows
    .map(([source = '', target = '', type, options]) =>
      [escapeField(source), escapeField(ROOT + target), type, options, '0 0\n'].join(' '),
    )
    .join('');
}

function toRows(mount: Mount): string[][] {
  if (mount.kind === 'writable') return bindRows(mount.path, mount.path, WRITABLE);
  if (mount.kind === 'mounted') return bindRows(mount.source, mount.path, READ_ONLY);
  return [toRow(mount)];
}

/**
 * Returns a folder's rows. Options apply to a single mount, so each mount below a folder gets a row, before
 * anything that covers it.
 */
function bindRows(folder: string, target: string, access: string): string[][] {
  return mountPointsIn(folder, readMountPoints()).map(({ path, kept }) => {
    const options = ['rbind', access, ...kept, ...(path === target ? ['X-mount.mkdir'] : [])];
    return [path, target + path.slice(folder.length), 'none', options.join(',')];
  });
}

function toRow(mount: Exclude<Mount, { kind: 'writable' | 'mounted' }>): string[] {
  const { kind, path } = mount;
  if (kind === 'file') return [mount.source, path, 'none', `bind,${READ_ONLY}`];
  if (kind === 'link') return [path, path, 'none', `rbind,${READ_ONLY},X-mount.mkdir`];
  if (kind === 'hidden')
    return mount.folder ? ['tmpfs', path, 'tmpfs', EMPTY] : ['/dev/null', path, 'none', 'bind'];
  return [path, path, 'none', mount.folder ? `rbind,${READ_ONLY},X-mount.mkdir` : `bind,${READ_ONLY}`];
}

function escapeField(text: string): string {
  return text.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** Decodes a field of /etc/fstab or of a table in /proc, in which `\040` is a space. */
export function unescapeField(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

interface MountPoint {
  path: string;
  /** The options that a nested namespace may not remove. */
  kept: string[];
}

const KEPT = ['ro', 'noexec'];

/** Returns this host's mounts. Later ones cover earlier ones. */
function readMountPoints(): MountPoint[] {
  const lines = readFileSync('/proc/self/mountinfo', 'latin1').split('\n');
  return lines.filter((line) => line !== '').map(readLine);
}

/** Reads a line such as `36 35 98:0 /root /point rw,noatime shared:1 - ext3 /dev/root rw`, with spaces as `\040`. */
function readLine(line: string): MountPoint {
  const [, , , , point = '', options = ''] = line.split(' ');
  return {
    path: Buffer.from(unescapeField(point), 'latin1').toString(),
    kept: options.split(',').filter((option) => KEPT.includes(option)),
  };
}

/** Returns the mount that contains a folder, then the mounts below it. */
function mountPointsIn(folder: string, all: MountPoint[]): MountPoint[] {
  const around = all.filter(({ path }) => isInside(path, folder));
  const below = all.filter(({ path }) => path !== folder && isInside(folder, path));
  const deepest = around.reduce((a, b) => (b.path.length >= a.path.length ? b : a), { path: '', kept: [] });
  return [{ path: folder, kept: deepest.kept }, ...below];
}
