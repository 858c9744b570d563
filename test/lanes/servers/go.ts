import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './install.ts';

/**
 * Runs the Go command with `folder/build` as its caches, so that the user's own stay unchanged. Remove it at
 * the end.
 */
export function go(folder: string, cwd: string, ...args: string[]): Promise<string> {
  const env = {
    // Leaves some for other work on the host.
    GOMAXPROCS: String(Math.max(1, Math.floor(availableParallelism() / 2))),
    ...process.env,
    CGO_ENABLED: '0',
    GOFLAGS: '-mod=mod -modcacherw -buildvcs=false',
    GOPATH: join(folder, 'build/go'),
    GOCACHE: join(folder, 'build/cache'),
  };
  return runCommand('go', args, { cwd, env });
}

/** Throws an Error that says how to install it. */
export async function requireGo(program: string): Promise<void> {
  const version = await runCommand('go', ['env', 'GOVERSION']).catch(() => 'none');
  const [, minor] = /^go1\.(\d+)/.exec(version.trim()) ?? [];
  if (Number(minor) >= 25) return;
  throw new Error(
    `this lane needs Go 1.25 or newer to build ${program} (found: ${version.trim()}): go.dev/dl`,
  );
}
