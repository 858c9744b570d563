import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Runs after `npm install` in the lock file's folder, and does two things for which npm has no option. First,
 * a registry mirror may lack some platforms' packages; npm then omits them from the lock file, and `npm ci`
 * rejects it as out of sync. This adds them as optional packages of another platform, which are never
 * downloaded here, and by version where they are needed. Second, some packages include features that this
 * service doesn't use (UNUSED). An override can't remove a dependency, but no npm installs a package that is
 * missing from the lock file.
 */
interface LockedPackage {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const UNUSED: Record<string, string[]> = {
  /** LanceDB's own embeddings, 300 MB with ONNX and sharp. Our embeddings come from a provider. */
  'node_modules/@lancedb/lancedb': ['@huggingface/transformers'],
  /** For rendering pages; also for infra/recognition/packages. */
  'node_modules/pdfjs-dist': ['@napi-rs/canvas'],
};

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
const removed = removeUnused();
const added = addOtherPlatforms();
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${file}: ${added} packages of other platforms added, ${removed} unused ones removed`);

function removeUnused(): number {
  for (const [place, names] of Object.entries(UNUSED)) {
    for (const name of names) delete lock.packages[place]?.optionalDependencies?.[name];
  }
  const wanted = reachable();
  const unwanted = Object.keys(lock.packages).filter((place) => !wanted.has(place));
  for (const place of unwanted) delete lock.packages[place];
  return unwanted.length;
}

/** Returns all packages that the project's own dependencies need. */
function reachable(): Set<string> {
  const found = new Set(['']);
  for (const place of found) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } =
      lock.packages[place] ?? {};
    const names = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
    for (const name of Object.keys(names)) {
      const needed = locate(place, name);
      if (needed !== undefined) found.add(needed);
    }
  }
  return found;
}

/** Resolves like Node: in the nearest node_modules upward. */
function locate(place: string, name: string): string | undefined {
  for (let folder = place; ; folder = parent(folder)) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (candidate in lock.packages) return candidate;
    if (folder === '') return undefined;
  }
}

function parent(place: string): string {
  return place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1));
}

function addOtherPlatforms(): number {
  let added = 0;
  for (const [place, locked] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
      if (locate(place, name) !== undefined || !/^\d/.test(version)) continue;
      lock.packages[`node_modules/${name}`] = forPlatform(name, version, locked.dev);
      added++;
    }
  }
  return added;
}

/** The package name contains the platform: `@scope/tool-linux-x64-musl`. */
function forPlatform(name: string, version: string, dev = false): LockedPackage {
  const parts = name.split(/[-/]/);
  const os = OPERATING_SYSTEMS.filter((known) => parts.includes(known));
  const cpu = PROCESSORS.filter((known) => parts.includes(known));
  const libc = name.endsWith('musl') || name.includes('musleabi') ? { libc: ['musl'] } : {};
  // WebAssembly packages run on any system and name no platform.
  const isPlatform = cpu.length > 0 && (os.length > 0 || cpu.includes('wasm32'));
  if (!isPlatform) throw new Error(`${name} names no platform.`);
  return { version, ...(dev ? { dev } : {}), optional: true, ...(os.length > 0 && { os }), cpu, ...libc };
}
