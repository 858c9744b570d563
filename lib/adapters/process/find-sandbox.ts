import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bubblewrap } from './bubblewrap.ts';
import { processCommands } from './commands.ts';
import { existing } from './folders.ts';
import type { Sandbox, SandboxOptions } from './launch.ts';
import { namespaces } from './namespaces.ts';
import { seatbelt } from './seatbelt.ts';
import { unsandboxed } from './unsandboxed.ts';

/** Milliseconds; long, because a busy host may take seconds to start a process, and the result is remembered. */
const PROBE_MS = 30_000;

export interface FoundSandbox {
  sandbox: Sandbox;
  /** Why there is no sandbox: the failure of each kind. */
  reason?: string;
}

const found = new Map<string, Promise<FoundSandbox>>();

/**
 * Returns the first kind of sandbox that works on this host. Runs a command in each kind, once per process.
 */
export function findSandbox(options: SandboxOptions): Promise<FoundSandbox> {
  const key = JSON.stringify(options);
  const known = found.get(key) ?? look(options);
  found.set(key, known);
  return known;
}

async function look(options: SandboxOptions): Promise<FoundSandbox> {
  const reasons: string[] = [];
  for (const make of waysHere()) {
    const sandbox = make({ ...options, hidden: existing(options.hidden) });
    const failure = await probe(sandbox);
    if (failure === undefined) return { sandbox };
    reasons.push(`${sandbox.kind}: ${failure}`);
  }
  return {
    sandbox: unsandboxed,
    reason: reasons.join('; ') || `no sandbox is available for ${process.platform}`,
  };
}

/**
 * Returns the kinds to try. Only a PID namespace limits the processes of root, and bubblewrap sets no such
 * limit.
 */
function waysHere(): ((options: SandboxOptions) => Sandbox)[] {
  if (process.platform === 'darwin') return [seatbelt];
  if (process.platform !== 'linux') return [];
  return process.getuid?.() === 0 ? [namespaces, bubblewrap] : [bubblewrap, namespaces];
}

/**
 * Returns why a sandbox fails. Undefined if a command in it ran, could write in the allowed folder, and
 * couldn't see the one next to it.
 */
export async function probe(sandbox: Sandbox): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  const [cwd, beside] = [join(folder, 'seen'), join(folder, 'unseen')];
  try {
    await Promise.all([mkdir(cwd), mkdir(beside)]);
    const script = `: > written && ! ls '${beside}' 2>/dev/null && ! kill -0 ${process.pid} 2>/dev/null`;
    const command = { script, cwd, writable: [cwd], timeoutMs: PROBE_MS, maxOutputBytes: 1000 };
    const { exitCode, stderr } = await processCommands(sandbox).run(command);
    return exitCode === 0 ? undefined : `the probe failed with ${exitCode} ${stderr.trim()}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
