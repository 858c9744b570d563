import { type Caller, requireUnscoped } from '../access/caller.ts';
import { Conflict } from '../errors.ts';
import { timestamp } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { whileOvertaken } from '../records/change.ts';
import { isValid, secretsOf } from './authorize.ts';
import { isHolder, whoChanges } from './rights.ts';
import { type CreatedToken, laterSecrets, type RotateToken, type StoredToken } from './schema.ts';
import {
  changeAsRead,
  describeToken,
  hashSecret,
  newSecret,
  readExpiry,
  requireNoMore,
  requireToken,
} from './tokens.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Maximum secrets that a token accepts at a time. */
const MAX_SECRETS = 10;

/**
 * Gives a token another secret, which only this result contains. The token stays the same caller. Its earlier
 * secrets work during the overlap, or until the end that an earlier rotation set. The token is changed before
 * the secret is stored, so that an interrupted call doesn't leave a working secret that no one knows about. A
 * workspace-scoped caller can rotate only their own token, because the secret of another token opens its
 * conversations, and workspaces whose member list excludes the caller. Throws NotFound, Conflict for a token
 * that has expired, and the InvalidInput and Forbidden of `createToken()`.
 */
export async function rotateToken(
  ports: TimedRecords,
  caller: Caller,
  id: string,
  change: RotateToken,
): Promise<CreatedToken> {
  const { records } = ports;
  const secret = newSecret();
  const hash = hashSecret(secret);
  const rotated = await whileOvertaken(async () => {
    const before = await requireToken(records, caller, id);
    if (!isHolder(caller, before)) requireUnscoped(caller);
    const fields = rotate(ports, before, { ...change, hash });
    requireNoMore(whoChanges(caller, before), { ...before, ...fields });
    return changeAsRead(records, before, fields);
  });
  await laterSecrets.create(records, { hash, of: rotated.hash });
  return { ...describeToken(rotated), secret };
}

/** The error for a token that was revoked or has expired. Its secrets must not work again. */
export function tokenEnded(): Conflict {
  return new Conflict('token_ended', 'This token was revoked or has expired. Create a new one.');
}

function rotate({ clock }: TimedRecords, before: StoredToken, change: RotateToken & { hash: string }) {
  const now = clock.now();
  const expiresAt = change.expiresAt === undefined ? before.expiresAt : readExpiry(clock, change.expiresAt);
  if (!isValid({ ...before, expiresAt }, now)) throw tokenEnded();
  const end = timestamp(clock, change.overlapHours * HOUR_MS);
  const earlier = (isValid(before, now) ? secretsOf(before, now) : []).map(({ hash, until }) => ({
    hash,
    until: until === null || until > end ? end : until,
  }));
  requireRoom(earlier.length, change);
  const secrets = [{ hash: change.hash, until: null }, ...earlier];
  return { expiresAt, rotatedAt: timestamp(clock), secrets };
}

function requireRoom(count: number, { overlapHours }: RotateToken): void {
  if (count >= MAX_SECRETS && overlapHours > 0)
    throw new Conflict(
      'token_rotated_often',
      `overlapHours must be 0, which ends all earlier secrets, because this token already has ${MAX_SECRETS} that work.`,
      { field: 'overlapHours' },
    );
}
