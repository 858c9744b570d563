import { LEFT_TO_CALLS_BYTES, withDiskReserve } from '../../async/disk-reserve.ts';
import { ifExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { handleDownloadMessage } from '../download/handle-download-message.ts';
import { failedDownload } from '../download/plan.ts';
import type { DownloadPorts } from '../download/ports.ts';
import { changeWhile } from '../download/progress.ts';
import type { DatasetMessage } from '../schema.ts';
import { workBuild } from './import-local.ts';
import { workRefresh } from './refresh.ts';
import { removeDataset } from './remove.ts';

/** Fails a download whose messages loop; `retry` restarts it. Any other work is only logged. */
export async function endDatasetWork(
  ports: TimedRecords,
  message: DatasetMessage,
  reason: string,
): Promise<void> {
  if (message.kind === 'remove') return;
  const running = { id: message.datasetId, generation: message.generation };
  await ifExpected(
    changeWhile(ports, running, failedDownload(`The download was stopped: ${reason}. Retry it.`)),
  );
}

/** Handles a message of the dataset worker within a time limit, and sends the rest on. */
export async function handleDatasetMessage(
  ports: DownloadPorts,
  message: DatasetMessage,
  timeMs: number,
): Promise<void> {
  switch (message.kind) {
    case 'build':
      return workBuild(ports, message, timeMs);
    case 'refresh':
      return workRefresh(ports, message, timeMs);
    case 'remove':
      return withDiskReserve(() => removeDataset(ports, message), LEFT_TO_CALLS_BYTES);
    default:
      return handleDownloadMessage(ports, message, timeMs);
  }
}
