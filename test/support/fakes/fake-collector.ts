import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenDone } from '../temp-folder.ts';

/** A span in OTLP's JSON, as far as tests use it. */
export interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: unknown }[];
}

/**
 * A trace collector (OTLP over HTTP, as JSON). A silent one accepts requests and never responds. Ended after
 * the test file. https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export async function startFakeCollector({ silent = false } = {}) {
  const spans: SentSpan[] = [];
  const seen = { requests: 0, text: '' };
  const server = createServer(async (request, response) => {
    seen.requests += 1;
    let text = '';
    for await (const chunk of request) text += chunk;
    if (silent) return;
    seen.text += text;
    for (const { scopeSpans } of JSON.parse(text).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, seen };
}

/** Returns the names from the root of its trace to the span. */
export function pathOf(spans: SentSpan[], span: SentSpan): string[] {
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return above === undefined ? [span.name] : [...pathOf(spans, above), span.name];
}
