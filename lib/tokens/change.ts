import type { Caller } from '../access/caller.ts';
import { audited } from '../audit/record.ts';
import { InvalidInput } from '../errors.ts';
import { keepPerson } from '../people/remember.ts';
import type { Clock } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { refuseOvertaken } from '../records/change.ts';
import { isValid } from './authorize.ts';
import { whoChanges } from './rights.ts';
import { tokenEnded } from './rotate.ts';
import {
  type ChangeToken,
  isAllowedReach,
  MONITOR_REACH,
  type StoredToken,
  type Token,
  tokens,
} from './schema.ts';
import {
  changeAsRead,
  describeToken,
  findToken,
  readExpiry,
  requireNoMore,
  requireWithin,
} from './tokens.ts';

/**
 * Changes the name, role, workspaces, or expiration of a token, which stays the same caller. Requests have
 * the new rights at once, and work in progress gets them when it checks its rights again. The audit log
 * contains the values before and after, so a token that was changed in the meantime isn't changed again.
 * Throws NotFound, Conflict for a token that has expired or was changed in the meantime, and the InvalidInput
 * and Forbidden of `createToken()`.
 */
export async function changeToken(
  ports: TimedRecords,
  caller: Caller,
  id: string,
  change: ChangeToken,
): Promise<Token> {
  const listed = await findToken(ports.records, id);
  const before = listed && (await tokens.get(ports.records, listed)); // on DynamoDB, the index lags behind
  const about = `${id}${before ? describeChange(before, change) : ''}`;
  return audited(ports, caller, { action: 'tokens.change', about }, async () => {
    const token = await applyChange(ports, caller, requireWithin(caller, before), change);
    const { name, role, workspaceIds } = token;
    await keepPerson(ports, { id, kind: 'token', name, email: null, role, workspaceIds });
    return describeToken(token);
  });
}

async function applyChange(
  { records, clock }: TimedRecords,
  caller: Caller,
  before: StoredToken,
  change: ChangeToken,
): Promise<StoredToken> {
  if (!isValid(before, clock.now())) throw tokenEnded();
  const fields = fieldsOf(clock, change);
  const after = { ...before, ...fields };
  if (!isAllowedReach(after))
    throw new InvalidInput('invalid_value', `workspaceIds ${MONITOR_REACH}.`, { field: 'workspaceIds' });
  requireNoMore(whoChanges(caller, before), after);
  const changed = await changeAsRead(records, before, fields);
  if (changed === undefined) throw refuseOvertaken();
  return changed;
}

function fieldsOf(clock: Clock, { expiresAt, ...change }: ChangeToken): Partial<StoredToken> {
  return { ...change, ...(expiresAt !== undefined && { expiresAt: readExpiry(clock, expiresAt) }) };
}

/**
 * Returns each changed value before and after. The longest one comes last, because the log shortens long
 * texts.
 */
function describeChange(before: StoredToken, change: ChangeToken): string {
  const [was, is] = [before, { ...before, ...change }].map(
    ({ role, expiresAt, name, workspaceIds }): Record<string, string> => ({
      ...{ role, expires: expiresAt ?? 'never', name },
      workspaces: workspaceIds?.join(' ') ?? 'every workspace',
    }),
  );
  const changed = Object.keys(was ?? {}).filter((field) => was?.[field] !== is?.[field]);
  return changed.map((field) => `, ${field} ${was?.[field]} → ${is?.[field]}`).join('');
}
