import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, type Sandbox, type SandboxOptions } from './launch.ts';

const SYSTEM = ['/usr', '/bin', '/sbin', '/System', '/Library', '/opt/homebrew', '/private/var/db/timezone'];
const FILES = [
  '/private/etc/passwd',
  '/private/etc/hosts',
  '/private/etc/localtime',
  '/private/etc/ssl/cert.pem',
];
const DEVICES = ['null', 'zero', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);
const NETWORK = [
  '(allow network*)',
  '(allow system-socket)',
  '(allow file-read* (literal "/private/etc/resolv.conf"))',
];

/** Settings of the terminal that the shell was started with. No terminal can be opened by its name. */
const TERMINAL = '(allow file-ioctl (regex #"^/dev/ttys[0-9]+$"))';

/**
 * The sandbox of macOS: a profile for sandbox-exec. It hides and protects other processes (their environment
 * is in `kern.procargs2`, a sysctl that isn't allowed). Based on Apple's own profiles; not tested here.
 */
export function seatbelt({ network, hidden }: SandboxOptions): Sandbox {
  return {
    kind: 'seatbelt',
    hidden,
    async launch({ argv, cwd, writable, isTerminal = false }) {
      const temporaryFolder = await realpath(await mkdtemp(join(tmpdir(), 'command-')));
      const own = profile([...writable, temporaryFolder], { network, hidden });
      const text = isTerminal ? `${own}\n${TERMINAL}` : own;
      return {
        file: '/usr/bin/sandbox-exec',
        args: ['-p', text, ...argv],
        env: cleanEnvironment(temporaryFolder, temporaryFolder),
        cwd,
        temporaryFolder,
      };
    },
  };
}

/**
 * Returns the profile. The last matching rule decides, so hidden folders come before a workspace inside them,
 * and after one that contains them.
 */
function profile(writable: string[], { network, hidden }: SandboxOptions): string {
  const own = [
    ...hidden.map((path) => ({ path, rule: `(deny file-read* file-write* (subpath ${quote(path)}))` })),
    ...writable.map((path) => ({ path, rule: `(allow file-read* file-write* (subpath ${quote(path)}))` })),
  ].sort((a, b) => a.path.length - b.path.length);
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read (sysctl-name-prefix "hw.") (sysctl-name-prefix "machdep.cpu."))',
    '(allow sysctl-read (sysctl-name "kern.osrelease") (sysctl-name "kern.ostype") (sysctl-name "kern.version"))',
    '(allow sysctl-read (sysctl-name "kern.argmax") (sysctl-name "kern.hostname") (sysctl-name "kern.osversion"))',
    '(allow ipc-posix-sem)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    '(allow file-read-metadata)',
    `(allow file-read* (literal "/") ${SYSTEM.map((path) => `(subpath ${quote(path)})`).join(' ')})`,
    `(allow file-read* ${[...FILES, ...DEVICES].map((path) => `(literal ${quote(path)})`).join(' ')})`,
    `(allow file-write-data file-ioctl ${DEVICES.map((path) => `(literal ${quote(path)})`).join(' ')})`,
    ...own.map(({ rule }) => rule),
    ...(network === 'host' ? NETWORK : []),
  ].join('\n');
}

function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&')}"`;
}
