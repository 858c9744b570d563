import type { Caller } from '../../access/caller.ts';
import { repeat } from '../../async/repeat.ts';
import { Forbidden, ServiceError } from '../../errors.ts';
import { log } from '../../log.ts';
import { timestamp } from '../../ports/clock.ts';
import { wasExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { requireRights } from '../../tokens/rights.ts';
import { guardedPlaceOf } from '../../workspaces/access.ts';
import { conversations } from '../schema.ts';
import { LEASE_MS, type Turn } from './claim-turn.ts';

/** How long a stop may take to be noticed, from any requester on any instance. */
const LOOK_EVERY_MS = 400;
const RENEW_EVERY_MS = 5_000;

/** A person stopped the answer. */
export class TurnStopped extends Error {}
/** The conversation was deleted, or another process considered this one dead. */
export class TurnLost extends Error {}

export interface KeptTurn {
  signal: AbortSignal;
  end(): void;
}

/**
 * Shows signs of life while an answer is made. Aborts its signal when it's stopped or lost, its caller loses the right to ask,
 * or the time is up. Nothing here depends on the client: on Lambda, no process learns that one has left.
 */
export function keepTurn(ports: TimedRecords, turn: Turn, caller: Caller, timeLeftMs: number): KeptTurn {
  const controller = new AbortController();
  const abort = (reason: Error) => controller.abort(reason);
  const timers = [
    repeat(LOOK_EVERY_MS, () => look(ports, turn, abort), tell),
    repeat(RENEW_EVERY_MS, () => renew(ports, turn, abort), tell),
    repeat(RENEW_EVERY_MS, () => checkRights(ports, turn, caller, abort), tell),
  ];
  const tooLong = () =>
    abort(new ServiceError('request_timeout', 'The answer took longer than one request allows.'));
  const deadline = setTimeout(tooLong, Math.max(0, timeLeftMs));
  return {
    signal: controller.signal,
    end() {
      for (const timer of timers) clearInterval(timer);
      clearTimeout(deadline);
    },
  };
}

async function look(
  { records }: TimedRecords,
  { id, conversation }: Turn,
  abort: (reason: Error) => void,
): Promise<void> {
  const there = await conversations.get(records, conversation);
  if (there?.turnId !== id) abort(new TurnLost());
  else if (there.stopRequested) abort(new TurnStopped());
}

async function renew(
  { records, clock }: TimedRecords,
  { id, conversation }: Turn,
  abort: (reason: Error) => void,
): Promise<void> {
  const set = { turnUntil: timestamp(clock, LEASE_MS) };
  const renewed = await wasExpected(conversations.update(records, conversation, { set }, { turnId: id }));
  if (!renewed) abort(new TurnLost());
}

async function checkRights(
  ports: TimedRecords,
  { conversation }: Turn,
  caller: Caller,
  abort: (reason: Error) => void,
): Promise<void> {
  const place = await guardedPlaceOf(ports.records, conversation.workspaceId);
  await requireRights(ports, caller, 'viewer', place).catch((error: unknown) => {
    if (!(error instanceof Forbidden)) throw error;
    abort(error);
  });
}

function tell(error: unknown): void {
  log.warn('an answer was not looked after', { reason: String(error) });
}
