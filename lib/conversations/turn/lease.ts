import type { Caller } from '../../access/caller.ts';
import { Forbidden, ServiceError } from '../../errors.ts';
import type { Held } from '../../leases/hold.ts';
import { leasesOf } from '../../leases/lease.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { requireRights } from '../../tokens/rights.ts';
import { guardedPlaceOf } from '../../workspaces/access.ts';
import { allWorkspacesOf } from '../../workspaces/all-workspaces.ts';
import { type Conversation, conversations } from '../schema.ts';

/** The milliseconds of silence after which an answering process counts as dead. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 5_000;
const CHECK_RIGHTS_EVERY_MS = 5_000;
/** The maximum milliseconds until a stop, from any instance, is noticed. */
const LOOK_EVERY_MS = 400;

/** The turn of a conversation: the right to answer in it. */
export const turnLeases = leasesOf({
  collection: conversations,
  ms: LEASE_MS,
  owner: 'turnId',
  until: 'turnUntil',
});

/** A user stopped the answer. */
export class TurnStopped extends Error {}
/** The conversation was deleted, or another process considered this one dead. */
export class TurnLost extends Error {}

/**
 * Holds the turn during an answer. Aborts its signal if the answer is stopped, the turn is lost, the caller
 * loses the right to ask, or the time is up. An answer that stalled past its lease continues unless another
 * process has ended it, because each of its writes has its own condition. None of this depends on the client:
 * on Lambda, no process learns that a client has left.
 */
export function holdTurn(
  ports: TimedRecords,
  conversation: Conversation,
  caller: Caller,
  timeLeftMs: number,
): Held {
  const tooLong = 'The answer took longer than one request allows.';
  return turnLeases.hold(ports, conversation, {
    ...{ mayLapse: true, marginMs: 0, renewEveryMs: RENEW_EVERY_MS },
    lost: () => new TurnLost(),
    watches: [
      { everyMs: LOOK_EVERY_MS, look: (abort) => lookAtTurn(ports, conversation, abort) },
      { everyMs: CHECK_RIGHTS_EVERY_MS, look: (abort) => checkRights(ports, conversation, caller, abort) },
    ],
    deadline: { timeLeftMs, reason: () => new ServiceError('request_timeout', tooLong) },
    about: { turnId: conversation.turnId },
  });
}

async function lookAtTurn(
  { records }: TimedRecords,
  conversation: Conversation,
  abort: (reason: Error) => void,
): Promise<void> {
  const there = await conversations.get(records, conversation);
  if (there?.turnId !== conversation.turnId) abort(new TurnLost());
  else if (there.stopRequested) abort(new TurnStopped());
}

async function checkRights(
  ports: TimedRecords,
  conversation: Conversation,
  caller: Caller,
  abort: (reason: Error) => void,
): Promise<void> {
  try {
    for (const id of allWorkspacesOf(conversation))
      await requireRights(ports, caller, 'viewer', await guardedPlaceOf(ports.records, id));
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    abort(error);
  }
}
