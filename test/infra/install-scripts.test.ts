import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
/** Each folder that npm installs: the repository, and the packages installed separately. */
const FOLDERS = ['.', 'infra/embedder/runtime', 'infra/recognition/packages', 'test/support/browser'];

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

/** A package under an alias has its own name here. */
function namesIn(packages: LockFile['packages'], places = Object.keys(packages)): string[] {
  return places.map((place) => packages[place]?.name ?? place.replace(/^.*node_modules\//, ''));
}

it('lock files of the repository are all known', () => {
  const exclude = (name: string) => /^(node_modules|\..+)$/.test(name);
  const found = globSync('**/package-lock.json', { cwd: root, exclude }).map((file) => dirname(file));
  expect(found.sort()).toEqual(FOLDERS);
});

describe.each(FOLDERS)('package.json in %s', (folder) => {
  // npm 12 runs only scripts that are allowed here, and warns about each undecided one.
  it('allows or denies each install script of the lock file, and names no other package', () => {
    const packages = readLock(folder);
    const places = Object.keys(packages).filter((place) => packages[place]?.hasInstallScript);
    const names = [...new Set(namesIn(packages, places))].sort();
    expect(Object.keys(readPackage(folder).allowScripts ?? {}).sort()).toEqual(names);
  });

  it('allows only the script of node, which downloads the Node that every other script runs on', () => {
    const { allowScripts = {} } = readPackage(folder);
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    expect(allowed).toEqual(folder === '.' ? ['node'] : []);
  });

  it('has exact versions, which are those in the lock file', () => {
    const { dependencies, devDependencies } = readPackage(folder);
    const named = Object.entries({ ...dependencies, ...devDependencies });
    const packages = readLock(folder);
    const locked = named.map(([name]) => [name, packages[`node_modules/${name}`]?.version]);
    // `npm:package@1.2.3` is a package under another name.
    expect(locked).toEqual(named.map(([name, version]) => [name, version.replace(/^npm:.*@/, '')]));
  });
});

describe('package-lock.json', () => {
  it("omits the vector library's own embeddings, which have 300 MB and aren't used", () => {
    const packages = readLock('.');
    expect(Object.keys(packages)).toContain('node_modules/@lancedb/lancedb');
    const unwanted = namesIn(packages).filter((name) =>
      /^(@huggingface\/|@img\/|onnxruntime|sharp$)/.test(name),
    );
    expect(unwanted).toEqual([]);
  });

  it('omits the browser of a lane, which is installed separately', () => {
    const { dependencies, devDependencies } = readPackage('.');
    const here = Object.keys({ ...dependencies, ...devDependencies });
    const apart = Object.keys(readPackage('test/support/browser').dependencies ?? {});
    expect(apart.filter((name) => here.includes(name))).toEqual([]);
  });

  it('has the Framework, and one esbuild, which builds the service and bundles its functions', () => {
    const places = Object.keys(readLock('.'));
    const named = (name: string) => places.filter((place) => place.endsWith(`node_modules/${name}`));
    expect(named('serverless')).toEqual(['node_modules/serverless']);
    expect(named('serverless-esbuild')).toEqual(['node_modules/serverless-esbuild']);
    expect(named('esbuild')).toEqual(['node_modules/esbuild']);
  });
});
