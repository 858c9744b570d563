import { log } from '../../log.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { StreamCut, type StreamPart } from '../../ui-messages/stream-part.ts';
import {
  type FrameBatch,
  frameBatches,
  frameSort,
  framesPartition,
  isOver,
  type Run,
  runs,
} from '../schema.ts';
import { listenFor } from './frame-signal.ts';

/** How often a follower looks by itself; what is written in its own process wakes it at once. */
const LOOK_EVERY_MS = 250;
/** For a run that waits for a person's answer. */
const LOOK_RARELY_MS = 1000;

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
  ports: TimedRecords,
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
  { records, clock }: TimedRecords,
  runId: string,
  { after, untilParked, signal, timeLeftMs }: FollowOptions,
): AsyncGenerator<StreamPart> {
  const until = clock.now() + timeLeftMs;
  let seen = after;
  let from = await batchWith(records, runId, after + 1);
  while (!signal.aborted) {
    const wake = listenFor(runId);
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
