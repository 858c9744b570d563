import type { Config } from '../config.ts';
import { isTraced, useTracer } from '../telemetry/trace.ts';

/**
 * Turns traces on where the configuration names a collector. What does it is loaded only then: no function is larger in
 * memory, or slower to begin, for traces that nobody looks at.
 */
export async function openTraces({ traces, stage, deployed }: Config): Promise<void> {
  if (traces === undefined || isTraced()) return;
  const { opentelemetryTracer } = await import('../adapters/opentelemetry/tracer.ts');
  const { serviceName: name, ratio, ...collector } = traces;
  useTracer(opentelemetryTracer({ collector, service: { name, stage }, ratio, freezes: deployed }));
}
