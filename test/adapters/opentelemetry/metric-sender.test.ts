import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { sendMetrics } from '../../../lib/adapters/opentelemetry/metric-sender.ts';
import { whenDone } from '../../support/temp-folder.ts';

async function startCollector(status: number) {
  const seen: { url?: string | undefined; body?: unknown; key?: unknown } = {};
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    Object.assign(seen, { url: request.url, body: JSON.parse(text), key: request.headers['x-key'] });
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { seen, collector: { endpoint, headers: { 'x-key': 'secret' } } };
}

const service = { name: 'research', stage: 'local' };
const METRICS = [
  { name: 'g', help: 'A gauge.', type: 'gauge' as const, points: [{ labels: { a: 'b' }, value: 2 }] },
  { name: 'c', help: 'A counter.', type: 'counter' as const, points: [{ value: 3 }] },
];

describe('sendMetrics', () => {
  it("sends OTLP's JSON with the collector's headers", async () => {
    const { seen, collector } = await startCollector(200);
    await sendMetrics({ collector, service, startedAt: 1000 }, METRICS, 2000);
    expect(seen).toMatchObject({ url: '/v1/metrics', key: 'secret' });
    const times = { startTimeUnixNano: '1000000000', timeUnixNano: '2000000000' };
    expect(seen.body).toMatchObject({
      resourceMetrics: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'research' } },
              { key: 'deployment.environment.name', value: { stringValue: 'local' } },
            ],
          },
          scopeMetrics: [
            {
              metrics: [
                {
                  name: 'g',
                  gauge: {
                    dataPoints: [
                      { ...times, asDouble: 2, attributes: [{ key: 'a', value: { stringValue: 'b' } }] },
                    ],
                  },
                },
                { name: 'c', sum: { isMonotonic: true, dataPoints: [{ ...times, asDouble: 3 }] } },
              ],
            },
          ],
        },
      ],
    });
  });

  it('throws if the collector refuses them', async () => {
    const { collector } = await startCollector(503);
    await expect(sendMetrics({ collector, service, startedAt: 0 }, METRICS, 1)).rejects.toThrow('503');
  });
});
