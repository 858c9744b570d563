import { type FollowOptions, followFrames, type StreamState } from '../../frames/follow-frames.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import type { StreamPart } from '../../ui-messages/stream-part.ts';
import { isRunOver, type Run, runs } from '../schema.ts';

export interface FollowRunOptions extends FollowOptions {
  /** End when the run begins to wait for an answer; else the stream stays open over it. */
  untilParked: boolean;
}

/** The frames of a run after a number, and on live until its end; throws StreamCut, as followFrames does. */
export function followRun(
  ports: TimedRecords,
  runId: string,
  { untilParked, ...options }: FollowRunOptions,
): AsyncGenerator<StreamPart> {
  const progress = async () => progressOf(await runs.get(ports.records, { id: runId }), untilParked);
  return followFrames(ports, runId, { ...options, progress });
}

function progressOf(run: Run | undefined, untilParked: boolean): StreamState {
  if (run === undefined || isRunOver(run.status)) return 'over';
  if (run.status !== 'waiting') return 'live';
  return untilParked ? 'over' : 'resting';
}
