import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pathOf, type SentSpan, startFakeCollector } from '../../support/fakes/fake-collector.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../../support/sync.ts';

/** Words of the fakes and of the questions. A trace must not contain any of them. */
const SECRETS = ['tawny', 'nocturnal', 'sk-test-key'];

describe('service with a trace collector', () => {
  let provider: FakeOpenai;
  let collector: Awaited<ReturnType<typeof startFakeCollector>>;
  let service: Service;
  let workspaceId: string;

  beforeAll(async () => {
    [provider, collector] = await Promise.all([startFakeOpenai(), startFakeCollector()]);
    service = await startService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      PROVIDER_A_BASE_URL: provider.url,
      PROVIDER_A_API_KEY: 'sk-test-key',
    });
    workspaceId = await createWorkspace(service, 'library');
    await writeFile(join(service.root, 'library/tawny.md'), '# Owls\n\nnocturnal hunters');
  });
  afterAll(() => Promise.all([service?.stop(), provider.stop()]));

  /** Returns the spans of a request's only trace, once all of these have arrived. */
  async function traceOf(route: string, names: string[]): Promise<SentSpan[]> {
    const inTrace = () => {
      const root = collector.spans.find(({ name }) => name === route);
      return collector.spans.filter(({ traceId }) => traceId === root?.traceId);
    };
    // Threads export on their own, so the parent of a span may arrive after it.
    const isWhole = (spans: SentSpan[]) =>
      spans.filter((span) => pathOf(spans, span).length === 1).length === 1;
    const hasAll = (spans: SentSpan[]) =>
      names.every((name) => spans.some((span) => span.name === name)) && isWhole(spans);
    return eventually(async () => inTrace(), hasAll, 15_000);
  }

  const pathsIn = (spans: SentSpan[], name: string) =>
    spans.filter((span) => span.name === name).map((span) => pathOf(spans, span));

  it('exports a sync as one trace of the request, the scan, the files, and the commit', async () => {
    await syncWorkspace(service, workspaceId);
    const spans = await traceOf('POST /api/workspaces/{workspaceId}/sync', ['embed', 'vectors write']);
    const [route, scan, files] = ['POST /api/workspaces/{workspaceId}/sync', 'handle index', 'handle index'];
    expect(pathsIn(spans, 'embed')).toContainEqual([route, 'send index', scan, 'send index', files, 'embed']);
    const [written = []] = pathsIn(spans, 'vectors write');
    expect(written.slice(0, 5)).toEqual([route, 'send index', scan, 'send index', files]);
    expect(written.slice(5)).toEqual(['send commit', 'handle commit', 'vectors write']);
  });

  it('exports a chat as one trace of the request, the searches, the embedding, and the model', async () => {
    await service.call('POST', '/api/chat', {
      workspaceId,
      messages: [{ role: 'user', content: 'who is nocturnal' }],
    });
    const spans = await traceOf('POST /api/chat', ['vectors search text', 'embed', 'model', 'stream']);
    for (const step of ['vectors search text', 'embed', 'model'])
      expect(pathsIn(spans, step)).toContainEqual(['POST /api/chat', 'stream', step]);
  });

  it('exports no path, question, text, or key', () => {
    expect(collector.seen.text).toContain(workspaceId);
    for (const secret of SECRETS) expect(collector.seen.text).not.toContain(secret);
  });

  it('ignores the trace context of a client', async () => {
    const traceId = 'abcdefabcdefabcdefabcdefabcdefab';
    const traceparent = `00-${traceId}-1234567812345678-01`;
    await service.call('GET', '/api/health', undefined, { traceparent });
    await eventually(
      async () => collector.spans,
      (spans) => spans.some(({ name }) => name === 'GET /api/health'),
    );
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });
});
