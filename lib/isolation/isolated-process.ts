import type { ChildProcess } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../error-codes.ts';
import { DiskFull, type ServiceError, serviceError, Unreadable } from '../errors.ts';
import { frameReader, writeFrame } from './frames.ts';
import { processorTimeOf } from './is-process-alive.ts';
import { type Ask, CHANNEL, type IsolatedProgram, type ProgramAnswer } from './program.ts';
import { startProcess } from './start-process.ts';

/** Error codes for work whose process was ended by its limits or by a crash. */
export const ISOLATION_ERRORS = ['file_damaged', 'file_too_large_to_read'] as const satisfies ErrorCode[];

export interface TaskOptions {
  /** Milliseconds, counted from when a process starts the task. */
  timeoutMs: number;
  /**
   * The limit for a process that makes progress but, on a loaded host, didn't get enough CPU time within
   * `timeoutMs`.
   */
  loadedMs?: number;
  /** Maximum bytes of the output. */
  maxOutputBytes?: number;
  /** The file for the task. The task reads it through the process that opened it. */
  file?: { handle: FileHandle; size: number };
  signal?: AbortSignal | undefined;
  /**
   * The name of the queue to wait in. Callers with the same name wait for each other, and the queues take
   * turns.
   */
  whose?: string;
}

export interface IsolatedProcess {
  /**
   * Does one task at a time. Throws the task's refusal, Unreadable if a limit was exceeded, and the signal's
   * reason.
   */
  ask(task: string, input: unknown, options: TaskOptions): Promise<unknown>;
  /** Returns whether the process may get another task. */
  isFit(): boolean;
  end(): void;
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_READ_BYTES = 64 * 1024 * 1024;
/** Limits in bytes and in time, after which a process is replaced by a fresh one. */
const FIT_BYTES = 256 * 1024 * 1024;
const FIT_MS = 30_000;

/** The process ended before it could start the task, so the file isn't at fault. */
export class EndedBefore extends Error {}

/** A process, its current task, and its state. */
interface Desk {
  memoryMb: number;
  child: ChildProcess;
  channel: Socket;
  ready: boolean;
  begun: boolean;
  fit: boolean;
  busyMs: number;
  /** Reads of pieces, one after another, because a process may request them faster than it receives them. */
  pieces: Promise<void>;
  piecesDue: number;
  work?: { options: TaskOptions; resolve(result: unknown): void; reject(reason: unknown): void } | undefined;
}

export function openProcess(program: IsolatedProgram): IsolatedProcess {
  const child = startProcess(program);
  const channel = child.stdio[CHANNEL] as Socket;
  const { memoryMb } = program.bounds;
  const desk: Desk = {
    ...{ memoryMb, child, channel, busyMs: 0 },
    ...{ ready: false, begun: false, fit: true },
    ...{ pieces: Promise.resolve(), piecesDue: 0 },
  };
  const maxBytes = () => desk.work?.options.maxOutputBytes ?? MAX_OUTPUT_BYTES;
  const read = frameReader(maxBytes, (answer) => take(desk, answer as ProgramAnswer));
  channel.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch {
      stop(desk, new Unreadable('size', 'The file unpacks to more than can be read.'));
    }
  });
  channel.on('error', () => {}); // the exit event says more
  child.once('error', (reason) => stop(desk, reason));
  child.once('close', (code, signal) => stop(desk, reasonOfEnd(desk, code, signal)));
  keepAlive(desk, false);
  return {
    ask: (task, input, options) => ask(desk, task, input, options),
    isFit: () => desk.fit && desk.busyMs < FIT_MS,
    end: () => child.kill('SIGKILL'),
  };
}

