import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { MAX_LIVE_BYTES } from '../../ports/commands.ts';
import { type GroupBounds, watchUse } from './group-use.ts';
import type { Launch } from './launch.ts';
import { REPORT } from './shell.ts';

/** Milliseconds after a program's end in which output may still arrive. */
const DRAIN_MS = 200;
const MAX_REPORT_BYTES = 8192;
/** Milliseconds for which output is collected before it is passed on. */
const LIVE_MS = 200;
/** Niceness of commands. The service's own responses have a higher priority. */
export const NICENESS = 5;
const TIMED_OUT = 124;

export interface GroupLimits {
  timeoutMs: number;
  maxOutputBytes: number;
  signal?: AbortSignal | undefined;
  /** Receives the output as it arrives; none is stored. If this throws, the program is killed. */
  onOutput?: (chunk: Buffer) => void;
  /** Receives the beginning of both outputs as they arrive. They are also stored. */
  onText?: ((text: string) => void) | undefined;
  /** Limits of the program and its descendants. Beyond a limit, the program is killed. */
  bounds?: GroupBounds | undefined;
}

export interface GroupResult {
  stdout: string;
  stderr: string;
  report: string;
  exitCode: number;
  timedOut: boolean;
  truncated: boolean;
  /** Why the group was killed: `used more than 4096 MB of memory`. */
  exceeded?: string;
}

export type RunGroup = typeof runGroup;

/**
 * Runs a program as the leader of a new session, without input. Kills the whole group at the time limit, when
 * the signal is aborted (it then throws the signal's reason), and when the program itself has ended.
 */
export async function runGroup(launch: Launch, limits: GroupLimits): Promise<GroupResult> {
  limits.signal?.throwIfAborted();
  const { file, args, env, cwd } = launch;
  const refused = new AbortController();
  const signal =
    limits.signal === undefined ? refused.signal : AbortSignal.any([limits.signal, refused.signal]);
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const outputs = [child.stdout, child.stderr, child.stdio[REPORT]] as [Readable, Readable, Readable];
  if (limits.onOutput !== undefined) handOn(outputs[0], limits.onOutput, refused);
  const kept = limits.onOutput === undefined ? limits.maxOutputBytes : 0;
  const [stdout, stderr] = [readBounded(outputs[0], kept), readBounded(outputs[1], limits.maxOutputBytes)];
  const report = readBounded(outputs[2], MAX_REPORT_BYTES);
  const live = limits.onText && showLive(outputs.slice(0, 2), limits.onText);
  giveWay(child);
  const ended = await ending(child, { ...limits, signal });
  for (const output of outputs) output.destroy();
  live?.();
  signal.throwIfAborted();
  return {
    stdout: stdout.text(),
    stderr: stderr.text(),
    report: report.text(),
    ...ended,
    truncated: [stdout, stderr].some((it) => it.truncated()),
  };
}

function handOn(stream: Readable, take: (chunk: Buffer) => void, refused: AbortController): void {
  stream.on('data', (chunk: Buffer) => {
    if (refused.signal.aborted) return;
    try {
      take(chunk);
    } catch (error) {
      refused.abort(error);
    }
  });
}

/**
 * Passes on the beginning of several outputs in a few large pieces. Returns a function that passes on the
 * rest.
 */
function showLive(streams: Readable[], onText: (text: string) => void): () => void {
  let room = MAX_LIVE_BYTES;
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (text !== '') onText(text);
    text = '';
  };
  for (const stream of streams) {
    const decoder = new StringDecoder('utf8');
    stream.on('data', (chunk: Buffer) => {
      if (room === 0) return;
      text += decoder.write(chunk.subarray(0, room));
      room = Math.max(0, room - chunk.length);
      timer ??= setTimeout(flush, LIVE_MS);
    });
  }
  return flush;
}

function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // it has already ended
  }
}

async function ending(child: ChildProcess, { timeoutMs, signal, bounds }: GroupLimits) {
  let timedOut = false;
  let exceeded: string | undefined;
  const kill = () => killGroup(child);
  const endWatch = watch(child, bounds, (what) => {
    exceeded = what;
    kill();
  });
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  signal?.addEventListener('abort', kill);
  try {
    const status = await exited(child);
    return { exitCode: timedOut ? TIMED_OUT : status, timedOut, ...(exceeded && { exceeded }) };
  } finally {
    endWatch();
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

function watch({ pid }: ChildProcess, bounds: GroupBounds | undefined, exceeded: (what: string) => void) {
  return pid === undefined || bounds === undefined ? () => {} : watchUse(pid, bounds, exceeded);
}

/** Resolves to the exit code once the output is complete. Remaining processes of the group don't delay it. */
function exited(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      killGroup(child);
      const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      // After a pause of this whole process, the timer is due before the pipes are read. setImmediate lets
      // them be read first.
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
    // the whole group has already ended
  }
}

interface BoundedText {
  /** Returns the text so far, without an incomplete character at its end. */
  text(): string;
  truncated(): boolean;
}

/** Reads all of a stream and stores its first bytes. A program whose output isn't read would wait forever. */
function readBounded(stream: Readable, maxBytes: number): BoundedText {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  let truncated = false;
  stream.on('data', (chunk: Buffer) => {
    if (chunk.length > room) truncated = true;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room = Math.max(0, room - chunk.length);
  });
  stream.on('error', () => {}); // closed here at the time limit
  return {
    text() {
      const bytes = Buffer.concat(chunks);
      return truncated ? new StringDecoder('utf8').write(bytes) : bytes.toString();
    },
    truncated: () => truncated,
  };
}
