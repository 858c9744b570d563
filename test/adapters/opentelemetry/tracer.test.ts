import { describe, expect, it } from '@jest/globals';
import { opentelemetryTracer } from '../../../lib/adapters/opentelemetry/tracer.ts';
import { backgroundWorkDone } from '../../../lib/async/after-response.ts';
import { startFakeCollector } from '../../support/fakes/fake-collector.ts';
import { waitedMs } from '../../support/processes/waited.ts';
import { eventually } from '../../support/sync.ts';

function tracerTo(endpoint: string, { freezes = true, ratio = 1 } = {}) {
  const collector = { endpoint, headers: { 'x-key': 'k' } };
  return opentelemetryTracer({ collector, service: { name: 'n', stage: 's' }, ratio, freezes });
}

describe('opentelemetryTracer', () => {
  it('sends its spans before the process is frozen', async () => {
    const { url, spans } = await startFakeCollector();
    const tracer = tracerTo(`${url}/`);
    const outer = tracer.start('outer', { kind: 'server' });
    outer.run(() => tracer.start('inner', { fields: { size: 3 } }).end());
    expect(spans).toEqual([]);
    outer.end({}, new TypeError('of /a/secret/path'));
    await backgroundWorkDone();
    expect(spans.map(({ name }) => name)).toEqual(['inner', 'outer']);
    expect(spans[0]?.parentSpanId).toBe(spans[1]?.spanId);
    expect(JSON.stringify(spans)).toContain('TypeError');
    expect(JSON.stringify(spans)).not.toContain('secret');
  });

  it('continues the trace named in its message, and links the traces of other messages', async () => {
    const { url, spans } = await startFakeCollector();
    const tracer = tracerTo(url);
    const [sent, other] = [tracer.start('sent', {}), tracer.start('other', {})];
    const parents = ['nonsense', sent.traceparent, other.traceparent];
    tracer.start('handled', { parents }).end();
    sent.end();
    other.end();
    await backgroundWorkDone();
    const [handled, sending, third] = spans;
    expect([handled?.traceId, handled?.parentSpanId]).toEqual([sending?.traceId, sending?.spanId]);
    expect(handled).toMatchObject({ links: [{ traceId: third?.traceId, spanId: third?.spanId }] });
  });

  it.each([
    ['that never responds', () => startFakeCollector({ silent: true }).then(({ url }) => url)],
    ["that doesn't exist", async () => 'http://127.0.0.1:9'],
  ])('waits for a collector %s once, then skips it', async (_, address) => {
    const tracer = tracerTo(await address());
    tracer.start('first', {}).end();
    expect(await waitedMs(backgroundWorkDone)).toBeLessThan(1500);
    tracer.start('second', {}).end();
    expect(await waitedMs(backgroundWorkDone)).toBeLessThan(100);
  });

  it('does not wait if the process keeps running', async () => {
    const { url, spans } = await startFakeCollector();
    tracerTo(url, { freezes: false }).start('first', {}).end();
    expect(await waitedMs(backgroundWorkDone)).toBeLessThan(100);
    expect(spans).toEqual([]);
    await eventually(
      async () => spans.length,
      (sent) => sent === 1,
    );
  });

  it('exports nothing for traces that are not sampled', async () => {
    const { url, seen } = await startFakeCollector();
    tracerTo(url, { ratio: 0 }).start('first', {}).end();
    await backgroundWorkDone();
    expect(seen.requests).toBe(0);
  });
});
