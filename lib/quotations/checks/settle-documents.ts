import { sendChecks } from '../../indexing/commit/quote-checks.ts';
import { duePages } from '../../leases/due.ts';
import { log } from '../../log.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Queue } from '../../ports/queue.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { dropQuotes, storeQuotes } from '../records/keep-quotes.ts';
import { DUE_DOCUMENTS, type QuotingDocument, quotingDocuments } from '../records/schema.ts';
import { readDocument } from './document.ts';

export interface SettlePorts extends TimedRecords {
  touchQueue: Queue;
}

/**
 * The number of documents per tick. A tick has less than a minute for all its tasks, so the next one
 * continues.
 */
const DOCUMENTS_AT_ONCE = 500;
/**
 * Milliseconds after which an announced document that doesn't exist was never written, or has been deleted.
 */
const GIVEN_UP_MS = 60 * 60_000;
const AGAIN_MS = 60_000;

/**
 * For the scheduler tick: has the files of new documents checked, because a file may have changed before the
 * quotes were stored. Also repairs the quotes of a document that differ from the stored ones because a
 * process was killed.
 */
export async function settleDocuments(ports: SettlePorts): Promise<void> {
  // `$` sorts after the `#` that follows the time.
  const query = { partition: DUE_DOCUMENTS, to: `${timestamp(ports.clock)}$` };
  let count = 0;
  for await (const page of duePages(ports.records, quotingDocuments, query)) {
    const documents = await quotingDocuments.getMany(ports.records, page); // the index lags behind
    const settled = documents.filter((each) => each.settled && each.dueAt !== null);
    await checkFiles(ports, settled);
    for (const each of documents) if (!each.settled) await settleOne(ports, each);
    count += page.length;
    if (count >= DOCUMENTS_AT_ONCE) return;
  }
}

/** Requests checks of the quoted files. After an interruption, requests them again. */
async function checkFiles({ records, touchQueue }: SettlePorts, settled: QuotingDocument[]): Promise<void> {
  for (const [workspaceId, some] of Map.groupBy(settled, (each) => each.workspaceId))
    await sendChecks(touchQueue, workspaceId, [...new Set(some.flatMap(({ paths }) => paths))]);
  for (const each of settled)
    await quotingDocuments.patch(records, each, { dueAt: null }, { stamp: each.stamp });
}

async function settleOne(ports: SettlePorts, quoting: QuotingDocument): Promise<void> {
  const { records, clock } = ports;
  const { createdAt, stamp, document } = quoting;
  try {
    const found = await readDocument(records, quoting);
    if (found !== undefined) await storeQuotes(ports, quoting, found.quotes, stamp);
    else if (clock.now() - Date.parse(createdAt) > GIVEN_UP_MS) await dropQuotes(records, [quoting]);
    else await quotingDocuments.patch(records, quoting, { dueAt: timestamp(clock, AGAIN_MS) }, { stamp });
  } catch (error) {
    log.error('the quotes of a document could not be compared', { kind: document.kind }, error);
  }
}
