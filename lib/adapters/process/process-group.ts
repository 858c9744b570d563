import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { readBounded } from './bounded-text.ts';
import type { Launch } from './launch.ts';
import { REPORT } from './shell.ts';

/** What a program that ended has written may still be on its way for this long. */
const DRAIN_MS = 200;
const MAX_REPORT_BYTES = 8192;
/** Commands give way to the service's own answers. */
const NICENESS = 5;
const TIMED_OUT = 124;

export interface GroupLimits {
  timeoutMs: number;
  maxOutputBytes: number;
  signal?: AbortSignal | undefined;
}

export interface GroupResult {
  stdout: string;
  stderr: string;
  report: string;
  exitCode: number;
  timedOut: boolean;
  truncated: boolean;
}

export type RunGroup = typeof runGroup;

/**
 * Runs a program as the leader of a session of its own, without input; the whole group is killed when the time is up, when
 * the signal is aborted (then it throws the signal's reason) and when the program itself has ended.
 */
export async function runGroup(launch: Launch, limits: GroupLimits): Promise<GroupResult> {
  limits.signal?.throwIfAborted();
  const { file, args, env, cwd } = launch;
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const outputs = [child.stdout, child.stderr, child.stdio[REPORT]] as [Readable, Readable, Readable];
  const [stdout, stderr] = outputs
    .slice(0, 2)
    .map((it) => readBounded(it as Readable, limits.maxOutputBytes));
  const report = readBounded(outputs[2], MAX_REPORT_BYTES);
  giveWay(child);
  const { exitCode, timedOut } = await ending(child, limits);
  for (const output of outputs) output.destroy();
  limits.signal?.throwIfAborted();
  return {
    stdout: stdout?.text() ?? '',
    stderr: stderr?.text() ?? '',
    report: report.text(),
    exitCode,
    timedOut,
    truncated: [stdout, stderr].some((it) => it?.truncated()),
  };
}

function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // it has ended already
  }
}

async function ending(child: ChildProcess, { timeoutMs, signal }: GroupLimits) {
  let timedOut = false;
  const kill = () => killGroup(child);
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  signal?.addEventListener('abort', kill);
  try {
    const status = await exited(child);
    return { exitCode: timedOut ? TIMED_OUT : status, timedOut };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

/** The exit code, once the output is complete; what of the group is left by then does not hold it up. */
function exited(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      killGroup(child);
      const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      // After a pause of this whole process the timer is due before what lies in the pipes was read: that comes first.
      const late = setTimeout(() => setImmediate(resolve, status), DRAIN_MS);
      child.once('close', () => {
        clearTimeout(late);
        resolve(status);
      });
    });
  });
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // all of it has ended
  }
}
