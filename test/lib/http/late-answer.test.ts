import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import {
  type Handler,
  installRuntime,
  invokeStreaming,
  PRELUDE_DELIMITER,
  responseStream,
} from '../../../infra/local/lambda-runtime.ts';
import { waitUntil } from '../../../lib/async/after-response.ts';
import { NotFound } from '../../../lib/errors.ts';
import { EVENT_STREAM_HEADERS, eventSchema, eventStream } from '../../../lib/http/event-stream.ts';
import { answerInTime } from '../../../lib/http/late-answer.ts';
import { reply } from '../../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../../lib/http/route.ts';
import { serve } from '../../../lib/http/serve.ts';
import { setLogLevel } from '../../../lib/log.ts';
import { eventually } from '../../support/sync.ts';

setLogLevel('error');
installRuntime();

const late = { afterMs: 100, everyMs: 75 };
const route = routeFor<HttpPorts>();
/** The work of the route. */
let work: () => Promise<unknown>;
/** True if the reader left the event stream. */
let aborted = false;

const plain = { operationId: 'testRoute', summary: '', access: 'viewer', mayBeLate: true } as const;
const events = { mediaType: 'text/event-stream', description: '', event: eventSchema };
const handler = serve(
  [
    route({
      ...plain,
      method: 'GET',
      path: '/json',
      replies: { 200: z.unknown() },
      errors: ['note_not_found'],
      handle: async () => reply(200, await work()),
    }),
    route({
      ...plain,
      method: 'GET',
      path: '/prompt',
      mayBeLate: undefined as never,
      replies: { 200: z.unknown() },
      handle: async () => reply(200, await work()),
    }),
    route({
      ...plain,
      method: 'GET',
      path: '/events',
      replies: { 200: events },
      errors: ['note_not_found'],
      async handle() {
        await work();
        return reply(200, eventStream(parts), EVENT_STREAM_HEADERS);
      },
    }),
  ],
  { clock: { now: () => 0 } } as unknown as HttpPorts,
  { streaming: true, late },
) as unknown as Handler;

function parts(signal: AbortSignal) {
  signal.addEventListener('abort', () => {
    aborted = true;
  });
  return owls();
}

async function* owls() {
  yield { type: 'text-delta', id: '1', delta: 'owls' } as const;
}

function start(path: string, { method = 'GET', timeoutMs = 60_000 } = {}) {
  const stream = responseStream();
  const authorizer = { principalId: 'm', role: 'viewer', workspaceIds: 'null' };
  const event = {
    ...{ resource: path, httpMethod: method, headers: {}, pathParameters: null, queryStringParameters: null },
    ...{ body: null, requestContext: { requestId: 'r-1', authorizer } },
  };
  const done = invokeStreaming(handler, event, stream, timeoutMs);
  return { stream, done };
}

async function call(path: string, options = {}) {
  const { stream, done } = start(path, options);
  let bytes = Buffer.alloc(0);
  for await (const chunk of stream) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    if (/ {2}$|(: still here\n\n){2}$/.test(bytes.toString())) waitedTwice.resolve();
  }
  await done;
  const end = bytes.indexOf(PRELUDE_DELIMITER);
  const { statusCode, headers } = JSON.parse(bytes.subarray(0, end).toString());
  return { statusCode, headers, text: bytes.subarray(end + PRELUDE_DELIMITER.length).toString() };
}

const after = (time: () => Promise<void>, result: unknown) => async () => {
  await time();
  if (result instanceof Error) throw result;
  return result;
};
/** Returns work that ends in time on any host. */
const quick = (result: unknown) => {
  late.afterMs = 60_000;
  return after(() => sleep(0), result);
};
/** Returns work that ends in time for a route without late answers, and for HEAD. */
const slow = (result: unknown) => after(() => sleep(300), result);
/** Returns work that ends when its caller has read two spaces, or two comments. */
const overdue = (result: unknown) => after(() => waitedTwice.promise, result);
const missing = new NotFound('note_not_found', 'This note does not exist.', { field: 'nöteId' });

let waitedTwice: PromiseWithResolvers<void>;
beforeEach(() => {
  late.afterMs = 100;
  waitedTwice = Promise.withResolvers();
  aborted = false;
});

