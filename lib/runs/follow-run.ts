import type { StreamPart } from '../api-contract/stream-part.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { type FollowOptions, followFrames, type StreamState } from '../run-events/follow-frames.ts';
import { retryAfter } from '../ui-messages/error-parts.ts';
import { askedSince, openApprovals } from './approvals.ts';
import { isRunOver, runs } from './schema.ts';

export interface FollowRunOptions extends FollowOptions {
  /**
   * True ends the stream when the run waits. `asked` ends it when the run waits for a missing answer, but not
   * while a worker is about to continue it; `cut` then cuts the stream until its client asks again. False
   * keeps the stream open until the run has ended.
   */
  untilSuspended: boolean | 'asked' | 'cut';
}

/** Yields the events of a run after a number, and live ones until its end. Throws StreamCut, like followFrames. */
export function followRun(
  ports: TimedRecords,
  runId: string,
  { untilSuspended, ...options }: FollowRunOptions,
): AsyncGenerator<StreamPart> {
  const progress = () => progressOf(ports, runId, untilSuspended);
  return followFrames(ports, runId, { ...options, progress, ends: String(untilSuspended) });
}

async function progressOf(
  ports: TimedRecords,
  id: string,
  untilSuspended: FollowRunOptions['untilSuspended'],
): Promise<StreamState> {
  const run = await runs.get(ports.records, { id });
  if (run === undefined || isRunOver(run.status)) return 'over';
  if (run.status !== 'waiting') return 'live';
  if (typeof untilSuspended === 'boolean') return untilSuspended ? 'over' : 'resting';
  const open = await openApprovals(ports, id);
  if (open.length === 0) return 'resting';
  return untilSuspended === 'asked' ? 'over' : { retryMs: retryAfter(ports.clock.now() - askedSince(open)) };
}
