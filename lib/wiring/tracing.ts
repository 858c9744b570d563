import type { Config } from '../config.ts';
import { isTraced, useTracer } from '../telemetry/trace.ts';

/**
 * Starts tracing if the configuration names a collector. The tracing code is loaded only then, so that it costs no memory or
 * start time otherwise.
 */
export async function openTraces({ traces, stage, deployed }: Config): Promise<void> {
  if (traces === undefined || isTraced()) return;
  const { opentelemetryTracer } = await import('../adapters/opentelemetry/tracer.ts');
  const { serviceName: name, ratio, ...collector } = traces;
  useTracer(opentelemetryTracer({ collector, service: { name, stage }, ratio, freezes: deployed }));
}
