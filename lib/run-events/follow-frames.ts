import type { StreamPart } from '../api-contract/stream-part.ts';
import { log } from '../log.ts';
import type { RecordQuery, Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { pagesOf } from '../records/page.ts';
import { StreamCut } from '../ui-messages/error-parts.ts';
import { listenFor } from './frame-signal.ts';
import { type FrameBatch, frameBatches, frameSort, framesPartition } from './schema.ts';

/** Milliseconds between two polls of a follower. Events from the same process wake it immediately. */
const LOOK_EVERY_MS = 250;
/** Milliseconds between two polls while a run waits for a person. */
const LOOK_RARELY_MS = 1000;

/**
 * Whether more events may follow: `resting` waits for a person's answer; `over` has no more. With `retryMs`,
 * the run waits too, and the stream is cut until then.
 */
export type StreamState = 'live' | 'resting' | 'over' | { retryMs: number };

interface StreamProgress {
  progress: () => Promise<StreamState>;
  /**
   * Followers share a read of the progress only if this value is the same, because some of them end when a
   * run waits.
   */
  ends?: string;
}

export interface FollowOptions {
  /** The number of the last event that the follower has seen. */
  after: number;
  signal: AbortSignal;
  /** Milliseconds until the request must end. */
  timeLeftMs: number;
}

/**
 * Yields the events of a run or an answer after a number, then live events until its end. Throws StreamCut if the time
 * is over before that, or if the events can't be read; the reader then resumes with the last number that it saw. Any
 * other error would use up an event number.
 */
export async function* followFrames(
  ports: TimedRecords,
  id: string,
  options: FollowOptions & StreamProgress,
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
  { after, progress, ends = '', signal, timeLeftMs }: FollowOptions & StreamProgress,
): AsyncGenerator<StreamPart> {
  const until = clock.now() + timeLeftMs;
  let seen = after;
  let from = await batchWith(records, id, after + 1);
  while (!signal.aborted) {
    const wake = listenFor(id);
    try {
      // The progress is read first. Events that were written before it changes are then found afterwards.
      const now = await lookTogether(records, `${id} ${ends}`, progress);
      // Never joins a read that started before this follower saw the state, because that read may lack the
      // last events.
      const list: ListBatches = (query) =>
        lookTogether(records, `${id} ${ends} ${JSON.stringify(now)} ${query.from} ${query.cursor}`, () =>
          frameBatches.list(records, query),
        );
      for await (const part of readFrames(list, id, from, seen)) {
        seen += 1;
        yield part;
      }
      if (seen > after) from = frameSort(seen + 1);
      if (now === 'over') return;
      throwIfCut(now, clock.now() > until);
      await wake.wait(now === 'resting' ? LOOK_RARELY_MS : LOOK_EVERY_MS, signal);
    } finally {
      wake.stop();
    }
  }
  throw new StreamCut();
}

function throwIfCut(state: StreamState, isLate: boolean): void {
  if (typeof state === 'object') throw new StreamCut(state.retryMs);
  if (isLate) throw new StreamCut();
}

/** Returns all events stored so far. */
export function framesSoFar(records: Records, id: string): Promise<StreamPart[]> {
  const list: ListBatches = (query) => frameBatches.list(records, query);
  return Array.fromAsync(readFrames(list, id, frameSort(0), 0));
}

type ListBatches = (query: RecordQuery) => ReturnType<typeof frameBatches.list>;

async function* readFrames(
  list: ListBatches,
  id: string,
  from: string,
  after: number,
): AsyncGenerator<StreamPart> {
  const query = { partition: framesPartition(id), from, limit: 50 };
  for await (const { items } of pagesOf((cursor) => list({ ...query, cursor })))
    for (const batch of items) yield* partsAfter(batch, after);
}

const looks = new WeakMap<Records, Map<string, Promise<unknown>>>();

/**
 * Joins a read in progress, because a signal wakes all followers at once, and a thousand of them would each
 * read separately.
 */
async function lookTogether<Result>(
  records: Records,
  key: string,
  look: () => Promise<Result>,
): Promise<Result> {
  const own = looks.get(records) ?? new Map<string, Promise<unknown>>();
  looks.set(records, own);
  const joined = own.get(key) as Promise<Result> | undefined;
  if (joined !== undefined) return joined;
  const looking = look().finally(() => own.delete(key));
  own.set(key, looking);
  return looking;
}

/** Returns the sort key of the batch that contains an event, because the batch may start before the event. */
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
