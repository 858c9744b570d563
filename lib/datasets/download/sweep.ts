import { log } from '../../log.ts';
import type { DatasetPorts } from '../ports.ts';
import { datasets } from '../schema.ts';
import { sendMessages } from '../steps/send-messages.ts';
import { WATCHED, watches, watchSort } from './records.ts';

const TICK_PAGE = 100;
const AGAIN_MS = 60_000;
const MAX_AGAIN_MS = 60 * 60_000;

/**
 * For the minute tick: a download without an active worker for a while gets its messages again, less and less often,
 * because it may only wait behind others. Reads only what is due.
 */
export async function sweepDownloads(
  ports: Pick<DatasetPorts, 'records' | 'clock' | 'datasetQueue'>,
): Promise<void> {
  const { records, clock } = ports;
  const due = { partition: WATCHED, byIndex: true, to: watchSort(clock.now()), limit: TICK_PAGE };
  for await (const watch of watches.all(records, due)) {
    try {
      await sweepDownload(ports, watch);
    } catch (error) {
      log.error('a download could not be swept', { datasetId: watch.datasetId }, error);
    }
  }
}

async function sweepDownload(
  ports: Pick<DatasetPorts, 'records' | 'clock' | 'datasetQueue'>,
  { datasetId, silences }: { datasetId: string; silences: number },
): Promise<void> {
  const { records, clock } = ports;
  const dataset = await datasets.get(records, { id: datasetId });
  const watch = await watches.get(records, { datasetId });
  if (watch === undefined || watch.until > clock.now()) return; // the index lags
  if (dataset === undefined || (dataset.status !== 'downloading' && dataset.status !== 'pending')) {
    await watches.delete(records, { datasetId }, { until: watch.until });
    return;
  }
  await sendMessages(ports, [{ kind: 'plan', datasetId, generation: dataset.generation }]);
  const until = clock.now() + Math.min(AGAIN_MS * 2 ** silences, MAX_AGAIN_MS);
  await watches.put(records, { ...watch, until, silences: silences + 1 }, { until: watch.until });
}
