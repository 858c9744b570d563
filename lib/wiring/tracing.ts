import type { Config } from '../config.ts';
import type { Metric } from '../telemetry/metric.ts';
import { isTraced, useTracer } from '../telemetry/trace.ts';

/**
 * Starts tracing if the configuration names a collector. The tracing code is loaded only in that case;
 * otherwise, it costs no memory or start time.
 */
export async function openTraces({ traces, stage, deployed }: Config): Promise<void> {
  if (traces === undefined || isTraced()) return;
  const { opentelemetryTracer } = await import('../adapters/opentelemetry/tracer.ts');
  const { serviceName: name, ratio, ...collector } = traces;
  useTracer(opentelemetryTracer({ collector, service: { name, stage }, ratio, freezes: deployed }));
}

/** Opens a function that sends metrics to the collector of the traces; undefined without one. */
export async function openMetricSender({
  traces,
  stage,
}: Config): Promise<((metrics: Metric[]) => Promise<void>) | undefined> {
  if (traces === undefined) return undefined;
  const { sendMetrics } = await import('../adapters/opentelemetry/metric-sender.ts');
  const startedAt = Date.now();
  const sender = { collector: traces, service: { name: traces.serviceName, stage }, startedAt };
  return (metrics) => sendMetrics(sender, metrics, Date.now());
}