describe('late answer', () => {
  it('is JSON after spaces, one immediately and one per interval', async () => {
    work = overdue({ id: 1 });
    const { statusCode, headers, text } = await call('/json');
    expect([statusCode, headers['content-type'], headers['x-request-id']]).toEqual([
      ...[202, 'application/json', 'r-1'],
    ]);
    expect(text).toMatch(/^ {2,}\{"id":1\}$/);
  });

  it('has the status and headers of an error in its body', async () => {
    work = overdue(missing);
    const { statusCode, text } = await call('/json');
    expect([statusCode, JSON.parse(text)]).toEqual([
      202,
      { error: missing.message, status: 404, code: 'note_not_found', field: 'n%C3%B6teId' },
    ]);
  });

  it('hides internal error messages', async () => {
    work = overdue(new TypeError('secret detail'));
    const { text } = await call('/json');
    expect(JSON.parse(text)).toMatchObject({ status: 500, code: 'internal_error' });
    expect(text).not.toContain('secret');
  });

  it('ends with an error before the platform ends the function', async () => {
    work = after(() => new Promise(() => {}), {});
    const { text } = await call('/json', { timeoutMs: 3200 });
    expect(JSON.parse(text)).toEqual({
      ...{ status: 504, code: 'request_timeout' },
      error: expect.stringContaining('Check whether it took effect before you try again.'),
    });
  });

  it.each([
    ['quick', '/json', {}, quick],
    ['of an undeclared route', '/prompt', {}, slow],
    ['a response to HEAD', '/json', { method: 'HEAD' }, slow],
  ])('is sent as an ordinary response if it is %s', async (_, path, options, does) => {
    work = does({ id: 1 });
    const { statusCode, text } = await call(path, options);
    expect([statusCode, text]).toEqual([200, '{"id":1}']);
  });

  it('has the status of an error that occurs in time', async () => {
    work = quick(missing);
    const { statusCode, headers } = await call('/json');
    expect([statusCode, headers['x-error-code']]).toEqual([404, 'note_not_found']);
  });
});

describe('answer of a function that is about to end', () => {
  const open = async (kind: 'json' | 'events') => {
    const options = { ...late, kind, requestId: 'r-1', headers: {}, timeLeftMs: () => 0 };
    const { body } = await answerInTime(new Promise(() => {}), options);
    return readText(body as unknown as Readable);
  };

  it.each(['json', 'events'] as const)(
    'reports the end instead of waiting for its work: %s',
    async (kind) => {
      expect(await open(kind)).toContain('"code":"request_timeout"');
    },
  );

  it.each(['json', 'events'] as const)('waits for no background work: %s', async (kind) => {
    let isDone = false;
    const background = sleep(2500).then(() => {
      isDone = true;
    });
    waitUntil('the test', background);
    await open(kind);
    expect(isDone).toBe(false);
    await background;
  });
});

describe('late event stream', () => {
  it('has comments before its first part', async () => {
    work = overdue({});
    const { statusCode, headers, text } = await call('/events');
    expect([statusCode, headers]).toEqual([200, expect.objectContaining(EVENT_STREAM_HEADERS)]);
    expect(text).toMatch(/^(: still here\n\n){2,}id: 1\ndata: .*owls.*\n\ndata: \[DONE\]\n\n$/s);
  });

  it('reports an error as a part, like any stream', async () => {
    work = overdue(missing);
    const { text } = await call('/events');
    expect(text).toContain('id: 1\ndata: {"type":"error","errorText":"This note does not exist."}\n\n');
    expect(text).toContain('"code":"note_not_found"');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('aborts its source if the reader left before the work finished', async () => {
    work = overdue({});
    const { stream, done } = start('/events');
    const failed = expect(done).rejects.toThrow();
    await once(stream, 'data');
    stream.destroy();
    await failed;
    waitedTwice.resolve();
    await eventually(async () => aborted, Boolean);
  });

  it.each(['in time', 'late'])('aborts its source if the reader left before its start: %s', async (when) => {
    const gone = Promise.withResolvers<void>();
    work = after(() => gone.promise, {});
    const { stream, done } = start('/events');
    stream.destroy();
    if (when === 'in time') gone.resolve();
    await done.catch(() => undefined);
    gone.resolve();
    await eventually(async () => aborted, Boolean);
  });
});
