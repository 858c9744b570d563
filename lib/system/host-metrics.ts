import { readdir, readFile } from 'node:fs/promises';
import type { QueueState } from '../ports/queue.ts';
import { eventCounts } from '../telemetry/events.ts';
import type { Metric, Point } from '../telemetry/metric.ts';
import { diskSpace } from './disk-space.ts';
import type { DataUse } from './schema.ts';

/** The usage of this month. */
interface MeasuredUse {
  tokens: number;
  costUsd: number;
  /** The used share of each budget. */
  budgets: { scope: string; id: string; share: number }[];
}

export interface HostMetricPorts {
  version: string;
  /** Folders whose disks are measured. */
  folders: string[];
  measureQueues(): QueueState[];
  measureData(): Promise<DataUse>;
  /** Returns for how many seconds each running sync has been silent. */
  silentSyncs(): Promise<number[]>;
  measureUse(): Promise<MeasuredUse>;
  /** In milliseconds since the epoch. */
  lastBackup(): Promise<number | undefined>;
}

/** Returns the metrics of a single host: those that AWS's alarms use, and those of the process. */
export async function hostMetrics(ports: HostMetricPorts): Promise<Metric[]> {
  const [disks, data, syncs, use, backup, ofProcess] = await Promise.all([
    diskMetrics(ports.folders),
    ports.measureData(),
    ports.silentSyncs(),
    ports.measureUse(),
    ports.lastBackup(),
    processMetrics(),
  ]);
  return [
    {
      ...gauge('wrs_info', 'Release of the service.', 1),
      points: [{ labels: { version: ports.version }, value: 1 }],
    },
    eventMetric(),
    ...queueMetrics(ports.measureQueues()),
    gauge('wrs_syncs_running', 'Running syncs.', syncs.length),
    gauge(
      'wrs_sync_silent_seconds',
      'Longest time without progress of a running sync.',
      Math.max(0, ...syncs),
    ),
    series('wrs_budget_used_ratio', 'Used share of a monthly budget.', use.budgets.map(toBudgetPoint)),
    gauge('wrs_month_tokens', 'Tokens used in this month (UTC).', use.tokens),
    gauge('wrs_month_cost_usd', 'Cost of this month (UTC) for models that have a price.', use.costUsd),
    ...disks,
    series(
      'wrs_data_bytes',
      'Size of a part of the data folder.',
      data.parts.map(({ name, bytes }) => ({ labels: { part: name }, value: bytes })),
    ),
    gauge(
      'wrs_last_backup_timestamp_seconds',
      'Time of the latest backup since the epoch. 0 if there is none.',
      (backup ?? 0) / 1000,
    ),
    ...ofProcess,
  ];
}

function series(name: string, help: string, points: Point[]): Metric {
  return { name, help, type: 'gauge', points };
}

function eventMetric(): Metric {
  const points = eventCounts().map(([event, value]) => ({ labels: { event }, value }));
  return { ...series('wrs_events_total', 'Events since the start, by name.', points), type: 'counter' };
}

function queueMetrics(queues: QueueState[]): Metric[] {
  const live = queues.filter(({ isDead }) => !isDead);
  const dead = queues.filter(({ isDead }) => isDead);
  const perQueue = (from: QueueState[], read: (queue: QueueState) => number) =>
    from.map((queue) => ({ labels: { queue: queue.name }, value: read(queue) }));
  return [
    series(
      'wrs_queue_waiting',
      'Messages that wait for a worker.',
      perQueue(live, ({ waiting }) => waiting),
    ),
    series(
      'wrs_queue_hidden',
      'Messages in progress, or waiting for another attempt.',
      perQueue(live, ({ hidden }) => hidden),
    ),
    series(
      'wrs_queue_oldest_seconds',
      'Time that the oldest message has waited for a worker.',
      perQueue(live, ({ waitsSeconds }) => waitsSeconds),
    ),
    series(
      'wrs_dead_letters',
      'Messages that failed too often.',
      perQueue(dead, ({ waiting, hidden }) => waiting + hidden),
    ),
  ];
}

function toBudgetPoint({ scope, id, share }: MeasuredUse['budgets'][number]): Point {
  return { labels: { scope, id }, value: share };
}

async function diskMetrics(folders: string[]): Promise<Metric[]> {
  const disks = await Promise.all(
    folders.map(async (folder) => ({
      labels: { folder },
      stats: await diskSpace(folder),
    })),
  );
  const points = (read: (stats: { bsize: number; blocks: number; bavail: number }) => number) =>
    disks.flatMap(({ labels, stats }) => (stats === undefined ? [] : [{ labels, value: read(stats) }]));
  return [
    series(
      'wrs_disk_free_bytes',
      'Free space of a folder.',
      points(({ bsize, bavail }) => bsize * bavail),
    ),
    series(
      'wrs_disk_size_bytes',
      'Size of the disk of a folder.',
      points(({ bsize, blocks }) => bsize * blocks),
    ),
  ];
}

/** Returns the metrics of this process, with the names that Prometheus's own client libraries use. */
async function processMetrics(): Promise<Metric[]> {
  const [open, limits, status] = await Promise.all([
    readdir('/proc/self/fd').catch(() => undefined),
    readFile('/proc/self/limits', 'utf8').catch(() => ''),
    readFile('/proc/self/status', 'utf8').catch(() => ''),
  ]);
  const { user, system } = process.cpuUsage();
  return [
    gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    gauge('process_open_fds', 'Open file descriptors.', open?.length),
    gauge('process_max_fds', 'Limit of open file descriptors.', numberIn(limits, /^Max open files\s+(\d+)/m)),
    gauge('process_threads', 'Threads.', numberIn(status, /^Threads:\s+(\d+)/m)),
    { ...gauge('process_cpu_seconds_total', 'CPU time.', (user + system) / 1e6), type: 'counter' },
    gauge('process_start_time_seconds', 'Start time since the epoch.', Date.now() / 1000 - process.uptime()),
  ];
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Without a value, such as on macOS, the metric has no points. */
function gauge(name: string, help: string, value: number | undefined): Metric {
  return { name, help, type: 'gauge', points: value === undefined ? [] : [{ value }] };
}
