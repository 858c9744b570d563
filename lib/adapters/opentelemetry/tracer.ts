import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { waitUntil } from '../../async/after-response.ts';
import { ServiceError } from '../../errors.ts';
import type { Span, SpanKind, SpanOptions, TraceFields, Tracer } from '../../telemetry/trace.ts';
import { type Collector, spanSender } from './span-sender.ts';

export interface TraceSettings {
  collector: Collector;
  /** The name and stage of the service in its spans. */
  service: { name: string; stage: string };
  /** The share of traces that are recorded. */
  ratio: number;
  /** True if the process is frozen after a response, so that spans must be sent before. */
  freezes: boolean;
}

const KINDS: Record<SpanKind, OtelSpanKind> = {
  server: OtelSpanKind.SERVER,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
};

/**
 * Records the service's own spans through OpenTelemetry's SDK. Automatic instrumentation isn't used, because
 * it can't patch bundled modules.
 */
export function opentelemetryTracer({ collector, service, ratio, freezes }: TraceSettings): Tracer {
  const sender = spanSender(collector);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service.name,
      'deployment.environment.name': service.stage,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [sender.processor],
  });
  const spans = provider.getTracer('workspace-research');
  const current = new AsyncLocalStorage<Context>();
  let open = 0;
  const closed = () => {
    open -= 1;
    if (freezes && open === 0) waitUntil('sending traces', sender.flush());
  };
  return {
    start(name, { kind = 'internal', fields = {}, parents = [] }: SpanOptions): Span {
      const [parent, ...others] = parents.flatMap((text) => readTraceparent(text) ?? []);
      const above = parent === undefined ? current.getStore() : trace.setSpanContext(ROOT_CONTEXT, parent);
      const links = others.map((context) => ({ context }));
      const options = { kind: KINDS[kind], attributes: fields, links };
      const span = spans.startSpan(name, options, above ?? ROOT_CONTEXT);
      const inside = trace.setSpan(above ?? ROOT_CONTEXT, span);
      open += 1;
      return {
        traceparent: writeTraceparent(span.spanContext()),
        run: (work) => current.run(inside, work),
        end(more, error) {
          endSpan(span, more, error);
          closed();
        },
      };
    },
  };
}

function endSpan(span: OtelSpan, fields: TraceFields = {}, error?: unknown): void {
  span.setAttributes(fields);
  if (error !== undefined) span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
  if (error !== undefined && !isRefusal(error)) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Returns whether the caller caused the error, so that it isn't a failure of the service. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.status < 500;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Returns the header: https://www.w3.org/TR/trace-context/#traceparent-header */
function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function readTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}
