import { guardedFiles, type Mount, mountsOf, systemMounts } from './folders.ts';
import { CURL_SETTINGS, cleanEnvironment, type Sandbox, type SandboxOptions } from './launch.ts';

/** Namespaces that bubblewrap 0.8 or later creates. `file` is the program's path. */
export function bubblewrap({ network, hidden }: SandboxOptions, file = 'bwrap'): Sandbox {
  const system = systemMounts({ network });
  const alone = network === 'none' ? ['--unshare-net'] : [];
  return {
    kind: 'bubblewrap',
    hidden,
    admitsHosts: network === 'none',
    async launch({ argv, cwd, ...places }) {
      const mounts = mountsOf(system, places, hidden).flatMap(toArguments);
      return {
        file,
        args: [...ISOLATION, ...alone, ...OWN, ...mounts, '--remount-ro', '/', '--chdir', cwd, '--', ...argv],
        env: cleanEnvironment('/home', '/tmp'),
        cwd: '/',
      };
    },
  };
}

/**
 * In the sandbox, the service's user, even root, is an ordinary user without capabilities, who can't create
 * namespaces.
 */
const ISOLATION = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--disable-userns', '--cap-drop', 'ALL', '--uid', '1000', '--gid', '1000', '--hostname', 'sandbox'],
  '--die-with-parent',
];

const GUARDED = guardedFiles().flatMap((path) => ['--ro-bind', path, path]);
const EMPTY = ['--size', String(512 * 1024 * 1024), '--tmpfs'];
const OWN = [
  ...['--proc', '/proc', ...GUARDED, '--dev', '/dev', '--dev-bind', '/dev/null', CURL_SETTINGS],
  ...['/tmp', '/var/tmp', '/dev/shm', '/home'].flatMap((path) => [...EMPTY, path]),
];

function toArguments(mount: Mount): string[] {
  const { kind, path } = mount;
  if (kind === 'link') return ['--symlink', mount.target, path];
  if (kind === 'read-only') return ['--ro-bind', path, path];
  if (kind === 'mounted' || kind === 'file') return ['--ro-bind', mount.source, path];
  if (kind === 'writable') return ['--bind', path, path];
  return mount.folder ? [...EMPTY, path] : ['--ro-bind', '/dev/null', path];
}
