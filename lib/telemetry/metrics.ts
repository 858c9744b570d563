import type { LogFields } from '../log.ts';

/** Counters for alarms (infra/alarms.yml): failures that response statuses don't show. */
export const COUNTERS = ['ProviderFailures', 'RunFailures', 'StreamFailures', 'RecordsSetAside'] as const;
export type Counter = (typeof COUNTERS)[number];

export const NAMESPACE = 'WorkspaceResearch';

let stage: string | undefined;

/** Enables the counters of this stage. A single host doesn't call this, because its log lines are enough. */
export function countFor(name: string | undefined): void {
  stage = name;
}

/**
 * Adds one to a counter, as a log line in CloudWatch's embedded metric format. The line becomes a metric
 * without an API call or a permission. `fields` can be searched; they aren't dimensions, because each value
 * of a dimension is billed as a metric.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function count(counter: Counter, fields: LogFields = {}): void {
  if (stage === undefined) return;
  const metric = {
    Namespace: NAMESPACE,
    Dimensions: [['stage']],
    Metrics: [{ Name: counter, Unit: 'Count' }],
  };
  const line = {
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: [metric] },
    stage,
    [counter]: 1,
    ...fields,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
