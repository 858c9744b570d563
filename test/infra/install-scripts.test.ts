import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
/** Each folder that npm installs: the repository, and what is installed apart from it. */
const FOLDERS = [
  '.',
  'infra/embedder/runtime',
  'infra/recognition/packages',
  'infra/stack/tools',
  'test/support/browser',
];

interface PackageFile {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

interface LockFile {
  packages: Record<string, { name?: string; version?: string; hasInstallScript?: boolean }>;
}

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

function readLock(folder: string): LockFile['packages'] {
  const file = readFileSync(join(root, folder, 'package-lock.json'), 'utf8');
  return (JSON.parse(file) as LockFile).packages;
}

/** A package under an alias is named by its own name. */
function namesIn(packages: LockFile['packages'], places = Object.keys(packages)): string[] {
  return places.map((place) => packages[place]?.name ?? place.replace(/^.*node_modules\//, ''));
}

it('knows every lock file of the repository', () => {
  const exclude = (name: string) => /^(node_modules|\..+)$/.test(name);
  const found = globSync('**/package-lock.json', { cwd: root, exclude }).map((file) => dirname(file));
  expect(found.sort()).toEqual(FOLDERS);
});

describe.each(FOLDERS)('package.json in %s', (folder) => {
  // npm 12 runs no script that is not allowed here, and warns of each that is not decided.
  it('allows or refuses each install script of the lock file, and names no other package', () => {
    const packages = readLock(folder);
    const places = Object.keys(packages).filter((place) => packages[place]?.hasInstallScript);
    const names = [...new Set(namesIn(packages, places))].sort();
    expect(Object.keys(readPackage(folder).allowScripts ?? {}).sort()).toEqual(names);
  });

  it('lets only node run its script, which fetches the Node that every other script runs on', () => {
    const { allowScripts = {} } = readPackage(folder);
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    expect(allowed).toEqual(folder === '.' ? ['node'] : []);
  });

  it('names exact versions, which are those of the lock file', () => {
    const { dependencies, devDependencies } = readPackage(folder);
    const named = Object.entries({ ...dependencies, ...devDependencies });
    const packages = readLock(folder);
    const locked = named.map(([name]) => [name, packages[`node_modules/${name}`]?.version]);
    // `npm:package@1.2.3` is a package under another name.
    expect(locked).toEqual(named.map(([name, version]) => [name, version.replace(/^npm:.*@/, '')]));
  });
});

describe('package-lock.json', () => {
  it("leaves out the vector library's own embeddings, 300 MB that nothing uses", () => {
    const packages = readLock('.');
    expect(Object.keys(packages)).toContain('node_modules/@lancedb/lancedb');
    const unwanted = namesIn(packages).filter((name) =>
      /^(@huggingface\/|@img\/|onnxruntime|sharp$)/.test(name),
    );
    expect(unwanted).toEqual([]);
  });

  it('leaves out the tools of a deployment and the browser of a lane, which are installed apart', () => {
    const apart = ['infra/stack/tools', 'test/support/browser'].flatMap((folder) =>
      Object.keys(readPackage(folder).dependencies ?? {}),
    );
    const here = Object.keys({ ...readPackage('.').dependencies, ...readPackage('.').devDependencies });
    // The functions are bundled by the esbuild that the service is built with.
    expect(apart.filter((name) => here.includes(name))).toEqual(['esbuild']);
    expect(readPackage('infra/stack/tools').dependencies?.esbuild).toBe(
      readPackage('.').devDependencies?.esbuild,
    );
  });
});
