import { backOffDelay } from '../../async/retry.ts';
import { type Due, forEachDue } from '../../leases/due.ts';
import type { DatasetPorts } from '../ports.ts';
import { datasets } from '../schema.ts';
import { sendMessages } from '../steps/send-messages.ts';
import { WATCHED, type Watch, watches, watchSort } from './records.ts';

const AGAIN_MS = 60_000;
const MAX_AGAIN_MS = 60 * 60_000;

type SweepPorts = Pick<DatasetPorts, 'records' | 'clock' | 'datasetQueue'>;

/**
 * For the scheduler tick: sends the messages of a download again if it has had no active worker for a while,
 * less and less often, because it may only be waiting for others. Reads only due downloads.
 */
export async function sweepDownloads(ports: SweepPorts): Promise<void> {
  const { records, clock } = ports;
  const due: Due<Watch, { datasetId: string }> = {
    collection: watches,
    query: { partition: WATCHED, to: watchSort(clock.now()) },
    isDue: ({ until }) => until <= clock.now(),
    failure: 'a download could not be swept',
    about: ({ datasetId }) => ({ datasetId }),
  };
  await forEachDue(records, due, (found, readAgain) => sweepDownload(ports, found.datasetId, readAgain));
}

async function sweepDownload(
  ports: SweepPorts,
  datasetId: string,
  readAgain: () => Promise<Watch | undefined>,
): Promise<void> {
  const { records, clock } = ports;
  const dataset = await datasets.get(records, { id: datasetId });
  const watch = await readAgain();
  if (watch === undefined) return;
  if (dataset === undefined || (dataset.status !== 'downloading' && dataset.status !== 'pending')) {
    await watches.delete(records, { datasetId }, { until: watch.until });
    return;
  }
  await sendMessages(ports, [{ kind: 'plan', datasetId, generation: dataset.generation }]);
  const until = clock.now() + backOffDelay(watch.silences + 1, AGAIN_MS, MAX_AGAIN_MS);
  await watches.put(records, { ...watch, until, silences: watch.silences + 1 }, { until: watch.until });
}
