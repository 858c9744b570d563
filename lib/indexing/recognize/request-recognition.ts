import { type Clock, timestamp } from '../../ports/clock.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Records } from '../../ports/records.ts';
import { sendIndex } from '../enqueue.ts';
import { firstPending, type PendingRecognition, pendingRecognitions, recognitionRuns } from './schema.ts';

/** Its message counts as lost after this long without a step: the next request resumes it. */
const LOST_MS = 10 * 60_000;

export interface RecognitionPorts {
  records: Records;
  indexQueue: Queue;
  clock: Clock;
}

/** Queues pages of a file for OCR, after those that wait already. */
export async function requestRecognition(
  ports: RecognitionPorts,
  pending: PendingRecognition,
): Promise<void> {
  await pendingRecognitions.put(ports.records, pending);
  await startRecognition(ports, pending);
}

/** Resumes what was left when a message was lost, or the recognizer unavailable. */
export async function resumeRecognition(ports: RecognitionPorts, workspaceId: string): Promise<void> {
  const pending = await firstPending(ports.records, workspaceId);
  if (pending !== undefined) await startRecognition(ports, pending);
}

/**
 * Begins with a file that waits. The message goes out before its step is kept, so that a process cut short in between
 * has still begun it.
 */
async function startRecognition(
  { records, indexQueue, clock }: RecognitionPorts,
  { workspaceId, path, pages, pagesRead }: PendingRecognition,
): Promise<void> {
  const run = await recognitionRuns.get(records, { workspaceId });
  const isAlive = run?.active && clock.now() - Date.parse(run.heartbeatAt) < LOST_MS;
  if (isAlive) return;
  const step = (run?.step ?? 0) + 1;
  await sendStep(indexQueue, workspaceId, step);
  const place = { path, pages: pages.length, pagesRead };
  const begun = { workspaceId, step, active: true, ...place, heartbeatAt: timestamp(clock) };
  if (run === undefined) await recognitionRuns.create(records, begun);
  else await recognitionRuns.put(records, begun, { step: run.step });
}

export async function sendStep(indexQueue: Queue, workspaceId: string, step: number): Promise<void> {
  await sendIndex(indexQueue, workspaceId, [{ kind: 'recognize', workspaceId, step }]);
}
