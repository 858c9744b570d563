import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { createGateway } from '../../../infra/local/gateway.ts';
import { type Handler, installRuntime } from '../../../infra/local/lambda-runtime.ts';
import type { RouteDefinition } from '../../../infra/local/service-file.ts';
import { eventually } from '../../support/sync.ts';

interface Runtime {
  streamifyResponse(handler: (event: unknown, stream: Writable) => Promise<void>): Handler;
  HttpResponseStream: { from(stream: Writable, prelude: unknown): Writable };
}

installRuntime();
const { awslambda } = globalThis as unknown as { awslambda: Runtime };
const begin = awslambda.HttpResponseStream.from;
const MEGABYTE = 1024 * 1024;
const begun: string[] = [];
const finished: string[] = [];
/** Called when a client has read a chunk or has disconnected. The function then continues. */
let goOn = () => {};

function untilGoOn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  goOn = resolve;
  return promise;
}

/** Writes more than all buffers can hold, so that the function ends only with a reader. */
async function writeMuch(name: string, stream: Writable): Promise<void> {
  for (let count = 0; count < 60; count++) {
    if (!stream.write(Buffer.alloc(100_000))) await once(stream, 'drain');
  }
  stream.end();
  finished.push(name);
}

const buffered: Record<string, (event: APIGatewayProxyEvent) => Promise<unknown>> = {
  echo: async (event) => ({ statusCode: 200, body: JSON.stringify(event) }),
  length: async ({ body, isBase64Encoded }) => ({
    statusCode: 200,
    body: JSON.stringify({ length: body?.length, isBase64Encoded }),
  }),
  throwing: async () => Promise.reject(new Error('secret detail')),
  slow: () => new Promise(() => {}),
  nothing: async () => undefined,
  object: async () => ({ statusCode: 200, body: { no: 'text' } }),
  status: async () => ({ statusCode: 99, body: '' }),
  header: async () => ({ statusCode: 200, headers: { a: 'b\nc' }, body: '' }),
  large: async () => ({ statusCode: 200, body: 'x'.repeat(6 * MEGABYTE + 1) }),
};

const streaming: Record<string, (event: unknown, stream: Writable) => Promise<void>> = {
  frames: async (_, stream) => {
    const body = begin(stream, { statusCode: 201, headers: { 'x-mine': 'yes' } });
    for (const frame of ['one', 'two', 'three']) {
      const read = untilGoOn();
      body.write(frame);
      await read;
    }
    body.end();
    finished.push('frames');
  },
  late: async (_, stream) => {
    begun.push('late');
    await untilGoOn();
    await writeMuch('late', begin(stream, { statusCode: 200 }));
  },
  flood: async (_, stream) => writeMuch('flood', begin(stream, { statusCode: 200 })),
  'bad-header': async (_, stream) =>
    writeMuch('bad-header', begin(stream, { statusCode: 200, headers: { a: 'b\nc' } })),
  'never-starts': () => new Promise(() => {}),
  'returns-nothing': async () => {},
  'forgets-end': async (_, stream) => void begin(stream, { statusCode: 200 }).write('x'),
  'no-prelude': async (_, stream) => {
    stream.write('x'.repeat(20_000));
    await sleep(50);
    throw new Error('after the answer was given up');
  },
  'large-prelude': async (_, stream) => {
    begin(stream, { statusCode: 200, headers: { a: 'b'.repeat(16_384) } }).end('x');
  },
  'breaks-off': async (_, stream) => {
    begin(stream, { statusCode: 200 }).write('half');
    await sleep(50);
    throw new Error('broken');
  },
};

const authorizers: Record<string, (event: { methodArn: string }) => Promise<unknown>> = {
  allow: async ({ methodArn }) => policy('Allow', methodArn.replace(/local\/local.*/, 'local/local/*')),
  deny: async () => policy('Deny', '*'),
  'deny-wins': async () => ({
    principalId: 'p',
    policyDocument: {
      Statement: [
        { Effect: 'Allow', Resource: '*' },
        { Effect: 'Deny', Resource: ['*'] },
      ],
    },
  }),
  elsewhere: async () => policy('Allow', 'arn:aws:execute-api:local:000000000000:local/local/GET/other'),
  unauthorized: async () => Promise.reject(new Error('Unauthorized')),
  broken: async () => Promise.reject(new Error('database away')),
  malformed: async () => ({ principalId: 'p' }),
};

function policy(Effect: string, Resource: string) {
  return {
    principalId: 'p',
    policyDocument: { Statement: [{ Effect, Resource }] },
    context: { role: 'admin' },
  };
}

