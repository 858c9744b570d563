import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { Conflict, ServiceError, UpstreamFailed } from '../../../lib/errors.ts';
import { answerIdempotently } from '../../../lib/http/idempotency.ts';
import { reply } from '../../../lib/http/reply.ts';
import type { HttpPorts, Reply, Route, RouteInput } from '../../../lib/http/route.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MINUTE = 60_000;
let now = Date.UTC(2026, 0, 1);
const clock = { now: () => now };
const database = openDatabase(await tempFolder());
const records = sqliteRecords(database, clock);
const ports: HttpPorts = { records, clock };
const notes = { method: 'POST', path: '/notes/{id}', access: 'member' } as Route<HttpPorts>;

type Answer = () => Promise<Reply>;
interface Call {
  /** Null to send no key. */
  key?: string | null;
  body?: unknown;
  params?: unknown;
  caller?: string;
  route?: Partial<Route<HttpPorts>>;
}

function call({ key = 'k', body = { a: 1 }, params = {}, caller = 'me', route }: Call, answer: Answer) {
  const input: RouteInput = {
    params,
    query: {},
    body,
    caller: { id: caller, role: 'member', workspaceIds: null },
    headers: key === null ? {} : { 'idempotency-key': key },
    requestId: 'r',
    timeLeftMs: () => 1000,
  };
  return answerIdempotently(ports, { ...notes, ...route }, input, answer);
}

/** Returns a separate caller per test, with counted work. */
function freshCaller() {
  const caller = randomUUID();
  let runs = 0;
  return {
    runs: () => runs,
    call: (request: Call = {}, answer: Answer = async () => reply(201, { run: runs })) =>
      call({ caller, ...request }, () => {
        runs++;
        return answer();
      }),
  };
}

const refused = (error: unknown) =>
  error instanceof ServiceError ? { status: error.status, text: error.message, ...error.headers } : error;

async function stored(request: Call, answer: Answer): Promise<Buffer> {
  return buffer((await call(request, answer)).body as Readable);
}

describe('answerIdempotently', () => {
  it('repeats the status, headers, and body of the first response', async () => {
    const { call, runs } = freshCaller();
    const first = await call({}, async () => reply(201, { id: 'n', text: 'ж' }, { 'x-run-id': '7' }));
    expect(first.headers).toEqual({ 'x-run-id': '7' });
    expect(await call()).toEqual({
      status: 201,
      body: { id: 'n', text: 'ж' },
      headers: { 'x-run-id': '7', 'idempotency-replayed': 'true' },
    });
    expect(runs()).toBe(1);
  });

  it('repeats a text with its own content type', async () => {
    const { call } = freshCaller();
    await call({}, async () => reply(200, 'a,b', { 'content-type': 'text/csv' }));
    expect(await call()).toMatchObject({ body: 'a,b', headers: { 'content-type': 'text/csv' } });
  });

  it('stores no part of the request', async () => {
    const caller = randomUUID();
    await call({ caller, body: { text: 'hunter2' } }, async () => reply(200, {}));
    const rows = database.prepare('SELECT value FROM records').all() as { value: string }[];
    expect(rows.map(({ value }) => value).join()).toContain(caller);
    expect(rows.map(({ value }) => value).join()).not.toContain('hunter2');
  });

  it.each<[string, Call]>([
    ['another key', { key: 'other' }],
    ['another route', { route: { path: '/tasks' } }],
    ['another caller', { caller: 'somebody else' }],
  ])('works again for %s', async (_name, other) => {
    const { call, runs } = freshCaller();
    await call();
    await call(other);
    expect(runs()).toBe(2);
  });

  it.each<[string, Call]>([
    ['no key', { key: null }],
    ['a route that opted out', { route: { idempotent: false } }],
    ['a public route', { route: { access: 'public' } }],
    ['PUT', { route: { method: 'PUT' } }],
  ])('works every time with %s', async (_name, request) => {
    const { call, runs } = freshCaller();
    await call(request);
    await call(request);
    expect(runs()).toBe(2);
  });

  it('repeats the first response on a public route that allows it', async () => {
    const { call, runs } = freshCaller();
    const route: Call['route'] = { access: 'public', idempotent: true };
    await call({ route });
    expect(await call({ route })).toMatchObject({ headers: { 'idempotency-replayed': 'true' } });
    expect(runs()).toBe(1);
  });

  it.each<[string, Call]>([
    ['body', { body: { a: 2 } }],
    ['path', { params: { id: '2' } }],
  ])('returns 409 for a different %s under the key', async (_name, other) => {
    const { call, runs } = freshCaller();
    await call();
    await expect(call(other).catch(refused)).resolves.toMatchObject({ status: 409 });
    expect(runs()).toBe(1);
  });

  it('distinguishes files by their bytes', async () => {
    const { call, runs } = freshCaller();
    const upload = (text: string) => ({ file: { filename: 'a', mimetype: 'b', content: Buffer.from(text) } });
    await call({ body: upload('one') });
    expect(await call({ body: upload('one') })).toMatchObject({ body: { run: 1 } });
    await expect(call({ body: upload('two') })).rejects.toThrow(Conflict);
    expect(runs()).toBe(1);
  });

  it.each([[''], ['x'.repeat(201)], ['tab\t'], ['ключ']])('returns 400 for the key %j', async (key) => {
    const { call } = freshCaller();
    const error = await call({ key }).catch(refused);
    expect(error).toMatchObject({ status: 400, text: expect.stringContaining('idempotency-key') });
  });

  it.each([['x'], [' ~'], ['x'.repeat(200)]])('accepts the key %j', async (key) => {
    expect((await freshCaller().call({ key })).status).toBe(201);
  });

  it('forgets the response after 24 hours', async () => {
    const { call, runs } = freshCaller();
    await call();
    now += 24 * 60 * MINUTE - 2000;
    await call();
    expect(runs()).toBe(1);
    now += 3000;
    await call();
    expect(runs()).toBe(2);
  });

  it('frees the key if the work fails', async () => {
    const { call, runs } = freshCaller();
    await expect(
      call({}, () => Promise.reject(new UpstreamFailed('upstream_failed', 'model'))),
    ).rejects.toThrow('model');
    expect(await call()).toMatchObject({ status: 201, headers: {} });
    expect(runs()).toBe(2);
  });

  it('lets one of twenty concurrent calls do the work', async () => {
    const { call, runs } = freshCaller();
    const work = async () => {
      await setImmediate();
      return reply(200, {});
    };
    const ends = await Promise.all(Array.from({ length: 20 }, () => call({}, work).catch(refused)));
    expect(runs()).toBe(1);
    expect(ends.filter((end) => (end as Reply).status === 200)).toHaveLength(1);
    expect(ends.filter((end) => (end as Reply).status === 409)).toHaveLength(19);
    expect(ends).toContainEqual(expect.objectContaining({ status: 409, 'retry-after': '1' }));
  });

  it('takes over abandoned work after 15 minutes, and then ignores its first worker', async () => {
    const { call, runs } = freshCaller();
    let comeBack: (late: Reply) => void = () => {};
    const late = call({}, () => new Promise((resolve) => (comeBack = resolve)));
    await setImmediate();
    now += 15 * MINUTE - 1;
    await expect(call().catch(refused)).resolves.toMatchObject({ status: 409, 'retry-after': '1' });
    now += 1;
    await call({}, async () => reply(200, 'second'));
    comeBack(reply(200, 'late'));
    expect((await late).body).toBe('late');
    expect((await call()).body).toBe('second');
    expect(runs()).toBe(2);
  });

  it('does not free the claim of the call that took over', async () => {
    const { call, runs } = freshCaller();
    let fail: (error: Error) => void = () => {};
    const late = call({}, () => new Promise((_resolve, reject) => (fail = reject)));
    await setImmediate();
    now += 15 * MINUTE;
    await call();
    fail(new Error('late'));
    await expect(late).rejects.toThrow('late');
    await call();
    expect(runs()).toBe(2);
  });

  it.each([
    ['JSON', async () => reply(200, 'x'.repeat(300_001))],
    ['a stream', async () => reply(200, Readable.from([Buffer.alloc(300_001)]))],
  ])('returns 409 afterwards if %s was too large to store', async (_name, work) => {
    const { call, runs } = freshCaller();
    const { body } = await call({}, work);
    if (body instanceof Readable) expect(await buffer(body)).toHaveLength(300_001);
    const error = await call().catch(refused);
    expect(error).toMatchObject({ status: 409, text: expect.stringContaining("can't be repeated") });
    expect(runs()).toBe(1);
  });

  it('stores JSON with many characters that must be escaped', async () => {
    const { call } = freshCaller();
    const body = { text: '"\u0001'.repeat(37_000) };
    await call({}, async () => reply(200, body));
    expect((await call()).body).toEqual(body);
  });
});

