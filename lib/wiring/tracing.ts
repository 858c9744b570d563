import type { Config } from '../config.ts';
import { isTraced, useTracer } from '../telemetry/trace.ts';

/**
 * Enables traces if the configuration names a collector. The SDK is loaded only then: no function is larger in
 * memory, or slower to start, for traces that no one needs.
 */
export async function openTraces({ traces, stage, deployed }: Config): Promise<void> {
  if (traces === undefined || isTraced()) return;
  const { opentelemetryTracer } = await import('../adapters/opentelemetry/tracer.ts');
  const { serviceName: name, ratio, ...collector } = traces;
  useTracer(opentelemetryTracer({ collector, service: { name, stage }, ratio, freezes: deployed }));
}
