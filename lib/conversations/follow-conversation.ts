import { setTimeout as pause } from 'node:timers/promises';
import { type Caller, requireRole } from '../access/caller.ts';
import type { StreamPart } from '../api-contract/stream-part.ts';
import { ServiceError } from '../errors.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { callerNow } from '../tokens/rights.ts';
import { retryAfter, StreamCut } from '../ui-messages/error-parts.ts';
import { findConversationIfThere } from './find.ts';
import { describeConversation } from './list.ts';
import type { Conversation } from './schema.ts';

const LOOK_EVERY_MS = 1_000;
/** Milliseconds without a change after which a stream is cut, if streams are billed by their length. */
const QUIET_MS = 60_000;

export interface FollowConversationOptions {
  signal: AbortSignal;
  timeLeftMs: number;
  /**
   * True if the host is billed for as long as the stream lasts. A stream without changes is then cut, and its
   * client resumes it later.
   */
  isPaidByTime: boolean;
}

/**
 * Yields the conversation as it is now, and again after each change, until it is deleted or its caller may no
 * longer read it. Throws StreamCut when the time is up; the reader then resumes.
 */
export async function* followConversation(
  ports: TimedRecords,
  caller: Caller,
  id: string,
  { signal, timeLeftMs, isPaidByTime }: FollowConversationOptions,
): AsyncGenerator<StreamPart> {
  const until = ports.clock.now() + timeLeftMs;
  let shown: string | undefined;
  while (!signal.aborted && ports.clock.now() < until) {
    const there = await findReadable(ports, caller, id);
    if (there === undefined) return;
    const state = { ...describeConversation(ports, there), version: there.version };
    if (shown !== JSON.stringify(state)) yield { type: 'data-conversation', data: state };
    shown = JSON.stringify(state);
    const quietMs = ports.clock.now() - Date.parse(there.updatedAt);
    if (isPaidByTime && quietMs > QUIET_MS) throw new StreamCut(retryAfter(quietMs));
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  throw new StreamCut();
}

/** Returns the conversation; undefined if it was deleted, or the caller has lost access. */
async function findReadable(
  ports: TimedRecords,
  caller: Caller,
  id: string,
): Promise<Conversation | undefined> {
  try {
    const now = await callerNow(ports, caller);
    requireRole(now, 'viewer');
    return await findConversationIfThere(ports.records, now, id);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw new StreamCut();
  }
}