describe('answerIdempotently with a stream', () => {
  const frames = ['id: 1\n', Buffer.from([0, 255, 128]), 'end'];
  const bytes = Buffer.concat(frames.map((frame) => Buffer.from(frame)));

  it('passes on the bytes, and repeats them once they have ended', async () => {
    const caller = randomUUID();
    const work = async () => reply(200, Readable.from(frames), { 'content-type': 'text/event-stream' });
    expect(await stored({ caller }, work)).toEqual(bytes);
    const again = await call({ caller }, work);
    expect(again.headers).toEqual({ 'content-type': 'text/event-stream', 'idempotency-replayed': 'true' });
    expect(await buffer(again.body as Readable)).toEqual(bytes);
  });

  it('stores 300,000 bytes completely', async () => {
    const { call } = freshCaller();
    const work = async () => reply(200, Readable.from([Buffer.alloc(150_000, 1), Buffer.alloc(150_000, 2)]));
    await buffer((await call({}, work)).body as Readable);
    const again = await buffer((await call()).body as Readable);
    expect([again.length, again[0], again.at(-1)]).toEqual([300_000, 1, 2]);
  });

  it('passes on each chunk immediately, and stays in progress until the end', async () => {
    const { call } = freshCaller();
    const source = new Readable({ read() {} });
    const { body } = await call({}, async () => reply(200, source));
    const pieces = (body as Readable)[Symbol.asyncIterator]();
    source.push('first');
    expect(String((await pieces.next()).value)).toBe('first');
    await expect(call().catch(refused)).resolves.toMatchObject({ status: 409, 'retry-after': '1' });
    source.push(null);
    expect((await pieces.next()).done).toBe(true);
    expect((await call()).status).toBe(200);
  });

  it('returns 409 afterwards if the client disconnected, and stops the source', async () => {
    const { call, runs } = freshCaller();
    const source = new Readable({ read() {} });
    const { body } = await call({}, async () => reply(200, source));
    (body as Readable).destroy();
    await setImmediate();
    expect(source.destroyed).toBe(true);
    const error = await call().catch(refused);
    expect(error).toMatchObject({ status: 409, text: expect.stringContaining("can't be repeated") });
    expect(runs()).toBe(1);
  });

  it('breaks off when its source does', async () => {
    const { call } = freshCaller();
    const source = Readable.from(
      (async function* () {
        yield 'some';
        throw new Error('model stalled');
      })(),
    );
    const { body } = await call({}, async () => reply(200, source));
    await expect(buffer(body as Readable)).rejects.toThrow('model stalled');
    await expect(call().catch(refused)).resolves.toMatchObject({ status: 409 });
  });
});