async function ask(desk: Desk, task: string, input: unknown, options: TaskOptions): Promise<unknown> {
  const { signal, file } = options;
  signal?.throwIfAborted();
  const started = performance.now();
  const time = limitTime(desk, options);
  const abort = () => stop(desk, signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  keepAlive(desk, true);
  try {
    return await new Promise((resolve, reject) => {
      desk.begun = false;
      desk.work = { options, resolve, reject };
      writeFrame(desk.channel, { task, input, size: file?.size ?? 0 } satisfies Ask);
    });
  } finally {
    clearTimeout(time.timer);
    signal?.removeEventListener('abort', abort);
    desk.work = undefined;
    desk.fit &&= desk.piecesDue === 0; // the remaining pieces don't belong to the next task's file
    desk.busyMs += performance.now() - started;
    keepAlive(desk, false);
  }
}

/** The minimum share of CPU time that shows that a process works instead of hanging. */
const LEAST_SHARE = 0.002;

/** Stops the process at its time limit. Counts the process's own CPU time, up to `loadedMs`. */
function limitTime(desk: Desk, { timeoutMs, loadedMs = timeoutMs }: TaskOptions) {
  const timeOf = () => processorTimeOf(desk.child.pid ?? 0) ?? Number.POSITIVE_INFINITY;
  const until = performance.now() + loadedMs;
  const started = timeOf();
  let before = started;
  const look = () => {
    const now = timeOf();
    const isWorking = now - started < timeoutMs && now - before >= timeoutMs * LEAST_SHARE;
    const leftMs = Math.min(timeoutMs, until - performance.now());
    if (!isWorking || leftMs <= 0) return stop(desk, tooLong(timeoutMs));
    before = now;
    time.timer = setTimeout(look, leftMs);
  };
  const time = { timer: setTimeout(look, timeoutMs) };
  return time;
}

function take(desk: Desk, answer: ProgramAnswer): void {
  if ('ready' in answer) desk.ready = true;
  else if ('begun' in answer) desk.begun = true;
  else if ('read' in answer) askForPiece(desk, answer.read);
  else if ('result' in answer) {
    desk.fit &&= answer.residentBytes < FIT_BYTES;
    desk.work?.resolve(answer.result);
  } else if ('refusal' in answer) desk.work?.reject(refusalOf(answer));
  else
    stop(desk, answer.outOfMemory ? tooMuchMemory(desk) : new Error(answer.failure, { cause: answer.stack }));
}

/** Kills the process. Its current task fails with the given reason. */
function stop(desk: Desk, reason: unknown): void {
  desk.fit = false;
  desk.child.kill('SIGKILL');
  desk.work?.reject(reason);
}

interface Range {
  position: number;
  length: number;
}

function askForPiece(desk: Desk, range: Range): void {
  desk.piecesDue += 1;
  const sent = desk.pieces.then(() => sendRange(desk, range));
  desk.pieces = sent.then(
    () => {
      desk.piecesDue -= 1;
    },
    (error) => stop(desk, error),
  );
}

async function sendRange({ channel, work }: Desk, { position, length }: Range): Promise<void> {
  const { handle } = work?.options.file ?? {};
  if (handle === undefined || length > MAX_READ_BYTES)
    throw new Error('A task requested data that it was not given.');
  const bytes = new Uint8Array(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position);
  writeFrame(channel, { bytes: bytes.subarray(0, bytesRead) } satisfies Ask);
  if (channel.writableNeedDrain) await taken(channel);
}

/** Resolves when the data was taken, or can no longer be. */
function taken(channel: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      channel.off('drain', end).off('close', end);
      resolve();
    };
    channel.once('drain', end).once('close', end);
  });
}

type Refused = Extract<ProgramAnswer, { refusal: string }>;

function refusalOf({ refusal, code, field, reason }: Refused): ServiceError {
  if (reason !== undefined) return new Unreadable(reason, refusal);
  return code === 'disk_full' ? new DiskFull() : serviceError(code, refusal, { field });
}

/**
 * Returns why a process ended without being stopped from here: its limits, or a crash that the file caused.
 */
function reasonOfEnd(desk: Desk, code: number | null, signal: NodeJS.Signals | null): Error {
  const how = signal ?? `code ${code}`;
  if (!desk.ready) return new Error(`The process that reads files did not start: ${how}`);
  if (!desk.begun)
    return new EndedBefore(`The process that reads files ended before it started the work: ${how}`);
  if (signal === 'SIGXCPU') return new Unreadable('size', 'Reading the file takes too long.');
  if (signal === null) return new Unreadable('broken', "The file can't be read: its reader stopped.");
  return tooMuchMemory(desk);
}

function tooMuchMemory({ memoryMb }: Desk): Unreadable {
  return new Unreadable('size', `Reading the file takes more than ${memoryMb} MB of memory.`);
}

function tooLong(timeoutMs: number): Unreadable {
  return new Unreadable('size', `Reading the file takes more than ${Math.round(timeoutMs / 1000)} seconds.`);
}

/** Keeps the service alive only while the process works. */
function keepAlive({ child, channel }: Desk, alive: boolean): void {
  if (alive) channel.ref();
  else channel.unref();
  if (alive) child.ref();
  else child.unref();
}
