import type { Caller } from '../access/caller.ts';
import { newId } from '../identifiers.ts';
import { knownError } from '../known-error.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { toLine } from '../text/one-line.ts';
import { type AuditAction, type AuditEntry, auditEntries } from './schema.ts';

const MAX_ABOUT = 2000;
const MAX_ACTOR = 300;

export interface AuditedAction {
  action: AuditAction;
  workspaceId?: string | null | undefined;
  about?: string | undefined;
}

/**
 * Performs an action that an administrator must be able to find later. Logs the action before it starts, so
 * that an entry exists even if the process dies; without an entry, it doesn't start. The outcome is added
 * afterwards. If adding it fails, the failure is only logged.
 */
export async function audited<Answer>(
  ports: TimedRecords,
  caller: Caller,
  action: AuditedAction,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const entry = entryOf(ports, caller, action);
  await auditEntries.create(ports.records, entry);
  try {
    const answer = await work();
    await settle(ports, entry, { outcome: 'done', ...placeOf(entry, caller) });
    return answer;
  } catch (error) {
    const status = knownError(error)?.status ?? 500;
    const outcome = status < 500 ? 'refused' : 'failed';
    await settle(ports, entry, { outcome, status, ...placeOf(entry, caller) });
    throw error;
  }
}

function entryOf(ports: TimedRecords, caller: Caller, audited: AuditedAction): AuditEntry {
  return {
    id: newId(),
    at: timestamp(ports.clock),
    actor: toLine(caller.id, MAX_ACTOR),
    role: caller.role,
    action: audited.action,
    workspaceId: audited.workspaceId ?? null,
    about: audited.about === undefined ? null : toLine(audited.about, MAX_ABOUT),
    outcome: 'begun',
    status: null,
    address: caller.address ?? null,
  };
}

/** Adds the workspace of an object with its own ID, once the object has been found. */
function placeOf({ workspaceId }: AuditEntry, { visited }: Caller): Pick<AuditEntry, 'workspaceId'> {
  const [only, ...others] = visited ?? [];
  return { workspaceId: workspaceId ?? (others.length === 0 ? (only ?? null) : null) };
}

async function settle(
  { records }: TimedRecords,
  entry: AuditEntry,
  set: Partial<Pick<AuditEntry, 'outcome' | 'status' | 'workspaceId'>>,
): Promise<void> {
  try {
    await auditEntries.update(records, entry, { set });
  } catch (error) {
    log.error('the end of an audited action was not noted', { entryId: entry.id }, error);
  }
}
