import type { Config } from '../config.ts';
import { silentSyncs } from '../indexing/fail-stalled-syncs.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { currentPrices, currentRoots } from '../settings/with-settings.ts';
import { hostMetrics } from '../system/host-metrics.ts';
import { readLastBackup } from '../system/last-backup.ts';
import { hostWatch } from '../system/watch-host.ts';
import type { Metric } from '../telemetry/metric.ts';
import { measureUse } from '../usage/budgets/list.ts';
import { openDataFolder } from './storage.ts';

/** Opens the metrics of a single host; undefined on AWS, where CloudWatch has them. */
export async function openHostMetrics(
  config: Config,
  { records, clock }: TimedRecords,
  version: string,
): Promise<(() => Promise<Metric[]>) | undefined> {
  const { dataDir } = config;
  const { measureData, measureQueues } = await openDataFolder(config, records);
  if (measureData === undefined || measureQueues === undefined) return undefined;
  const ports = {
    version,
    measureQueues: () => measureQueues(clock.now()),
    measureData,
    silentSyncs: () => silentSyncs({ records, clock }),
    measureUse: async () => measureUse({ records, clock, prices: await currentPrices(records, config) }),
    lastBackup: () => readLastBackup(dataDir),
  };
  return async () => {
    const folders = [...new Set([dataDir, ...(await currentRoots(records, config))])];
    return hostMetrics({ ...ports, folders });
  };
}

/**
 * Opens the watch of a single host, which reports conditions that an operator should know about; undefined on
 * AWS.
 */
export async function openHostWatch(
  config: Config,
  { records, clock }: TimedRecords,
): Promise<(() => Promise<void>) | undefined> {
  const { dataDir, backupDueDays } = config;
  const { watchDisk, measureQueues } = await openDataFolder(config, records);
  if (watchDisk === undefined || measureQueues === undefined) return undefined;
  return hostWatch({
    clock,
    measureQueues: () => measureQueues(clock.now()),
    watchDisk,
    lastBackup: () => readLastBackup(dataDir),
    backupDueDays,
  });
}
