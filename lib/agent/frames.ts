import { EventEmitter } from 'node:events';
import { StreamCut, type StreamPart } from '../http/event-stream.ts';
import { log } from '../log.ts';
import type { Clock } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import {
  type FrameBatch,
  frameBatches,
  frameSort,
  framesPartition,
  KEEP_RUN_SECONDS,
  type Run,
  runs,
} from './schema.ts';

interface FramePorts {
  records: Records;
  clock: Clock;
}

/** A batch is one record, which holds 400 KB: longer ones are parted. */
const MAX_BATCH_CHARACTERS = 100_000;
/** Models may send a text, or the arguments of a call, in one piece of any length. */
const MAX_DELTA_CHARACTERS = 25_000;
/** Between two writes of a run: what comes meanwhile goes out together. */
const WRITE_EVERY_MS = 25;
/** How often a follower looks by itself; what is written in its own process wakes it at once. */
const LOOK_EVERY_MS = 250;
/** For a run that waits for a person's answer. */
const LOOK_RARELY_MS = 1000;

/** Tells followers in this process that a run has new frames, or another status. */
const news = new EventEmitter().setMaxListeners(0);

export function tellFollowers(runId: string): void {
  news.emit(runId);
}

/** The number of the last frame of a run; 0 before the first. */
export async function lastFrame(records: Records, runId: string): Promise<number> {
  const { items } = await frameBatches.list(records, {
    partition: framesPartition(runId),
    order: 'descending',
    limit: 1,
  });
  const batch = items[0];
  return batch === undefined ? 0 : batch.from + batch.count - 1;
}

/** Someone else has written frames of this run: whoever notices is not its owner any more. */
export class FramesTaken extends Error {}

export interface Recorder {
  /** Keeps a frame; it is in the store, and with the followers, a moment later. Throws what an earlier write threw. */
  write(part: StreamPart): void;
  /** Resolves when everything is in the store. Throws FramesTaken. */
  flush(): Promise<void>;
}

/**
 * Stores a run's frames, numbered after `last`, before any follower sees them: whoever saw number 57 can rely on 58
 * being what it will be for everybody. Frames that come while one write is under way make the next one.
 */
export function openRecorder(ports: FramePorts, runId: string, last: number): Recorder {
  let next = last + 1;
  let pending: StreamPart[] = [];
  let writing: Promise<void> | undefined;
  let failure: unknown;
  const rest = restBetweenWrites();

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const parts = takeBatch(pending);
      const expiresAt = Math.floor(ports.clock.now() / 1000) + KEEP_RUN_SECONDS;
      const count = parts.length;
      await keepBatch(ports, { runId, from: next, count, parts: JSON.stringify(parts), expiresAt });
      next += count;
      tellFollowers(runId);
      if (pending.length > 0) await rest.take();
    }
  }

  function start(): Promise<void> {
    writing ??= Promise.resolve()
      .then(writeAll)
      .catch((error: unknown) => {
        failure = error;
        pending = [];
      })
      .finally(() => {
        writing = undefined;
        if (pending.length > 0) void start(); // what came after the last look
      });
    return writing;
  }

  return {
    write(part) {
      if (failure !== undefined) throw failure;
      for (const piece of splitDelta(part)) addFrame(pending, piece);
      void start();
    },
    async flush() {
      rest.hurry();
      while (pending.length > 0 || writing !== undefined) await start();
      if (failure !== undefined) throw failure;
    },
  };
}

/** After a flush there is nothing more to wait for. */
function restBetweenWrites() {
  const flushed = Promise.withResolvers<void>();
  return {
    async take(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, WRITE_EVERY_MS);
      await Promise.race([promise, flushed.promise]);
      clearTimeout(timer);
    },
    hurry: flushed.resolve,
  };
}

/** A write that is repeated because its answer got lost finds its own frames, not another's. */
async function keepBatch({ records }: FramePorts, batch: FrameBatch): Promise<void> {
  if (await frameBatches.create(records, batch)) return;
  const there = await frameBatches.get(records, batch);
  if (there?.parts !== batch.parts)
    throw new FramesTaken(`frame ${batch.from} of run ${batch.runId} is there already`);
}

/** Pieces of one text that wait together become one frame, up to a length. */
function addFrame(pending: StreamPart[], part: StreamPart): void {
  const before = pending.at(-1);
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
    if (before?.type === part.type && before.id === part.id && fits(before.delta, part.delta)) {
      pending[pending.length - 1] = { ...before, delta: before.delta + part.delta };
      return;
    }
  }
  pending.push(part);
}

