import { Incomplete, jitteredDelay, retry } from '../../async/retry.ts';

/** Maximum entries that SQS accepts in one request. */
export const BATCH_ENTRIES = 10;
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 150;

interface Entry {
  Id?: string | undefined;
}

/** SQS's result for a rejected entry. */
export interface EntryFailure extends Entry {
  Code?: string | undefined;
  SenderFault?: boolean | undefined;
}

/**
 * Sends one batch request, which may succeed even if single entries fail; these are retried with backoff.
 * Throws if an entry is refused permanently, or still fails at the end.
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
