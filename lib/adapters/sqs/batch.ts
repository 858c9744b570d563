import { setTimeout as sleep } from 'node:timers/promises';

/** SQS takes this many entries in one request. */
export const BATCH_ENTRIES = 10;
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;

interface Entry {
  Id?: string | undefined;
}

/** SQS's answer about an entry that it rejected. */
export interface EntryFailure extends Entry {
  Code?: string | undefined;
  SenderFault?: boolean | undefined;
}

/**
 * Makes one batch request, which succeeds as a whole even when single entries fail: those are sent again, with growing
 * pauses. Throws when an entry is refused for what it is, or still fails at the end.
 */
export async function settleBatch<Of extends Entry>(
  entries: Of[],
  request: (entries: Of[]) => Promise<EntryFailure[]>,
): Promise<void> {
  let left = entries;
  for (let attempt = 1; ; attempt++) {
    const failures = await request(left);
    if (failures.length === 0) return;
    if (attempt === ATTEMPTS || failures.some(({ SenderFault }) => SenderFault)) throw refused(failures);
    const failed = new Set(failures.map(({ Id }) => Id));
    left = left.filter(({ Id }) => failed.has(Id));
    await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
  }
}

function refused(failures: EntryFailure[]): Error {
  const codes = [...new Set(failures.map(({ Code }) => Code))].join(', ');
  return new Error(`SQS did not accept ${failures.length} entries of a batch: ${codes}`);
}
