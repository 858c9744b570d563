import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { createGateway, type GatewayOptions } from '../../../infra/local/gateway.ts';
import { type Handler, installRuntime } from '../../../infra/local/lambda-runtime.ts';
import type { RouteDefinition, ServiceDefinition } from '../../../infra/local/service-file.ts';
import { setLogLevel } from '../../../lib/log.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';

setLogLevel('error');
installRuntime();
const { awslambda } = globalThis as unknown as {
  awslambda: {
    streamifyResponse(handler: Handler): Handler;
    HttpResponseStream: { from(stream: unknown, prelude: unknown): NodeJS.WritableStream };
  };
};

const errors: string[] = [];
process.stdout.write = ((write) => (text: string) => {
  if (text.includes('"level":"error"') || text.includes('ERROR')) errors.push(text);
  else return write(text);
  return true;
})(process.stdout.write.bind(process.stdout)) as typeof process.stdout.write;

/** Called when a frame has been read. The next frame is then sent. */
let goOn = () => {};
let ended = 0;
/** Number of calls to an authorizer. */
let asked = 0;
let lastEvent: APIGatewayProxyEvent | undefined;

function streaming(work: (stream: NodeJS.WritableStream) => Promise<void>): Handler {
  return awslambda.streamifyResponse(async (_event, raw) => {
    await work(awslambda.HttpResponseStream.from(raw, { statusCode: 201, headers: { 'x-kind': 'stream' } }));
  });
}

const HANDLERS: Record<string, Handler> = {
  echo: (event) => {
    lastEvent = event as APIGatewayProxyEvent;
    return { statusCode: 200, headers: { 'x-kind': 'buffered' }, body: 'answer' };
  },
  bytes: () => ({ statusCode: 200, body: Buffer.from([0, 255]).toString('base64'), isBase64Encoded: true }),
  large: () => ({ statusCode: 200, body: 'x'.repeat(6 * 1024 * 1024 + 1) }),
  none: () => undefined,
  throws: () => Promise.reject(new Error('secret detail')),
  slow: () => new Promise(() => {}),
  frames: streaming(async (stream) => {
    for (const frame of ['one ', 'two ', 'three']) {
      const { promise: read, resolve } = Promise.withResolvers<void>();
      goOn = resolve;
      stream.write(frame);
      await read;
    }
    stream.end();
    ended += 1;
  }),
  'throws-before': awslambda.streamifyResponse(async () => Promise.reject(new Error('secret detail'))),
  'throws-after': streaming(async (stream) => {
    stream.write('first');
    await sleep(20);
    throw new Error('secret detail');
  }),
  'no-prelude': awslambda.streamifyResponse(async (_event, raw) => {
    (raw as NodeJS.WritableStream).end('plain text without a prelude');
  }),
  'slow-stream': awslambda.streamifyResponse(() => new Promise(() => {})),
  allow: (event) => policy('Allow', (event as { methodArn: string }).methodArn),
  deny: (event) => policy('Deny', (event as { methodArn: string }).methodArn),
  counting: (event) => {
    asked += 1;
    return policy('Allow', (event as { methodArn: string }).methodArn);
  },
  unauthorized: () => Promise.reject(new Error('Unauthorized')),
  'broken-authorizer': () => Promise.reject(new Error('secret detail')),
};

function policy(Effect: string, Resource: string) {
  const Statement = [{ Action: 'execute-api:Invoke', Effect, Resource }];
  return {
    principalId: 'me',
    policyDocument: { Version: '2012-10-17', Statement },
    context: { role: 'viewer' },
  };
}

function route(name: string, more: Partial<RouteDefinition> = {}): RouteDefinition {
  const isStream = /frames|throws-|no-prelude|-stream/.test(name);
  return {
    resource: `/${name}`,
    method: 'ANY',
    function: name,
    streaming: isStream,
    timeoutMs: name.startsWith('slow') ? 500 : 60_000,
    cors: { headers: ['content-type'] },
    ...more,
  };
}

