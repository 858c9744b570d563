import type { Metric, Point } from '../../telemetry/metric.ts';
import type { Collector } from './span-sender.ts';

const TIMEOUT_MS = 5_000;
const CUMULATIVE = 2;

interface Sender {
  collector: Collector;
  service: { name: string; stage: string };
  /** When the counters started, in milliseconds since the epoch. */
  startedAt: number;
}

/**
 * Sends metrics as OTLP's JSON over HTTP. Throws if the collector doesn't accept them.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export async function sendMetrics(
  { collector, service, startedAt }: Sender,
  metrics: Metric[],
  now: number,
): Promise<void> {
  const url = `${collector.endpoint.replace(/(?<!\/)\/+$/, '')}/v1/metrics`;
  const times = { startTimeUnixNano: toNanos(startedAt), timeUnixNano: toNanos(now) };
  const resource = {
    attributes: attributesOf({ 'service.name': service.name, 'deployment.environment.name': service.stage }),
  };
  const scopeMetrics = [
    { scope: { name: 'workspace-research' }, metrics: metrics.map((metric) => toOtlp(metric, times)) },
  ];
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...collector.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics }] }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The collector answered ${response.status}.`);
}

function toNanos(milliseconds: number): string {
  return `${Math.round(milliseconds)}000000`;
}

function toOtlp({ name, help, type, points }: Metric, times: object) {
  const dataPoints = points.map(({ labels = {}, value }: Point) => ({
    ...times,
    attributes: attributesOf(labels),
    asDouble: value,
  }));
  const data =
    type === 'gauge'
      ? { gauge: { dataPoints } }
      : { sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } };
  return { name, description: help, ...data };
}

function attributesOf(labels: Record<string, string>) {
  return Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: value } }));
}
