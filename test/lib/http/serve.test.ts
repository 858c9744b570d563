import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { Conflict, TooManyRequests, Unauthorized, UpstreamFailed } from '../../../lib/errors.ts';
import { reply } from '../../../lib/http/reply.ts';
import { type HttpPorts, rawBody, routeFor } from '../../../lib/http/route.ts';
import { serve } from '../../../lib/http/serve.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import { pageQuery } from '../../../lib/records/page.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const route = routeFor<HttpPorts>();
const answers = { 200: z.unknown() };
const failures: Record<string, Error> = {
  conflict: new Conflict('conflict', 'it exists'),
  busy: new TooManyRequests('rate_limited', 'slow down', 1.2),
  upstream: new UpstreamFailed('upstream_failed', 'provider a failed', {
    cause: new Error('socket hang up'),
  }),
  ours: new TypeError('secret detail at /srv/app.ts'),
};
const routes = [
  route({
    method: 'POST',
    path: '/things/{id}',
    operationId: 'testRoute',
    summary: '',
    access: 'member',
    params: z.object({ id: z.string() }),
    body: z.strictObject({ name: z.string().min(1), size: z.number().optional() }),
    replies: answers,
    handle: async ({ params, body, caller }) => reply(200, { ...params, ...body, caller: caller.id }),
  }),
  route({
    method: 'GET',
    path: '/things/{id}',
    operationId: 'testRoute',
    summary: '',
    access: 'viewer',
    query: pageQuery,
    replies: answers,
    handle: async ({ query }) => reply(200, query),
  }),
  route({
    method: 'GET',
    path: '/fail/{id}',
    operationId: 'testRoute',
    summary: '',
    access: 'public',
    params: z.object({ id: z.string() }),
    replies: answers,
    handle: async ({ params }) => Promise.reject(failures[params.id]),
  }),
];
const signed = route({
  method: 'POST',
  path: '/signed',
  operationId: 'testRoute',
  summary: '',
  access: 'public',
  credential: 'a word',
  admit({ word }) {
    if (word !== 'please') throw new Unauthorized('invalid_credential');
  },
  bodyType: { raw: 'text/xml', maxBytes: 8 },
  body: rawBody,
  replies: answers,
  handle: async ({ body }) => reply(200, Buffer.from(body).toString('hex')),
});
const handler = serve([...routes, signed], { clock: { now: () => 0 } } as unknown as HttpPorts);
const member = { principalId: 'm', role: 'member', workspaceIds: 'null' };

async function call(changes: Partial<APIGatewayProxyEvent> & { authorizer?: unknown }, serving = handler) {
  const { authorizer, ...rest } = changes;
  const event = {
    resource: '/things/{id}',
    httpMethod: 'POST',
    headers: { 'Content-Type': 'application/json' },
    pathParameters: { id: '1' },
    queryStringParameters: null,
    body: '{"name":"a"}',
    requestContext: { requestId: 'r-1', authorizer: 'authorizer' in changes ? authorizer : member },
    ...rest,
  } as unknown as APIGatewayProxyEvent;
  const lines: string[] = [];
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  try {
    const result = (await serving(event, {} as Context)) as APIGatewayProxyResult;
    return { ...result, json: JSON.parse(result.body || '{}') as { error?: string }, output: lines.join('') };
  } finally {
    spy.mockRestore();
  }
}

