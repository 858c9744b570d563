import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { whenDone } from '../temp-folder.ts';
import { runProgram } from './run-program.ts';

/** Duration of a race, which is longer in `npm run test:hostile`. */
export const HOSTILE_MS = Number(process.env.HOSTILE_SECONDS ?? 2) * 1000;

/** Two paths that are swapped. The first may contain `*`, for names that are created during the run. */
export type Swap = [place: string, other: string];

/**
 * Swaps as a command in a workspace can: with `renameat2(RENAME_EXCHANGE)`, atomically and some 100,000 times
 * per second.
 */
const EXCHANGE = `
import ctypes, glob, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
swaps = [(place, os.fsencode(other)) for place, other in json.loads(sys.argv[1])]
print('swapping', flush=True)
while True:
    for place, other in swaps:
        for found in glob.glob(place, include_hidden=True) if '*' in place else [place]:
            for _ in range(15 if '*' in place else 1):
                libc.syscall(316 if os.uname().machine == 'x86_64' else 276, -100, os.fsencode(found), -100, other, 2)
`;

/** The same in three steps, without Python. */
const RENAME = `
const { globSync, renameSync } = require('node:fs');
const swaps = JSON.parse(process.argv[1]);
const attempt = (from, to) => { try { renameSync(from, to); } catch {} };
console.log('swapping');
for (;;)
  for (const [place, other] of swaps)
    for (const found of place.includes('*') ? globSync(place) : [place]) {
      attempt(found, other + '.aside');
      attempt(other, found);
      attempt(other + '.aside', other);
    }
`;

/** Swaps in a separate process until `stop`, or the end of the test file. The number of swaps may be odd. */
export async function startSwapping(swaps: Swap[]): Promise<{ stop(): Promise<void> }> {
  const list = JSON.stringify(swaps);
  const child = (await hasPython())
    ? spawn('/usr/bin/python3', ['-c', EXCHANGE, list], { stdio: ['ignore', 'pipe', 'inherit'] })
    : spawn(process.execPath, ['-e', RENAME, list], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => end(child);
  whenDone(stop);
  await once(child.stdout, 'data');
  return { stop };
}

async function hasPython(): Promise<boolean> {
  const { code } = await runProgram('/usr/bin/python3', ['-c', 'import ctypes']).catch(() => ({ code: 1 }));
  return process.platform === 'linux' && code === 0;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
