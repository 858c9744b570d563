import { Socket } from 'node:net';
import type { ErrorCode } from '../error-codes.ts';
import { Unreadable, type UnreadableReason } from '../errors.ts';
import { killProcess } from '../kill-process.ts';
import { errorDetails, knownError } from '../known-error.ts';
import { frameReader, writeFrame } from './frames.ts';

/** An open file. The program requests pieces of it from its caller. */
export interface ForeignFile {
  size: number;
  /** Returns `length` bytes (at most 64 MB) from `position`; fewer at the file's end. */
  read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Tasks of a program, by name. Input and output are structured clones. */
export type Tasks = Record<string, (input: never, file: ForeignFile) => unknown>;

/**
 * A module that runs as a separate process. Import it only with `import()`, so that a bundle keeps it as a
 * file of its own.
 */
export interface IsolatedProgram<Of extends Tasks = Tasks> {
  url: string;
  tasks: Of;
  bounds: Bounds;
  /**
   * Folders that the program can read in addition to its own code. All callers in one thread must name the
   * same folders.
   */
  reads?: string[];
}

export interface Bounds {
  /** Maximum memory in MB: in total, and for JavaScript. */
  memoryMb: number;
  heapMb: number;
  /**
   * Maximum CPU seconds in a process's life; Infinity for a permanent process. The caller limits the time of
   * a task.
   */
  cpuSeconds: number;
  /**
   * If absent, the program sees only its own code, and doesn't log. Otherwise, it reads, writes, and logs
   * like the service.
   */
  files?: { largestMb: number };
  /** Number of processes in each thread of the service. `worker` is for threads that handle no requests. */
  atOnce: { main: number; worker: number };
}

const DECODING: Bounds = {
  memoryMb: 640,
  heapMb: 448,
  cpuSeconds: 120,
  atOnce: { main: 2, worker: 1 },
};

export type Ask = { task: string; input: unknown; size: number } | { bytes: Uint8Array<ArrayBuffer> };
export type ProgramAnswer =
  | { ready: true }
  | { begun: true }
  | { read: { position: number; length: number } }
  | { result: unknown; residentBytes: number }
  | { refusal: string; code: ErrorCode; field?: string; reason?: UnreadableReason }
  | { failure: string; stack: string | undefined; outOfMemory: boolean };

/** The file descriptor of the frames, in both directions. */
export const CHANNEL = 3;
/** Maximum bytes of input. The sender limits them. */
const MAX_ASK_BYTES = 512 * 1024 * 1024;

/** Defines a module as a program: `export const program = isolatedProgram(import.meta, { task })`. */
export function isolatedProgram<Of extends Tasks>(
  meta: ImportMeta,
  tasks: Of,
  bounds: Bounds = DECODING,
): IsolatedProgram<Of> {
  if (meta.main) serve(tasks);
  return { url: meta.url, tasks, bounds };
}

/** Does one task after another until the caller has ended. */
function serve(tasks: Tasks): void {
  const channel = new Socket({ fd: CHANNEL });
  const reads: ((bytes: Uint8Array<ArrayBuffer>) => void)[] = [];
  const answer = (message: ProgramAnswer) => writeFrame(channel, message);
  const read = (position: number, length: number) =>
    new Promise<Uint8Array<ArrayBuffer>>((resolve) => {
      reads.push(resolve);
      answer({ read: { position, length } });
    });
  const take = (value: unknown) => {
    const ask = value as Ask;
    if ('bytes' in ask) reads.shift()?.(ask.bytes);
    else begin(ask);
  };
  const begin = (ask: Exclude<Ask, { bytes: unknown }>) => {
    answer({ begun: true });
    void perform(tasks, ask.task, ask.input, { size: ask.size, read }).then(answer);
  };
  channel.on(
    'data',
    frameReader(() => MAX_ASK_BYTES, take),
  );
  channel.once('close', killProcess);
  answer({ ready: true });
}

async function perform(
  tasks: Tasks,
  task: string,
  input: unknown,
  file: ForeignFile,
): Promise<ProgramAnswer> {
  try {
    const result = await tasks[task]?.(input as never, file);
    return { result, residentBytes: process.memoryUsage.rss() };
  } catch (error) {
    if (error instanceof Unreadable)
      return { refusal: error.message, code: error.code, reason: error.reason };
    const known = knownError(error);
    if (known !== undefined) return { refusal: known.message, ...errorDetails(known) };
    const stack = error instanceof Error ? error.stack : undefined;
    return { failure: String(error), stack, outOfMemory: error instanceof RangeError };
  }
}