describe('serve', () => {
  it('returns JSON with a request ID, without caching', async () => {
    const { statusCode, json, headers } = await call({});
    expect(statusCode).toBe(200);
    expect(json).toEqual({ id: '1', name: 'a', caller: 'm' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': 'r-1',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['an unknown field by its name', '{"name":"a","siez":1}', 'siez'],
    ['a missing field', '{}', 'name'],
    ['a wrong type', '{"name":"a","size":"big"}', 'size'],
    ['an empty name', '{"name":""}', 'name'],
    ['a list', '[]', 'body'],
    ['null', 'null', 'body'],
    ['broken JSON', '{', "isn't valid JSON"],
    ['a hidden prototype', '{"name":"a","__proto__":{"x":1}}', '__proto__'],
  ])('returns 400 for %s', async (_name, body, text) => {
    const { statusCode, json } = await call({ body });
    expect(statusCode).toBe(400);
    expect(json.error).toContain(text);
    expect(Object.keys(json)).toEqual(['error']);
  });

  it('keeps the text of an error short, whatever was sent', async () => {
    const { statusCode, json } = await call({ body: JSON.stringify({ ['x'.repeat(100_000)]: 1 }) });
    expect(statusCode).toBe(400);
    expect(json.error?.length).toBeLessThanOrEqual(1000);
  });

  it.each([[undefined], [null], [{}], [{ ...member, role: 'root' }]])(
    'returns 401 for %j',
    async (authorizer) => {
      const { statusCode } = await call({ authorizer, body: 'not even JSON' });
      expect(statusCode).toBe(401);
    },
  );

  it('returns 403 before it reads the body', async () => {
    const { statusCode, json } = await call({ authorizer: { ...member, role: 'viewer' }, body: '{' });
    expect(statusCode).toBe(403);
    expect(json.error).toContain('member');
  });

  it('returns 405 with the allowed methods', async () => {
    const { statusCode, headers } = await call({ httpMethod: 'PATCH' });
    expect(statusCode).toBe(405);
    expect(headers).toMatchObject({ allow: 'POST, GET, HEAD', 'x-request-id': 'r-1' });
  });

  it('handles HEAD like GET, and returns 405 for HEAD without GET', async () => {
    const head = await call({ httpMethod: 'HEAD', queryStringParameters: { limit: '7' } });
    expect([head.statusCode, head.json]).toEqual([200, { limit: 7 }]); // the gateway sends only its length
    expect((await call({ httpMethod: 'HEAD', resource: '/signed' })).statusCode).toBe(405);
  });

  it('reads no stream for HEAD', async () => {
    const body = Readable.from(['a', 'b']);
    const streamed = route({
      method: 'GET',
      path: '/streamed',
      operationId: 'testRoute',
      summary: '',
      access: 'public',
      replies: { 200: { mediaType: 'text/plain', description: '' } },
      handle: async () => reply(200, body, { 'content-type': 'text/plain', 'content-length': '2' }),
    });
    const ports = { clock: { now: () => 0 } } as unknown as HttpPorts;
    const { statusCode, headers } = await call(
      { httpMethod: 'HEAD', resource: '/streamed' },
      serve([streamed], ports),
    );
    expect([statusCode, headers?.['content-length'], body.destroyed]).toEqual([200, '2', true]);
  });

  it("lets pages of the configured origins read the service's headers, and no other pages", async () => {
    const shared = serve(routes, { clock: { now: () => 0 } } as unknown as HttpPorts, {
      corsOrigins: ['https://a.test'],
    });
    const from = async (Origin: string) =>
      (await call({ headers: { 'Content-Type': 'application/json', Origin } }, shared)).headers ?? {};
    const headers = await from('https://a.test');
    expect(headers['Access-Control-Allow-Origin']).toBe('https://a.test');
    expect(String(headers['Access-Control-Expose-Headers']).split(', ')).toEqual(
      expect.arrayContaining([
        'x-next-cursor',
        'x-request-id',
        'x-run-id',
        'x-vercel-ai-ui-message-stream',
        'etag',
        'content-range',
        'retry-after',
      ]),
    );
    expect((await from('https://b.test'))['Access-Control-Allow-Origin']).toBeUndefined();
  });

  it('returns 404 for an unknown resource', async () => {
    expect((await call({ resource: '/other' })).statusCode).toBe(404);
  });

  it.each([
    [{}, { limit: 100 }],
    [{ limit: '1000' }, { limit: 1000 }],
    [{ limit: '5', other: 'x' }, { limit: 5 }],
  ])('reads the page %j', async (queryStringParameters, expected) => {
    expect((await call({ httpMethod: 'GET', body: null, queryStringParameters })).json).toEqual(expected);
  });

  it.each([['0'], ['1001'], ['1.5'], ['ten'], ['']])('returns 400 for limit=%s', async (limit) => {
    const { statusCode, json } = await call({
      httpMethod: 'GET',
      body: null,
      queryStringParameters: { limit },
    });
    expect(statusCode).toBe(400);
    expect(json.error).toContain('limit');
  });

  it.each([
    ['conflict', 409, 'it exists'],
    ['busy', 429, 'slow down'],
    ['upstream', 502, 'provider a failed'],
    ['ours', 500, 'Something went wrong in the service. Try again.'],
  ])('turns the error %s into %i', async (id, status, error) => {
    const { statusCode, json } = await call({
      resource: '/fail/{id}',
      httpMethod: 'GET',
      pathParameters: { id },
    });
    expect(statusCode).toBe(status);
    expect(json).toEqual({ error });
  });

  it('returns the time at which to retry', async () => {
    const { headers } = await call({
      resource: '/fail/{id}',
      httpMethod: 'GET',
      pathParameters: { id: 'busy' },
    });
    expect(headers).toMatchObject({ 'retry-after': '2' });
  });

  it('logs the cause of a 500 or a 502', async () => {
    const failed = (id: string) =>
      call({ resource: '/fail/{id}', httpMethod: 'GET', pathParameters: { id } });
    expect((await failed('ours')).output).toContain('secret detail');
    expect((await failed('upstream')).output).toContain('socket hang up');
  });

  it('logs the route and the status, and no input', async () => {
    const { output } = await call({
      body: '{"name":"hunter2"}',
      headers: { 'content-type': 'application/json', Authorization: 'Bearer hunter3' },
    });
    expect(JSON.parse(output)).toMatchObject({
      route: '/things/{id}',
      status: 200,
      requestId: 'r-1',
      caller: 'm',
    });
    expect(output).not.toMatch(/hunter/);
  });
});

describe('route with its own credential and a raw body', () => {
  const send = (event: Partial<APIGatewayProxyEvent>) =>
    call({ resource: '/signed', authorizer: null, headers: { Word: 'please' }, ...event });

  it.each([
    ['a text', 'ä\n ', false, 'c3a40a20'],
    ['Base64', 'AAH/gA==', true, '0001ff80'],
    ['nothing', null, false, ''],
  ])('gets the bytes unchanged: %s', async (_, body, isBase64Encoded, hex) => {
    expect((await send({ body, isBase64Encoded })).json).toBe(hex);
  });

  it('rejects a body over its limit in bytes', async () => {
    const { statusCode, json } = await send({ body: 'ääääx', isBase64Encoded: false });
    expect([statusCode, json]).toEqual([413, { error: 'The body can have at most 8 bytes.' }]);
  });

  it('rejects an unauthenticated caller before it reads the body', async () => {
    expect((await send({ headers: {}, body: 'far too long a body' })).statusCode).toBe(401);
  });
});

describe('route that names a workspace', () => {
  const workspace = {
    id: '01a1fcf8-a7e2-778b-8bd9-87a5309f5401',
    name: 'w',
    rootPath: '/w',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const named = route({
    method: 'POST',
    path: '/named',
    operationId: 'testRoute',
    summary: '',
    access: 'member',
    body: z.strictObject({ workspaceId: z.string().nullish(), early: z.boolean().optional() }),
    replies: answers,
    workspace({ body }) {
      if (body.early) throw new Conflict('conflict', 'refused before');
      return body.workspaceId;
    },
    handle: async ({ workspace }) => reply(200, { workspace }),
  });
  let records: ReturnType<typeof sqliteRecords>;
  let handler: ReturnType<typeof serve>;

  beforeEach(async () => {
    records = sqliteRecords(openDatabase(await tempFolder()));
    handler = serve([named], { records, clock: systemClock });
    await workspaces.create(records, workspace);
  });

  const send = (body: unknown, changes: Parameters<typeof call>[0] = {}) =>
    call({ resource: '/named', pathParameters: null, body: JSON.stringify(body), ...changes }, handler);

  it.each([
    ['the workspace', { workspaceId: workspace.id }, { workspace }],
    ['null for a null workspace', { workspaceId: null }, { workspace: null }],
    ['nothing for an undefined one', {}, {}],
  ])('gets %s', async (_what, body, expected) => {
    const { statusCode, json } = await send(body);
    expect([statusCode, json]).toEqual([200, expected]);
  });

  it('returns 404 for a missing workspace, and 403 to a caller of another workspace', async () => {
    const unknown = await send({ workspaceId: 'unknown' });
    expect([unknown.statusCode, unknown.json]).toEqual([404, { error: 'This workspace does not exist.' }]);
    const authorizer = { ...member, workspaceIds: '["other"]' };
    expect((await send({ workspaceId: workspace.id }, { authorizer })).statusCode).toBe(403);
  });

  it("looks the workspace up after the role and schema checks, and after the route's own checks", async () => {
    const authorizer = { ...member, role: 'viewer' };
    const role = await send({ workspaceId: 'unknown' }, { authorizer });
    const schema = await send({ workspaceId: 'unknown', typo: 1 });
    const before = await send({ workspaceId: 'unknown', early: true });
    expect(role.json.error).toContain('member');
    expect([schema.statusCode, before.json.error]).toEqual([400, 'refused before']);
  });

  it('repeats its first response, even if the workspace has been deleted', async () => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
    await send({ workspaceId: workspace.id }, { headers });
    await workspaces.delete(records, workspace);
    const again = await send({ workspaceId: workspace.id }, { headers });
    expect([again.statusCode, again.json]).toEqual([200, { workspace }]);
    expect((await send({ workspaceId: workspace.id })).json).toEqual({
      error: 'This workspace does not exist.',
    });
  });
});
