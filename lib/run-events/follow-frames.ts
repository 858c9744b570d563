import { log } from '../log.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { StreamCut, type StreamPart } from '../ui-messages/stream-part.ts';
import { listenFor } from './frame-signal.ts';
import { type FrameBatch, frameBatches, frameSort, framesPartition } from './schema.ts';

/** How often a follower polls; a write in its own process wakes it at once. */
const LOOK_EVERY_MS = 250;
/** For what rests until a person answers. */
const LOOK_RARELY_MS = 1000;

/** Whether more frames may come: `resting` is for a person's answer, `over` for no more. */
export type StreamState = 'live' | 'resting' | 'over';

export interface FollowOptions {
  /** The last number that the follower has seen. */
  after: number;
  signal: AbortSignal;
  /** Milliseconds until the request must be over. */
  timeLeftMs: number;
}

/**
 * The frames of a run or an answer after a number, and on live until its end. Throws StreamCut when the time is up before
 * that, or the frames cannot be read: the reader comes again with the last number that it saw. Any other error would take
 * a number that is a frame's.
 */
export async function* followFrames(
  ports: TimedRecords,
  id: string,
  options: FollowOptions & { progress: () => Promise<StreamState> },
): AsyncGenerator<StreamPart> {
  try {
    yield* readOn(ports, id, options);
  } catch (error) {
    if (error instanceof StreamCut) throw error;
    log.error('frames could not be followed', { runId: id }, error);
    throw new StreamCut();
  }
}

async function* readOn(
  { records, clock }: TimedRecords,
  id: string,
  { after, progress, signal, timeLeftMs }: FollowOptions & { progress: () => Promise<StreamState> },
): AsyncGenerator<StreamPart> {
  const until = clock.now() + timeLeftMs;
  let seen = after;
  let from = await batchWith(records, id, after + 1);
  while (!signal.aborted) {
    const wake = listenFor(id);
    try {
      // This first: what is written before it changes is found after.
      const now = await progress();
      for await (const part of readFrames(records, id, from, seen)) {
        seen += 1;
        yield part;
      }
      if (seen > after) from = frameSort(seen + 1);
      if (now === 'over') return;
      if (clock.now() > until) throw new StreamCut();
      await wake.wait(now === 'resting' ? LOOK_RARELY_MS : LOOK_EVERY_MS, signal);
    } finally {
      wake.stop();
    }
  }
  throw new StreamCut();
}

/** All frames that are there, at this moment. */
export async function framesSoFar(records: Records, id: string): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of readFrames(records, id, frameSort(0), 0)) parts.push(part);
  return parts;
}

async function* readFrames(
  records: Records,
  id: string,
  from: string,
  after: number,
): AsyncGenerator<StreamPart> {
  const query = { partition: framesPartition(id), from, limit: 50 };
  for await (const batch of frameBatches.all(records, query)) yield* partsAfter(batch, after);
}

/** The sort key of the batch that holds a frame: it may have begun before. */
async function batchWith(records: Records, id: string, number: number): Promise<string> {
  if (number <= 1) return frameSort(0);
  const { items } = await frameBatches.list(records, {
    partition: framesPartition(id),
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