function route(name: string, resource: string, options: Partial<RouteDefinition> = {}): RouteDefinition {
  return {
    resource,
    method: 'ANY',
    function: name,
    streaming: false,
    timeoutMs: name === 'slow' || name === 'never-starts' ? 500 : 60_000,
    cors: { headers: ['content-type'] },
    ...options,
  };
}

const routes = [
  ...Object.keys(buffered).map((name) => route(name, `/${name}`)),
  ...Object.keys(streaming).map((name) => route(name, `/${name}`, { streaming: true })),
  ...Object.keys(authorizers).map((name) =>
    route('echo', `/auth/${name}`, { authorizer: { function: name, ttlSeconds: 0 } }),
  ),
  route('echo', '/things/{thingId}'),
  route('length', '/things/fixed'),
  route('frames', '/mismatch'),
];
const handlers: Record<string, Handler> = {
  ...(buffered as Record<string, Handler>),
  ...(authorizers as Record<string, Handler>),
  ...Object.fromEntries(
    Object.entries(streaming).map(([name, handler]) => [name, awslambda.streamifyResponse(handler)]),
  ),
};

let server: Server;
let port: number;

beforeAll(async () => {
  const definition = {
    functions: [],
    routes,
    queues: [],
    schedules: [],
    binaryMediaTypes: ['multipart/form-data'],
    resources: {},
  };
  server = createGateway({ definition, load: async (name) => handlers[name] as Handler });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);

/**
 * Sends text on a plain socket. Returns the data received until the other side closes, or until it's
 * `enough`.
 */
async function talk(text: string, enough = (_received: string) => false): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  socket.write(text);
  await eventually(async () => socket.closed || enough(received), Boolean);
  socket.destroy();
  return received;
}

async function untilFinished(name: string): Promise<void> {
  await eventually(
    async () => {
      goOn();
      return finished;
    },
    (names) => names.includes(name),
  );
}

describe('proxy event', () => {
  it('has the format in the REST API documentation', async () => {
    const answer = await call('/things/a%20b?x=1&x=2&y=%26', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Twice': 'one' },
      body: '{"a":1}',
    });
    const event = (await answer.json()) as APIGatewayProxyEvent;
    expect(event).toMatchObject({
      resource: '/things/{thingId}',
      path: '/things/a%20b',
      httpMethod: 'POST',
      queryStringParameters: { x: '2', y: '&' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['&'] },
      pathParameters: { thingId: 'a b' },
      stageVariables: null,
      body: '{"a":1}',
      isBase64Encoded: false,
    });
    expect(event.requestContext).toMatchObject({
      requestId: answer.headers.get('x-request-id'),
      resourcePath: '/things/{thingId}',
      httpMethod: 'POST',
      stage: 'local',
      path: '/local/things/a%20b',
      identity: { sourceIp: '127.0.0.1' },
    });
  });

  it('has null for missing parts', async () => {
    const event = await (await call('/echo')).json();
    expect(event).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      body: null,
      isBase64Encoded: false,
    });
  });

  it('has binary media types in base64', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await call('/length', { method: 'POST', headers, body: new Uint8Array([0, 255, 128]) });
    expect(await answer.json()).toEqual({ length: 4, isBase64Encoded: true });
  });

  it('keeps every value of a repeated header', async () => {
    const text = await talk(
      'GET /echo HTTP/1.1\r\nhost: x\r\nA: 1\r\nA: 2\r\nconstructor: c\r\nconnection: close\r\n\r\n',
    );
    const event = JSON.parse(text.slice(text.indexOf('{'))) as APIGatewayProxyEvent;
    expect(event.headers.A).toBe('2');
    expect(event.multiValueHeaders.A).toEqual(['1', '2']);
    expect(event.multiValueHeaders.constructor).toEqual(['c']);
  });
});

describe('routes', () => {
  it('prefer a fixed segment to a parameter', async () => {
    expect(await (await call('/things/fixed')).json()).toEqual({ isBase64Encoded: false });
  });

  it.each(['/', '/nope', '/things', '/things/a/b', '/ec%68o'])('return 404 for %s', async (path) => {
    const answer = await call(path);
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'This route does not exist.' }]);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('connection')).toBe('keep-alive');
  });

  it('answer a preflight request themselves', async () => {
    const answer = await call('/echo', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });
});

