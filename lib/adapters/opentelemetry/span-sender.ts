import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { withTimeout } from '../../async/with-timeout.ts';
import { log } from '../../log.ts';

export interface Collector {
  /** The URL without `/v1/traces`, as in OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  headers: Record<string, string>;
}

/** Time limit of one request to the collector, in milliseconds. */
const TIMEOUT_MS = 2000;
/** Milliseconds to wait before an instance is frozen. */
const FLUSH_MS = 500;
/** Milliseconds after a timeout during which spans are dropped instead of sent. */
const REST_MS = 30_000;
const SUCCESS = 0;
const FAILED = 1;

/**
 * Sends spans in batches in the background. An unreachable collector causes one wait per half minute; its
 * spans are lost.
 */
export function spanSender({ endpoint, headers }: Collector): {
  processor: SpanProcessor;
  flush(): Promise<void>;
} {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  const exporter = resting(new OTLPTraceExporter({ url, headers, timeoutMillis: TIMEOUT_MS }));
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: 2048,
    scheduledDelayMillis: 1000,
    exportTimeoutMillis: TIMEOUT_MS,
  });
  return {
    processor,
    async flush() {
      const ended = processor.forceFlush().then(
        () => true,
        () => true,
      );
      if (!(await withTimeout(FLUSH_MS, () => ended))) exporter.rest();
    },
  };
}

/** Wraps an exporter so that it pauses after each failure. Spans during a pause are dropped. */
function resting(exporter: SpanExporter): SpanExporter & { rest(): void } {
  let restsUntil = 0;
  const rest = () => {
    restsUntil = performance.now() + REST_MS;
  };
  return {
    rest,
    export(spans, done) {
      if (performance.now() < restsUntil) return done({ code: SUCCESS });
      exporter.export(spans, (result) => {
        if (result.code === FAILED) {
          rest();
          log.warn('traces were not taken: the collector is let alone for a while', {
            reason: result.error?.name,
          });
        }
        done({ code: SUCCESS }); // the SDK would print the failure
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