const routes = [
  ...Object.keys(HANDLERS).map((name) => route(name)),
  route('echo', { resource: '/things/{thingId}/parts/{partId}' }),
  route('echo', { resource: '/things/fixed/parts/one' }),
  route('echo', { resource: '/guarded/{how}', cors: undefined }),
  ...['allow', 'deny', 'unauthorized', 'broken-authorizer'].map((how) =>
    route('echo', { resource: `/guarded/${how}`, authorizer: { function: how, ttlSeconds: 0 } }),
  ),
  route('echo', {
    resource: '/guarded/known',
    authorizer: { function: 'counting', ttlSeconds: 0, identityHeader: 'Authorization' },
  }),
  route('frames', { resource: '/disagreeing', streaming: false }),
];
const definition: ServiceDefinition = {
  functions: [],
  routes,
  queues: [],
  schedules: [],
  binaryMediaTypes: ['multipart/form-data'],
  resources: {},
};
const load: GatewayOptions['load'] = async (name) => HANDLERS[name] ?? (HANDLERS.echo as Handler);
const gateway = createGateway({
  definition,
  load,
  intercept: async (request, response) => {
    if (request.method !== 'PUT') return false;
    response.end('intercepted');
    return true;
  },
});
const url = await listen(gateway);

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('gateway event', () => {
  it('has the format of a REST API proxy integration', async () => {
    await fetch(`${url}/things/a%20b%2Fc/parts/%zz?q=1&q=two%20words&empty=`, {
      method: 'POST',
      headers: {
        'X-Custom': 'Ä'.length === 1 ? 'value' : '',
        'content-type': 'application/json',
        'user-agent': 'test',
      },
      body: '{"a":"Größe"}',
    });
    expect(lastEvent).toMatchObject({
      resource: '/things/{thingId}/parts/{partId}',
      path: '/things/a%20b%2Fc/parts/%zz',
      httpMethod: 'POST',
      headers: { 'X-Custom': 'value', 'content-type': 'application/json' },
      multiValueHeaders: { 'X-Custom': ['value'] },
      queryStringParameters: { q: 'two words', empty: '' },
      multiValueQueryStringParameters: { q: ['1', 'two words'], empty: [''] },
      pathParameters: { thingId: 'a b/c', partId: '%zz' },
      stageVariables: null,
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        authorizer: null,
        httpMethod: 'POST',
        identity: { sourceIp: '127.0.0.1', userAgent: 'test' },
        path: '/local/things/a%20b%2Fc/parts/%zz',
        protocol: 'HTTP/1.1',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        requestTimeEpoch: expect.any(Number),
        resourcePath: '/things/{thingId}/parts/{partId}',
        stage: 'local',
      },
      body: '{"a":"Größe"}',
      isBase64Encoded: false,
    });
  });

  it('has null if there is no query, parameter, or body', async () => {
    await fetch(`${url}/echo`);
    expect(lastEvent).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      body: null,
      isBase64Encoded: false,
    });
  });

  it('has binary media types in base64', async () => {
    const headers = { 'content-type': 'Multipart/Form-Data; boundary=b' };
    await fetch(`${url}/echo`, { method: 'POST', headers, body: new Uint8Array([0, 255, 128]) });
    expect(lastEvent).toMatchObject({ body: 'AP+A', isBase64Encoded: true });
  });

  it('prefers a fixed path segment to a parameter', async () => {
    await fetch(`${url}/things/fixed/parts/one`);
    expect(lastEvent?.resource).toBe('/things/fixed/parts/one');
  });

  it("keeps headers with names of Object's properties", async () => {
    await fetch(`${url}/echo`, { headers: { constructor: 'x', 'x-many': 'a' } });
    expect(lastEvent?.headers.constructor).toBe('x');
  });
});

