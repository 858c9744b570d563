import { stageName } from './config.ts';
import type { LogFields } from './log.ts';

const NAMESPACE = 'WorkspaceResearch';

/**
 * Counts something that a person may have to look at: a log line of which CloudWatch makes a metric of the stage (its
 * embedded metric format), without a call. On one machine it is a line like any other.
 */
export function countMetric(metric: string, message: string, fields: LogFields = {}): void {
  const now = new Date();
  const described = {
    Namespace: NAMESPACE,
    Dimensions: [['Stage']],
    Metrics: [{ Name: metric, Unit: 'Count' }],
  };
  const line = {
    time: now.toISOString(),
    level: 'error',
    message,
    ...fields,
    Stage: stageName(),
    [metric]: 1,
    _aws: { Timestamp: now.getTime(), CloudWatchMetrics: [described] },
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
