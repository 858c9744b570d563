import { repeat } from '../../lib/async/repeat.ts';
import type { Config } from '../../lib/config.ts';
import { log } from '../../lib/log.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { countEvents } from '../../lib/telemetry/events.ts';
import { openHostMetrics, openHostWatch } from '../../lib/wiring/host-metrics.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openMetricSender } from '../../lib/wiring/tracing.ts';
import packageFile from '../../package.json' with { type: 'json' };

const EVERY_MS = 60_000;

/**
 * Counts events for the metrics. Each minute, reports conditions and sends the metrics to a collector.
 * Returns the timer; undefined if AWS monitors the data.
 */
export async function startMonitoring(config: Config): Promise<NodeJS.Timeout[]> {
  if (config.aws !== undefined) return [];
  countEvents();
  const ports = { records: await openRecords(config), clock: systemClock };
  const watch = await openHostWatch(config, ports);
  const measure = await openHostMetrics(config, ports, packageFile.version);
  const send = await openMetricSender(config);
  const work = async () => {
    await watch?.();
    if (send !== undefined && measure !== undefined) await send(await measure());
  };
  return [repeat(EVERY_MS, work, (error) => log.warn('monitoring failed', {}, error))];
}
