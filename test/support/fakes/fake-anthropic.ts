import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface FakeAnthropic {
  /** Ends in /v1. */
  readonly url: string;
  /** The events of the next answers, sent with their `type` as the name. */
  events: Record<string, unknown>[];
  /** The status to return instead. */
  status: number | undefined;
  /** How the stream ends after its events. */
  ending: 'end' | 'cut' | 'stall';
  /** Number of pings before the events, one every 20 ms; Infinity = forever. */
  pings: number;
  pingsSent: number;
  lastBody: Record<string, unknown>;
  lastHeaders: IncomingMessage['headers'];
  requests: number;
  stop(): Promise<void>;
}

/** The wire protocol of the Messages API on loopback. */
export async function startFakeAnthropic(): Promise<FakeAnthropic> {
  const server = createServer(async (request, response) => {
    fake.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    fake.lastHeaders = request.headers;
    if (request.method === 'GET') return listModels(response);
    fake.lastBody = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    if (request.url !== '/v1/messages' || fake.status !== undefined) {
      const headers = { 'content-type': 'application/json', 'retry-after-ms': '5' };
      const error = { type: 'some_error', message: 'invalid x-api-key: sk-very-secret' };
      response.writeHead(fake.status ?? 404, headers).end(JSON.stringify({ type: 'error', error }));
      return;
    }
    await streamEvents(response, fake);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeAnthropic = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    events: textAnswer('Hello', ' there'),
    status: undefined,
    ending: 'end',
    pings: 0,
    pingsSent: 0,
    lastBody: {},
    lastHeaders: {},
    requests: 0,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return fake;
}

function listModels(response: ServerResponse): void {
  const data = [{ type: 'model', id: 'claude-owl', display_name: 'Owl', created_at: '2026-01-31T00:00:00Z' }];
  const page = { data, has_more: false, first_id: 'claude-owl', last_id: 'claude-owl' };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
}

async function streamEvents(response: ServerResponse, fake: FakeAnthropic): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await ping(response, fake);
  for (const event of fake.events) {
    response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  if (fake.ending === 'end') response.end();
  if (fake.ending === 'cut') void setTimeout(20).then(() => response.destroy());
}

async function ping(response: ServerResponse, fake: FakeAnthropic): Promise<void> {
  for (let count = 0; count < fake.pings && !response.destroyed; count++) {
    response.write('event: ping\ndata: {"type": "ping"}\n\n');
    fake.pingsSent += 1;
    await setTimeout(20);
  }
}

/** Returns the events of a plain text answer. */
export function textAnswer(...pieces: string[]): Record<string, unknown>[] {
  return [
    messageStart,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...pieces.map((text) => delta(0, { type: 'text_delta', text })),
    { type: 'content_block_stop', index: 0 },
    ...messageEnd('end_turn'),
  ];
}

export const messageStart = {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 11, output_tokens: 1 },
  },
};

export function delta(index: number, fields: Record<string, unknown>): Record<string, unknown> {
  return { type: 'content_block_delta', index, delta: fields };
}

export function messageEnd(reason: string): Record<string, unknown>[] {
  return [
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ];
}