function fits(before: string, delta: string): boolean {
  return before.length + delta.length <= MAX_DELTA_CHARACTERS;
}

function splitDelta(part: StreamPart): StreamPart[] {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta')
    return splitText(part.delta).map((delta) => ({ ...part, delta }));
  if (part.type === 'tool-input-delta')
    return splitText(part.inputTextDelta).map((inputTextDelta) => ({ ...part, inputTextDelta }));
  return [part];
}

/** Never inside a character: a store would keep no half of one. */
function splitText(text: string): string[] {
  if (text.length <= MAX_DELTA_CHARACTERS) return [text];
  return text.match(PIECES) ?? [];
}
const PIECES = new RegExp(`[^]{1,${MAX_DELTA_CHARACTERS}}`, 'gu');

function takeBatch(pending: StreamPart[]): StreamPart[] {
  let characters = 0;
  let count = 0;
  for (const part of pending) {
    characters += JSON.stringify(part).length;
    if (count > 0 && characters > MAX_BATCH_CHARACTERS) break;
    count += 1;
  }
  return pending.splice(0, count);
}

export interface FollowOptions {
  /** The last number that the follower has seen. */
  after: number;
  /** End when the run begins to wait for an answer; else the stream stays open over it. */
  untilParked: boolean;
  signal: AbortSignal;
  /** Milliseconds until the request must be over. */
  timeLeftMs: number;
}

/**
 * The frames of a run after a number, and on live until its end. Throws StreamCut when the time is up before that, or
 * the frames cannot be read: the reader comes again with the last number that it saw. Any other error would take a
 * number that is a frame's.
 */
export async function* followRun(
  ports: FramePorts,
  runId: string,
  options: FollowOptions,
): AsyncGenerator<StreamPart> {
  try {
    yield* readOn(ports, runId, options);
  } catch (error) {
    if (error instanceof StreamCut) throw error;
    log.error('a run could not be followed', { runId }, error);
    throw new StreamCut();
  }
}

async function* readOn(
  { records, clock }: FramePorts,
  runId: string,
  { after, untilParked, signal, timeLeftMs }: FollowOptions,
): AsyncGenerator<StreamPart> {
  const until = clock.now() + timeLeftMs;
  let seen = after;
  let from = await batchWith(records, runId, after + 1);
  while (!signal.aborted) {
    const wake = listen(runId);
    try {
      // The status first: what is written before it changes is found after.
      const run = await runs.get(records, { id: runId });
      for await (const part of readFrames(records, runId, from, seen)) {
        seen += 1;
        yield part;
      }
      if (seen > after) from = frameSort(seen + 1);
      if (run === undefined || endsHere(run, untilParked)) return;
      if (clock.now() > until) throw new StreamCut();
      await wake.wait(pauseOf(run), signal);
    } finally {
      wake.stop();
    }
  }
  throw new StreamCut();
}

function pauseOf({ status }: Run): number {
  return status === 'waiting' ? LOOK_RARELY_MS : LOOK_EVERY_MS;
}

function endsHere({ status }: Run, untilParked: boolean): boolean {
  return isOver(status) || (untilParked && status === 'waiting');
}

export function isOver(status: string): boolean {
  return status === 'done' || status === 'failed' || status === 'stopped';
}

/** Hears of news from now on, so that none is missed between looking and waiting. */
function listen(runId: string) {
  const heard = Promise.withResolvers<void>();
  const hear = () => heard.resolve();
  news.once(runId, hear);
  return {
    stop: () => void news.off(runId, hear),
    async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
      const timer = setTimeout(hear, milliseconds);
      signal.addEventListener('abort', hear, { once: true });
      if (signal.aborted) hear();
      await heard.promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', hear);
    },
  };
}

async function* readFrames(
  records: Records,
  runId: string,
  from: string,
  after: number,
): AsyncGenerator<StreamPart> {
  const query = { partition: framesPartition(runId), from, limit: 50 };
  for await (const batch of frameBatches.all(records, query)) yield* partsAfter(batch, after);
}

/** The sort key of the batch that holds a frame: it may have begun before. */
async function batchWith(records: Records, runId: string, number: number): Promise<string> {
  if (number <= 1) return frameSort(0);
  const { items } = await frameBatches.list(records, {
    partition: framesPartition(runId),
    to: frameSort(number),
    order: 'descending',
    limit: 1,
  });
  return frameSort(items[0]?.from ?? 0);
}

function partsAfter({ from, count, parts }: FrameBatch, after: number): StreamPart[] {
  if (after >= from + count - 1) return [];
  return (JSON.parse(parts) as StreamPart[]).slice(Math.max(0, after - from + 1));
}
