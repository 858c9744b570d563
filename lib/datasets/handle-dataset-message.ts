import { handleDownloadMessage } from './download/handle-download-message.ts';
import type { DownloadPorts } from './download/ports.ts';
import { workBuild } from './import-local.ts';
import { workRefresh } from './refresh.ts';
import { removeDataset } from './remove.ts';
import type { DatasetMessage } from './schema.ts';

/** What the dataset worker does with a message, within a time; the rest is sent on. */
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
      return removeDataset(ports, message);
    default:
      return handleDownloadMessage(ports, message, timeMs);
  }
}
