import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Run after `npm install` where the registry is a mirror without some platforms' packages: npm then leaves them out of
 * the lock file, and `npm ci` refuses it as out of sync. This adds them as what they are, optional packages for another
 * platform: never downloaded here, fetched by version where they are wanted.
 */
interface LockedPackage {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const OPERATING_SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openharmony',
  'win32',
  'aix',
  'sunos',
  'netbsd',
  'openbsd',
];
const PROCESSORS = [
  'arm64',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'arm',
  'wasm32',
];

const file = 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> };
let added = 0;
for (const [place, locked] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
    if (isLocked(place, name) || !/^\d/.test(version)) continue;
    lock.packages[`node_modules/${name}`] = forPlatform(name, version, locked.dev);
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms added to ${file}`);

function isLocked(place: string, name: string): boolean {
  return `node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages;
}

/** The platform stands in the name: `@scope/tool-linux-x64-musl`. */
function forPlatform(name: string, version: string, dev = false): LockedPackage {
  const parts = name.split(/[-/]/);
  const os = OPERATING_SYSTEMS.filter((known) => parts.includes(known));
  const cpu = PROCESSORS.filter((known) => parts.includes(known));
  const libc = name.endsWith('musl') || name.includes('musleabi') ? { libc: ['musl'] } : {};
  if (os.length === 0 || cpu.length === 0) throw new Error(`${name} names no platform`);
  return { version, ...(dev ? { dev } : {}), optional: true, os, cpu, ...libc };
}
