import { type Caller, callerSchema, requireAdminOfAll } from '../access/caller.ts';
import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import type { CallPorts } from '../leases/due.ts';
import { people } from '../people/schema.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { callerOfToken, isValid } from '../tokens/authorize.ts';
import { callerIdOf, tokenOf, tokensOf } from '../tokens/rights.ts';
import { tokens } from '../tokens/schema.ts';
import {
  type AskedHandOver,
  KINDS,
  NOTHING,
  type Offboarding,
  offboardingKey,
  offboardings,
} from './schema.ts';
import { AGAIN_MS } from './sweep.ts';

/** The name of a token whose holder was erased. */
const ERASED = 'erased';

/**
 * Requests that everything that a person owns is handed over to another person. Throws Forbidden,
 * InvalidInput, NotFound for an unknown receiver, and Conflict for one who has left, or while another request
 * for this person is in progress.
 */
export async function requestHandOver(
  ports: CallPorts,
  caller: Caller,
  { personId: named, to, kinds }: AskedHandOver,
): Promise<Offboarding> {
  requireAdminOfAll(caller);
  const personId = await callerIdOf(ports.records, named);
  const receiver = await findReceiver(ports, to);
  if (receiver.id === personId)
    throw new InvalidInput('invalid_value', 'to must be another person.', { field: 'to' });
  return begin(ports, { personId, action: 'hand-over', to: receiver, kinds: [...new Set(kinds)].sort() });
}

/**
 * Requests that everything that a person owns is erased, and their name in the service's lists. Throws
 * Forbidden, and Conflict while a token of theirs is valid, or another request for this person is in
 * progress.
 */
export async function requestErasure(ports: CallPorts, caller: Caller, named: string): Promise<Offboarding> {
  requireAdminOfAll(caller);
  const { records, clock } = ports;
  const personId = await callerIdOf(records, named);
  const theirs = await tokensOf(records, personId);
  if (theirs.some((token) => isValid(token, clock.now())))
    throw new Conflict('person_active', 'Revoke the token of this person first.', { field: 'personId' });
  const asked: Asked = { personId, action: 'erase', to: null, kinds: [...KINDS] };
  await readFree(records, asked);
  for (const token of theirs) {
    const revokedAt = token.revokedAt ?? timestamp(clock); // otherwise, an expired token could be rotated
    await tokens.update(records, token, { set: { name: ERASED, revokedAt } });
  }
  await people.delete(records, { id: personId });
  return begin(ports, asked);
}

/** Returns the latest request for a person. Throws Forbidden, NotFound. */
export async function findOffboarding(records: Records, caller: Caller, named: string): Promise<Offboarding> {
  requireAdminOfAll(caller);
  const found = await offboardings.get(records, offboardingKey(await callerIdOf(records, named)));
  if (found === undefined)
    throw new NotFound('offboarding_not_found', 'Nothing of this person was handed over or erased.');
  return found;
}

async function findReceiver({ records, clock }: TimedRecords, to: string): Promise<Caller> {
  const token = await tokenOf(records, { id: to });
  if (token !== undefined && !isValid(token, clock.now()))
    throw new Conflict('person_gone', 'to must be a token that is valid.', { field: 'to' });
  const person = token === undefined ? await people.get(records, { id: to }) : callerOfToken(token);
  if (person === undefined || ('kind' in person && person.kind === 'chat'))
    throw new NotFound('person_not_found', 'to must be a token, or a user who has signed in.', {
      field: 'to',
    });
  return callerSchema.parse(person);
}

type Asked = Pick<Offboarding, 'personId' | 'action' | 'to' | 'kinds'>;

/** Stores the request, unless it repeats the one in progress, and calls a worker at once. */
async function begin(ports: CallPorts, asked: Asked): Promise<Offboarding> {
  const { records, clock, agentQueue } = ports;
  const { key } = offboardingKey(asked.personId);
  const before = await readFree(records, asked);
  const now = timestamp(clock);
  const fresh = {
    ...asked,
    key,
    askedAt: now,
    finishedAt: null,
    done: NOTHING,
    left: NOTHING,
    from: null,
    isIdle: true,
    erasing: null,
  };
  const next = { ...(before?.finishedAt === null ? before : fresh), until: timestamp(clock, AGAIN_MS) };
  const expected = { askedAt: before?.askedAt, finishedAt: before?.finishedAt };
  const stored = await (before === undefined
    ? offboardings.create(records, next)
    : offboardings.put(records, next, expected));
  if (!stored) throw inProgress();
  await agentQueue.send([{ body: { runId: '', leaver: key } }]);
  return next;
}

/** Returns the latest request. Throws Conflict while a request is in progress. */
async function readFree(records: Records, asked: Asked): Promise<Offboarding | undefined> {
  const before = await offboardings.get(records, offboardingKey(asked.personId));
  if (before?.finishedAt === null && !isSame(before, asked)) throw inProgress();
  return before;
}

function isSame(one: Asked, other: Asked): boolean {
  return (
    one.action === other.action && one.to?.id === other.to?.id && one.kinds.join() === other.kinds.join()
  );
}

function inProgress(): Conflict {
  return new Conflict(
    'offboarding_in_progress',
    'Another hand-over or erasure for this person is in progress. Wait until it has finished.',
  );
}