describe('limits', () => {
  it.each([
    ['throwing', 502, 'The function failed.'],
    ['slow', 504, 'The request took too long.'],
    ['nothing', 502, 'The function returned an invalid response.'],
    ['object', 502, 'The function returned an invalid response.'],
    ['status', 502, 'The function returned an invalid response.'],
    ['header', 502, 'The function returned an invalid response.'],
    ['large', 502, 'The response is over 6 MB.'],
    ['mismatch', 502, 'The transfer mode and the handler disagree.'],
    ['never-starts', 504, 'The request took too long.'],
    ['returns-nothing', 502, 'The function failed.'],
    ['no-prelude', 502, 'The function returned an invalid response.'],
    ['large-prelude', 502, 'The function returned an invalid response.'],
    ['bad-header', 502, 'The function returned an invalid response.'],
  ])('return for %s: %i', async (name, status, error) => {
    const answer = await call(`/${name}`);
    expect([answer.status, await answer.json()]).toEqual([status, { error }]);
  });

  it.each([
    ['over 10 MB', '', new Uint8Array(10 * MEGABYTE + 1)],
    ['over 6 MB as text', 'application/json', 'x'.repeat(6 * MEGABYTE)],
    ['over 6 MB as base64', 'multipart/form-data; boundary=x', new Uint8Array(5 * MEGABYTE)],
    ['over 6 MB once escaped', 'application/json', '"'.repeat(3.2 * MEGABYTE)],
  ])('return 413 for a body %s', async (_, type, body) => {
    const answer = await call('/length', { method: 'POST', headers: { 'content-type': type }, body });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ error: expect.stringContaining('POST /api/files/uploads') });
  });

  it('return 413 for a body without a length once it is too large, and the client sees the response', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (++sent > 30) controller.close();
        else controller.enqueue(new Uint8Array(MEGABYTE));
      },
    });
    const answer = await call('/length', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(413);
  });

  it('allow a body just below the limit', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await call('/length', { method: 'POST', headers, body: new Uint8Array(4.4 * MEGABYTE) });
    expect(answer.status).toBe(200);
  });
});

describe('authorizer', () => {
  it.each([
    ['allow', 200],
    ['deny', 403],
    ['deny-wins', 403],
    ['elsewhere', 403],
    ['unauthorized', 401],
    ['broken', 500],
    ['malformed', 500],
  ])('returns for %s: %i', async (name, status) => {
    const answer = await call(`/auth/${name}`);
    const body = (await answer.json()) as APIGatewayProxyEvent & { error?: string };
    expect(answer.status).toBe(status);
    if (status === 200) expect(body.requestContext.authorizer).toEqual({ principalId: 'p', role: 'admin' });
    else expect(Object.keys(body)).toEqual(['error']);
  });
});

describe('response streams', () => {
  it('arrive chunk by chunk, with the status and headers of the prelude', async () => {
    const answer = await call('/frames');
    const frames: string[] = [];
    for await (const chunk of answer.body ?? []) {
      frames.push(Buffer.from(chunk as Uint8Array).toString());
      goOn(); // the next chunk is written only now
    }
    expect([answer.status, answer.headers.get('x-mine'), frames]).toEqual([
      201,
      'yes',
      ['one', 'two', 'three'],
    ]);
  });

  it('end even if the function forgets to end them', async () => {
    expect(await (await call('/forgets-end')).text()).toBe('x');
  });

  it('are truncated if the function fails after the first byte', async () => {
    const answer = await call('/breaks-off');
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  it.each([
    ['before the first byte', 'late', () => begun.includes('late')],
    ['in the middle', 'flood', (received: string) => received !== ''],
  ])('continue to their end if the client leaves %s', async (_, name, enough) => {
    await talk(`GET /${name} HTTP/1.1\r\nhost: x\r\n\r\n`, enough);
    await untilFinished(name);
  });

  it("are read to their end if their prelude couldn't be sent", async () => {
    await call('/bad-header');
    await untilFinished('bad-header');
  });
});

describe('broken requests', () => {
  it.each([
    ['garbage', '\0garbage\r\n\r\n', 'HTTP/1.1 400'],
    [
      'headers over 16 KB',
      `GET /echo HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(40_000)}\r\n\r\n`,
      'HTTP/1.1 400',
    ],
  ])('get an error in the format of the service: %s', async (_, text, status) => {
    const answer = await talk(text);
    expect(answer.startsWith(status)).toBe(true);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual({ error: expect.any(String) });
  });

  it('write nothing into a response that has started', async () => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write('GET /frames HTTP/1.1\r\nhost: x\r\n\r\n');
    await eventually(
      async () => received,
      (text) => text.includes('one'),
    );
    socket.write('\0garbage\r\n\r\n');
    await once(socket, 'close');
    finished.length = 0;
    await untilFinished('frames');
    expect(received).not.toContain('400 Bad Request');
  });
});
