import { Incomplete, jitteredDelay, retry } from '../../async/retry.ts';

/** SQS takes this many entries in one request. */
export const BATCH_ENTRIES = 10;
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 150;

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
  const sendRest = async () => {
    const failures = await request(left);
    if (failures.length === 0) return;
    const failed = new Set(failures.map(({ Id }) => Id));
    left = left.filter(({ Id }) => failed.has(Id));
    throw refused(failures);
  };
  await retry(sendRest, {
    maxTries: MAX_TRIES,
    waitAfter: (error, tries) =>
      error instanceof Incomplete ? jitteredDelay(tries, FIRST_PAUSE_MS) : undefined,
  });
}

function refused(failures: EntryFailure[]): Error {
  const codes = [...new Set(failures.map(({ Code }) => Code))].join(', ');
  const isFinal = failures.some(({ SenderFault }) => SenderFault);
  const Refusal = isFinal ? Error : Incomplete;
  return new Refusal(`SQS did not accept ${failures.length} entries of a batch: ${codes}`);
}
