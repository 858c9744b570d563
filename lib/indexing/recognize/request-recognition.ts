import type { Clock } from '../../ports/clock.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Records } from '../../ports/records.ts';
import { sendIndex } from '../enqueue.ts';
import { isMessageLost, storeStep } from '../steps.ts';
import { firstPending, type PendingRecognition, pendingRecognitions, recognitionRuns } from './schema.ts';

/**
 * Milliseconds without a step after which a message counts as lost, and the next request resumes its work.
 */
const LOST_MS = 10 * 60_000;

export interface RecognitionPorts {
  records: Records;
  indexQueue: Queue;
  clock: Clock;
}

/** Queues a file's pages for OCR, behind those that already wait. */
export async function requestRecognition(
  ports: RecognitionPorts,
  pending: PendingRecognition,
): Promise<void> {
  await pendingRecognitions.put(ports.records, pending);
  await startRecognition(ports, pending);
}

/** Resumes waiting pages after a lost message, or after the OCR engine was unavailable. */
export async function resumeRecognition(ports: RecognitionPorts, workspaceId: string): Promise<void> {
  const pending = await firstPending(ports.records, workspaceId);
  if (pending !== undefined) await startRecognition(ports, pending);
}

/** Starts OCR with a waiting file. */
async function startRecognition(
  ports: RecognitionPorts,
  { workspaceId, path, pages, pagesRead }: PendingRecognition,
): Promise<void> {
  const run = await recognitionRuns.get(ports.records, { workspaceId });
  if (run?.active && !isMessageLost(run, ports.clock, LOST_MS)) return;
  const step = (run?.step ?? 0) + 1;
  const begun = { workspaceId, step, active: true, path, pages: pages.length, pagesRead };
  const send = () => sendStep(ports.indexQueue, workspaceId, step);
  await storeStep(ports, recognitionRuns, run, begun, { send });
}

export async function sendStep(indexQueue: Queue, workspaceId: string, step: number): Promise<void> {
  await sendIndex(indexQueue, workspaceId, [{ kind: 'recognize', workspaceId, step }]);
}
