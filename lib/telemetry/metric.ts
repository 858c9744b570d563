/** A metric at one moment, with one value per set of labels. */
export interface Metric {
  name: string;
  help: string;
  /** A counter only grows while the process lives. */
  type: 'counter' | 'gauge';
  points: Point[];
}

export interface Point {
  labels?: Record<string, string>;
  value: number;
}

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Returns metrics in Prometheus's text format:
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function toPrometheus(metrics: Metric[]): string {
  return metrics.map(describeMetric).join('');
}

function describeMetric({ name, help, type, points }: Metric): string {
  const lines = points.map(({ labels = {}, value }) => `${name}${describeLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function describeLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