describe('gateway response', () => {
  it("is the function's response with the event's request ID", async () => {
    const answer = await fetch(`${url}/echo`);
    expect([answer.status, await answer.text(), answer.headers.get('x-kind')]).toEqual([
      200,
      'answer',
      'buffered',
    ]);
    expect(answer.headers.get('x-request-id')).toBe(lastEvent?.requestContext.requestId);
  });

  it('decodes base64, and omits the body for HEAD', async () => {
    expect([...new Uint8Array(await (await fetch(`${url}/bytes`)).arrayBuffer())]).toEqual([0, 255]);
    const head = await fetch(`${url}/echo`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it.each([
    ['an unknown path', '/nowhere', 404],
    ['a path with an additional segment', '/echo/more', 404],
    ['an empty parameter', '/things//parts/x', 404],
    ['a function that throws', '/throws', 502],
    ['a function that returns nothing', '/none', 502],
    ['a response over 6 MB', '/large', 502],
    ['a function that takes too long', '/slow', 504],
    ['a stream that fails before its prelude', '/throws-before', 502],
    ['a stream without a prelude', '/no-prelude', 502],
    ['a stream that never starts', '/slow-stream', 504],
    ['a streaming function behind a buffered route', '/disagreeing', 502],
  ])("is an error in the service's format for %s", async (_what, path, status) => {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const body = await answer.json();
    expect(body).toEqual({ error: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('comes from the gateway itself for OPTIONS if CORS is enabled', async () => {
    const answer = await fetch(`${url}/echo`, { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(answer.headers.get('access-control-allow-headers')).toBe('content-type');
    expect((await fetch(`${url}/nowhere`, { method: 'OPTIONS' })).status).toBe(404);
  });

  it('comes from the interceptor for its requests', async () => {
    expect(await (await fetch(`${url}/objects/x`, { method: 'PUT' })).text()).toBe('intercepted');
  });

  it('is 400 for invalid HTTP, and closes the connection', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('gateway limits', () => {
  async function send(
    bytes: number,
    type = 'application/json',
    fill = 'x',
  ): Promise<{ status: number; code: string | null; text: string }> {
    const answer = await fetch(`${url}/echo`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: fill.repeat(bytes),
    });
    const code = answer.headers.get('x-error-code');
    return { status: answer.status, code, text: await answer.text() };
  }

  it.each([
    ['4.5 MB of a file', 4_500_000, 'multipart/form-data', 'x', 200],
    ['4.8 MB of a file, which base64 makes too long', 4_800_000, 'multipart/form-data', 'x', 413],
    ['6,000,000 plain characters', 6_000_000, 'application/json', 'x', 200],
    ['6.3 MB', 6_300_000, 'application/json', 'x', 413],
    ['4 MB of quotes, which JSON doubles', 4_000_000, 'application/json', '"', 413],
    ['10 MB and more', 10 * 1024 * 1024 + 1, 'application/json', 'x', 413],
  ])('apply to %s', async (_what, bytes, type, fill, status) => {
    const answer = await send(bytes, type, fill);
    expect(answer.status).toBe(status);
    if (status !== 413) return;
    expect(answer.code).toBe('body_too_large');
    expect(answer.text).toContain('/api/files/uploads');
  });

  it('apply to a body without a length', async () => {
    const status = await new Promise((resolve, reject) => {
      const outgoing = httpRequest(`${url}/echo`, { method: 'POST' }, (answer) => resolve(answer.statusCode));
      outgoing.on('error', reject);
      for (let megabyte = 0; megabyte < 11; megabyte++) outgoing.write(Buffer.alloc(1024 * 1024));
      outgoing.end();
    });
    expect(status).toBe(413);
  });
});

/** Starts a POST whose body follows later. */
function begin(address: string, headers: Record<string, string> = {}): ClientRequest {
  const outgoing = httpRequest(address, { method: 'POST', headers, agent: false });
  outgoing.on('error', () => {}); // the connection of a rejected request is closed
  outgoing.flushHeaders();
  whenDone(async () => void outgoing.destroy());
  return outgoing;
}

async function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer.resume();
}

describe('request body', () => {
  it('is not awaited if the caller is rejected', async () => {
    const outgoing = begin(`${url}/guarded/unauthorized`);
    outgoing.write('the first of many');
    expect((await answerTo(outgoing)).statusCode).toBe(401);
  });

  it('is rejected before authentication if its announced length is too large', async () => {
    const outgoing = begin(`${url}/guarded/unauthorized`, { 'content-length': String(10 * 1024 * 1024 + 1) });
    expect((await answerTo(outgoing)).statusCode).toBe(413);
  });

  it('is requested only if the caller may send it', async () => {
    const asked: string[] = [];
    const ask = (how: string) => {
      const outgoing = begin(`${url}/guarded/${how}`, { expect: '100-continue', 'content-length': '4' });
      outgoing.once('continue', () => {
        asked.push(how);
        outgoing.end('body');
      });
      return answerTo(outgoing);
    };
    expect((await ask('unauthorized')).statusCode).toBe(401);
    expect((await ask('allow')).statusCode).toBe(200);
    expect(lastEvent?.body).toBe('body');
    expect(asked).toEqual(['allow']);
  });

  it('is not awaited if the headers arrive too slowly, and connections are limited', async () => {
    const server = createGateway({ definition, load, limits: { headTimeoutMs: 300 } });
    expect(server.maxConnections).toBe(4096);
    const { port } = new URL(await listen(server));
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    expect(Buffer.concat(chunks).toString()).toMatch(/took too long to arrive/);
  });

  it('gets 408 if it takes too long', async () => {
    const impatient = await listen(createGateway({ definition, load, limits: { timeoutMs: 50 } }));
    const outgoing = begin(`${impatient}/echo`);
    outgoing.write('the first of many');
    expect((await answerTo(outgoing)).statusCode).toBe(408);
  });

  it('is rejected if other bodies fill the memory, separately for unauthenticated and authenticated callers', async () => {
    const room = 1024 * 1024;
    const limits = { callersRoom: room, strangersRoom: room };
    const small = await listen(createGateway({ definition, load, limits }));
    const post = (path: string) => fetch(small + path, { method: 'POST', body: 'x'.repeat(room / 2) });
    const holding = begin(`${small}/echo`);
    holding.write('x'.repeat(room * 0.75));
    const refused = await eventually(
      () => post('/echo'),
      ({ status }) => status !== 200,
    );
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await post('/guarded/allow')).status).toBe(200);
    holding.end();
    expect((await answerTo(holding)).statusCode).toBe(200);
    expect((await post('/echo')).status).toBe(200);
  });
});

describe('gateway authorizer', () => {
  it.each([
    ['without the authorization header', {}],
    ['with an empty one', { authorization: '' }],
  ])('is not called for a request %s, which the gateway rejects', async (_how, headers) => {
    asked = 0;
    const response = await fetch(`${url}/guarded/known`, { headers: headers as Record<string, string> });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'The credential is missing or invalid.' },
    ]);
    expect(asked).toBe(0);
  });

  it('is called with the token in every spelling', async () => {
    asked = 0;
    const response = await fetch(`${url}/guarded/known`, { headers: { AUTHORIZATION: 'junk' } });
    expect([response.status, asked]).toEqual([200, 1]);
  });

  it('passes on its principal and context', async () => {
    expect((await fetch(`${url}/guarded/allow`)).status).toBe(200);
    expect(lastEvent?.requestContext.authorizer).toEqual({ principalId: 'me', role: 'viewer' });
  });

  it.each([
    ['deny', 403],
    ['unauthorized', 401],
    ['broken-authorizer', 500],
  ])('returns %s, which makes the response %s', async (how, status) => {
    const answer = await fetch(`${url}/guarded/${how}`);
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toContain('secret');
  });
});

describe('streamed response', () => {
  it('has the status and headers of the prelude, and its chunks arrive one by one', async () => {
    const answer = await fetch(`${url}/frames`);
    expect([answer.status, answer.headers.get('x-kind')]).toEqual([201, 'stream']);
    const seen: string[] = [];
    for await (const chunk of answer.body ?? []) {
      seen.push(Buffer.from(chunk).toString());
      goOn(); // the next frame is written only now
    }
    expect(seen).toEqual(['one ', 'two ', 'three']);
  });

  it('breaks off if the function fails after the first byte', async () => {
    const answer = await fetch(`${url}/throws-after`);
    expect(answer.status).toBe(201);
    await expect(answer.text()).rejects.toThrow();
  });

  it('continues in the function if the client disconnects', async () => {
    const controller = new AbortController();
    const answer = await fetch(`${url}/frames`, { signal: controller.signal });
    expect(answer.status).toBe(201);
    controller.abort();
    const before = ended;
    await eventually(
      async () => {
        goOn();
        return ended;
      },
      (count) => count > before,
    );
    expect((await fetch(`${url}/echo`)).status).toBe(200);
  });
});
