import { Conflict, NotFound } from '../../errors.ts';
import { ExpectationFailed } from '../../ports/records.ts';
import { TimeUp } from '../download/copy-stream.ts';
import { remeasure } from '../manifest/finish.ts';
import type { DatasetPorts } from '../ports.ts';
import type { Dataset, DatasetMessage } from '../schema.ts';
import { sendMessages } from './send-messages.ts';
import { requireState } from './transitions.ts';

/** Milliseconds per call. The worker does the rest for a larger dataset. */
const CALL_MS = 10_000;

/**
 * Updates the manifest and stats from the files on disk. `done` is false if the worker continues. Throws
 * Conflict.
 */
export async function refreshDataset(
  ports: DatasetPorts,
  dataset: Dataset,
): Promise<{ dataset: Dataset; done: boolean }> {
  requireState(dataset, 'refresh');
  try {
    return { dataset: await remeasure(ports, dataset, Date.now() + CALL_MS), done: true };
  } catch (error) {
    if (error instanceof TimeUp) {
      await sendMessages(ports, [messageOf(dataset)]);
      return { dataset, done: false };
    }
    if (error instanceof ExpectationFailed)
      throw new Conflict('changed_since_read', 'The dataset was changed in the meantime. Try again.');
    if (isMissing(error) && !(error instanceof Conflict))
      throw new Conflict('dataset_files_missing', 'The files of the dataset are missing.');
    throw error;
  }
}

/** For the worker: continues a refresh. */
export async function workRefresh(
  ports: DatasetPorts,
  { datasetId, generation }: { datasetId: string; generation: number },
  timeMs: number,
): Promise<void> {
  try {
    await remeasure(ports, { id: datasetId, generation }, Date.now() + timeMs);
  } catch (error) {
    if (error instanceof ExpectationFailed || isMissing(error)) return;
    if (!(error instanceof TimeUp)) throw error;
    await sendMessages(ports, [messageOf({ id: datasetId, generation })]);
  }
}

function messageOf({ id, generation }: Pick<Dataset, 'id' | 'generation'>): DatasetMessage {
  return { kind: 'refresh', datasetId: id, generation };
}

export function isMissing(error: unknown): boolean {
  return (
    error instanceof Conflict ||
    error instanceof NotFound ||
    ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
  );
}
