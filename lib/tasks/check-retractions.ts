import { sendChecks } from '../indexing/commit/quote-checks.ts';
import { duePages } from '../leases/due.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import type { Papers } from '../ports/papers.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import {
  RETRACTION_CHECKS,
  retractedPapers,
  retractedPartition,
  retractionChecks,
} from '../quotations/records/retractions.ts';
import { listSaved } from '../research/gather/saved-papers.ts';
import { workspaces } from '../workspaces/schema.ts';

const DAY_MS = 24 * 60 * 60_000;
/** DOIs per request. A workspace has at most 2,000 known papers. */
const DOIS_AT_ONCE = 50;

/**
 * For the scheduler tick: calls a worker to check the saved papers of the workspaces that are due, once per
 * day.
 */
export async function askForRetractions(ports: TimedRecords & { taskQueue: Queue }): Promise<void> {
  const { records, clock, taskQueue } = ports;
  // `$` sorts after the `#` that follows the time.
  const query = { partition: RETRACTION_CHECKS, to: `${timestamp(clock)}$` };
  const page = await duePages(records, retractionChecks, query).next();
  const due = page.done ? [] : page.value;
  if (due.length === 0) return;
  await taskQueue.send(
    due.map(({ workspaceId }) => ({ groupId: workspaceId, body: { kind: 'retractions', workspaceId } })),
  );
  const dueAt = timestamp(clock, DAY_MS);
  await retractionChecks.putMany(
    records,
    due.map((check) => ({ ...check, dueAt })),
  );
}

interface RetractionPorts extends TimedRecords {
  papers: Pick<Papers, 'retracted'>;
  touchQueue: Queue;
}

/**
 * Checks which saved papers of a workspace are retracted. If a retraction is new, requests checks of the
 * quotes from that paper. If the source isn't available, the next day's check tries again.
 */
export async function checkRetractions(ports: RetractionPorts, workspaceId: string): Promise<void> {
  const { records, papers, touchQueue } = ports;
  const workspace = await workspaces.get(records, { id: workspaceId });
  if (workspace === undefined) return;
  const kept = (await listSaved(workspace)).flatMap(({ path, source: { doi, arxivId } }) => {
    const known = doi ?? (arxivId && `10.48550/arxiv.${arxivId}`);
    return known ? [{ path, doi: known.toLowerCase() }] : [];
  });
  const retracted = await findRetracted(papers, [...new Set(kept.map(({ doi }) => doi))]);
  if (retracted === undefined) return;
  const paths = kept.map(({ path }) => path);
  const before = await readPaths(records, workspaceId);
  const now = new Set(kept.filter(({ doi }) => retracted.has(doi)).map(({ path }) => path));
  const added = paths.filter((path) => now.has(path) && !before.has(path));
  const removed = paths.filter((path) => before.has(path) && !now.has(path));
  const toId = (path: string) => ({ workspaceId, path });
  await retractedPapers.putMany(records, added.map(toId));
  await retractedPapers.deleteMany(records, removed.map(toId));
  await sendChecks(touchQueue, workspaceId, [...added, ...removed]);
}

/** Returns the retracted DOIs; undefined if the source isn't available now. */
async function findRetracted(
  papers: RetractionPorts['papers'],
  dois: string[],
): Promise<Set<string> | undefined> {
  const retracted = new Set<string>();
  try {
    for (let at = 0; at < dois.length; at += DOIS_AT_ONCE)
      for (const doi of await papers.retracted(dois.slice(at, at + DOIS_AT_ONCE))) retracted.add(doi);
    return retracted;
  } catch (error) {
    log.warn('retractions were not checked', { reason: String(error) });
    return undefined;
  }
}

async function readPaths(records: Records, workspaceId: string): Promise<Set<string>> {
  const paths = new Set<string>();
  for await (const { path } of retractedPapers.all(records, { partition: retractedPartition(workspaceId) }))
    paths.add(path);
  return paths;
}
