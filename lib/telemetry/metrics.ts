/** What is counted for an alarm (infra/alarms.yml), because no answer's status tells of it. */
export const COUNTERS = ['ProviderFailures', 'RunFailures', 'StreamFailures', 'RecordsSetAside'] as const;
export type Counter = (typeof COUNTERS)[number];

export const NAMESPACE = 'WorkspaceResearch';

let stage: string | undefined;

/** Counts are written for this stage from now on. A single machine has the lines of the log. */
export function countFor(name: string | undefined): void {
  stage = name;
}

/**
 * Counts one more, as a line of the log in CloudWatch's embedded metric format, which becomes a metric without a call
 * and without a right. `fields` can be searched for; they are no dimensions, for each value of one would be a metric
 * that costs.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function count(counter: Counter, fields: Record<string, string> = {}): void {
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
