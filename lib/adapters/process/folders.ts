import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isInside } from '../../paths/confine.ts';
import type { FolderMount } from '../../ports/commands.ts';
import type { LaunchPlan, SandboxOptions } from './launch.ts';
import { forwarderMounts } from './network/forwarder.ts';

/**
 * The parts of /etc that programs need. They contain no secrets: shadow, private keys, sudoers, and service
 * settings are missing, as are /var, /run, /opt, /srv, and all homes, because services keep data and secrets
 * there.
 */
const ETC = [
  ...[
    'alternatives',
    'ca-certificates',
    'fonts',
    'group',
    'hosts',
    'ld.so.cache',
    'localtime',
    'mime.types',
    'nsswitch.conf',
  ],
  ...[
    'os-release',
    'passwd',
    'pki/ca-trust',
    'pki/tls/certs',
    'R',
    'services',
    'ssl/ca-bundle.pem',
    'ssl/cert.pem',
    'ssl/certs',
    'ssl/openssl.cnf',
    'texmf',
  ],
];
const PROGRAMS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * Returns files in /proc to make read-only. Root may write them without any capability, even root of a
 * namespace, if it's the host's root. (bubblewrap intends to do this, but considers them read-only already.)
 */
export function guardedFiles(): string[] {
  return [
    'sys',
    'irq',
    'bus',
    'fs',
    'acpi',
    'driver',
    'dynamic_debug',
    'mtrr',
    'pressure',
    'scsi',
    'sysrq-trigger',
  ]
    .map((name) => `/proc/${name}`)
    .filter((path) => existsSync(path));
}

/** The mounts of a sandbox's file system, in this order. */
export type Mount =
  | { kind: 'link'; path: string; target: string }
  | { kind: 'read-only'; path: string; folder: boolean }
  | { kind: 'writable'; path: string }
  | { kind: 'mounted'; path: string; source: string }
  | { kind: 'file'; path: string; source: string }
  | { kind: 'hidden'; path: string; folder: boolean };

/** Returns the parts of the system that every command sees. */
export function systemMounts({ network }: Pick<SandboxOptions, 'network'>): Mount[] {
  const etc = network === 'host' ? [...ETC, 'resolv.conf'] : ETC;
  const files = etc.map((name) => `/etc/${name}`).filter((path) => existsSync(path));
  return [
    readOnly('/usr'),
    ...PROGRAMS.filter((path) => existsSync(path)).map(program),
    ...files.map(readOnly),
  ];
}

function readOnly(path: string): Mount {
  return { kind: 'read-only', path, folder: statSync(path).isDirectory() };
}

/** On most systems, these folders are inside /usr. */
function program(path: string): Mount {
  if (!lstatSync(path).isSymbolicLink()) return readOnly(path);
  return { kind: 'link', path, target: readlinkSync(path) };
}

type MountPlan = Pick<LaunchPlan, 'writable' | 'readable' | 'mounts' | 'proxySocket'>;

/**
 * Returns the mounts: the system, then writable folders, then whatever is hidden in them. Each folder follows
 * its parents, so a workspace inside the service's own folder shows only itself.
 */
export function mountsOf(
  system: Mount[],
  { writable, readable = [], mounts = [], proxySocket }: MountPlan,
  hidden: string[],
): Mount[] {
  const programs = system.filter(({ kind }) => kind === 'read-only').map(({ path }) => path);
  const visible = [...programs, ...readable, ...writable];
  const shown = hidden.filter((path) => visible.some((around) => around !== path && isInside(around, path)));
  const own: Mount[] = [
    ...shown.filter((path) => existsSync(path)).map((path) => hide(path)),
    ...readable.map(readOnly),
    ...writable.map((path): Mount => ({ kind: 'writable', path })),
    ...mounts.flatMap((mount) => mountFolder(mount, hidden)),
  ];
  const forwarder = proxySocket === undefined ? [] : forwarderMounts(proxySocket);
  return [...system, ...forwarder, ...own.sort((a, b) => a.path.length - b.path.length)];
}

/** Mounts a folder. Files that are hidden in it stay hidden at the target. */
function mountFolder({ source, target }: FolderMount, hidden: string[]): Mount[] {
  const inside = hidden.filter((path) => path !== source && isInside(source, path) && existsSync(path));
  return [
    { kind: 'mounted', path: target, source },
    ...inside.map((path) => hide(path, target + path.slice(source.length))),
  ];
}

function hide(path: string, at = path): Mount {
  return { kind: 'hidden', path: at, folder: statSync(path).isDirectory() };
}

/** Returns the paths that exist, with links resolved. */
export function existing(paths: string[]): string[] {
  return paths.filter((path) => existsSync(path)).map((path) => realpathSync(path));
}
