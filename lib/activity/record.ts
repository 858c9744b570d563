import { newId } from '../identifiers.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { beginning } from '../text/cut-text.ts';
import { type Activity, activities } from './schema.ts';

/** The actor of changes that no person requested, such as those of workers and scheduled tasks. */
export const SERVICE = 'service';

const MAX_SUMMARY = 300;
const MAX_DETAIL = 1000;

export type NewActivity = Pick<Activity, 'workspaceId' | 'kind' | 'actor' | 'summary'> & {
  details?: Activity['details'];
  /** Set this if the same activity may be recorded twice, so that it is stored once. */
  id?: string;
};

/** Records an activity. Never throws, so it can run next to the write that it describes without failing the request. */
export async function recordActivity(
  { records, clock }: TimedRecords,
  { id, workspaceId, kind, actor, summary, details = {} }: NewActivity,
): Promise<void> {
  try {
    await activities.create(records, {
      id: id ?? newId(),
      workspaceId,
      kind,
      actor,
      summary: oneLine(summary, MAX_SUMMARY),
      details: Object.fromEntries(Object.entries(details).map(([name, value]) => [name, cutDetail(value)])),
      createdAt: timestamp(clock),
    });
  } catch (error) {
    log.error('an activity was not recorded', { workspaceId, kind }, error);
  }
}

/** Returns a text as one line, truncated if it's long. */
export function oneLine(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${beginning(line, length - 1).toWellFormed()}…`;
}

function cutDetail(value: Activity['details'][string]): Activity['details'][string] {
  return typeof value === 'string' ? beginning(value, MAX_DETAIL).toWellFormed() : value;
}
