import { describe, expect, it } from '@jest/globals';
import type { Note } from '../../../lib/notes/schema.ts';
import { startService } from '../../support/service.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const workspace = await makeWorkspace(service);
const UNKNOWN = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';
const JSON_TYPE = { 'content-type': 'application/json' };

function create(fields: Record<string, unknown> = {}) {
  const body = { workspaceId: workspace.id, title: 'A note', content: 'Text.', ...fields };
  return service.call<Note>('POST', '/api/notes', body);
}

function list(query: string) {
  return service.call<Note[]>('GET', `/api/notes${query}`);
}

const noteCount = async (id: string) =>
  (await service.call<{ noteCount: number }>('GET', `/api/workspaces/${id}`)).body.noteCount;

describe('POST /api/notes', () => {
  it('returns 201 with the note, which is readable immediately', async () => {
    const { status, body } = await create({ title: ' Zwei 😀 ', content: '# H\n\n"x"' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      workspaceId: workspace.id,
      title: 'Zwei 😀',
      content: '# H\n\n"x"',
      type: 'manual',
      reportDate: null,
      createdBy: 'local',
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: body.createdAt,
    });
    expect(await service.call('GET', `/api/notes/${body.id}`)).toMatchObject({ status: 200, body });
  });

  it('stores a missing content as an empty text', async () => {
    expect((await create({ content: undefined })).body.content).toBe('');
  });

  it('accepts up to 392 KB, and returns 413 for more', async () => {
    const content = 'x'.repeat(392 * 1024 - 2);
    const { status, body } = await create({ content, title: '"'.repeat(500) });
    expect(status).toBe(201);
    expect((await service.call<Note>('GET', `/api/notes/${body.id}`)).body.content).toBe(content);
    for (const more of [`${content}x`, '"'.repeat(200 * 1024), '研'.repeat(134_000)]) {
      const answer = await create({ content: more });
      expect(answer).toMatchObject({ status: 413, body: { error: expect.stringContaining('392 KB') } });
    }
    await service.call('DELETE', `/api/notes/${body.id}`);
  });

  it.each([
    ['no workspace', { workspaceId: undefined }, 400, 'workspaceId'],
    ['an unknown workspace', { workspaceId: UNKNOWN }, 404, 'workspace'],
    ['no title', { title: undefined }, 400, 'title'],
    ['a blank title', { title: '  ' }, 400, 'title'],
    ['a title over 500 characters', { title: 'x'.repeat(501) }, 400, 'title'],
    ["content that isn't a string", { content: 1 }, 400, 'content'],
    ['a type', { type: 'daily_report' }, 400, 'type'],
    ['an ID', { id: UNKNOWN }, 400, 'id'],
  ])('rejects %s', async (_what, fields, status, named) => {
    const answer = await create(fields);
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(named) } });
  });
});

describe('GET /api/notes', () => {
  it('lists complete notes of only this workspace, newest first', async () => {
    const other = await makeWorkspace(service);
    const { id } = await makeWorkspace(service);
    const made = [];
    for (const title of ['one', 'two', 'three']) made.push((await create({ workspaceId: id, title })).body);
    await create({ workspaceId: other.id });
    expect((await list(`?workspaceId=${id}`)).body).toEqual(made.toReversed());
    expect([await noteCount(id), await noteCount(other.id)]).toEqual([3, 1]);
  });

  it('returns pages with a cursor, each note once, and shorter pages if notes are long', async () => {
    const { id } = await makeWorkspace(service);
    for (let i = 0; i < 9; i++) await create({ workspaceId: id, content: 'x'.repeat(390 * 1024) });
    const seen: string[] = [];
    let query = `?workspaceId=${id}&limit=1000`;
    for (let page = 0; page < 10; page++) {
      const answer = await list(query);
      expect(answer.bytes.length).toBeLessThan(3 * 1024 * 1024);
      seen.push(...answer.body.map((note) => note.id));
      const cursor = answer.headers['x-next-cursor'];
      if (cursor === undefined) break;
      query = `?workspaceId=${id}&limit=2&cursor=${String(cursor)}`;
    }
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
    expect(seen).toHaveLength(9);
  });

  it('filters by type and by words, across pages', async () => {
    const { id } = await makeWorkspace(service);
    const owls = (await create({ workspaceId: id, title: 'Of Owls', content: 'They hunt at NIGHT.' })).body;
    for (let i = 0; i < 4; i++) await create({ workspaceId: id, title: 'Other', content: 'owls by day' });
    const query = `?workspaceId=${id}&q=${encodeURIComponent('night  owls')}`;
    expect((await list(query)).body).toEqual([owls]);
    expect((await list(`${query}&type=manual`)).body).toEqual([owls]);
    expect((await list(`?workspaceId=${id}&type=faq`)).body).toEqual([]);
    const first = await list(`?workspaceId=${id}&q=owls&limit=3`);
    const cursor = String(first.headers['x-next-cursor']);
    const rest = await list(`?workspaceId=${id}&q=owls&limit=3&cursor=${cursor}`);
    expect([first.body.length, rest.body.map((note) => note.id).at(-1)]).toEqual([3, owls.id]);
  });

  it('ends a page with few matches among many notes, and continues after it', async () => {
    const { id } = await makeWorkspace(service);
    const found = (await create({ workspaceId: id, title: 'needle' })).body;
    for (let i = 0; i < 56; i++) await create({ workspaceId: id, content: 'x'.repeat(385 * 1024) });
    const first = await list(`?workspaceId=${id}&q=needle`);
    expect(first.body).toEqual([]);
    const rest = await list(`?workspaceId=${id}&q=needle&cursor=${String(first.headers['x-next-cursor'])}`);
    expect(rest.body).toEqual([found]);
  });

  it.each([
    ['', 400, 'workspaceId'],
    ['?workspaceId=', 400, 'workspaceId'],
    ['WORKSPACE&type=poem', 400, 'type'],
    [`WORKSPACE&q=${'x'.repeat(201)}`, 400, 'q'],
    [`?workspaceId=${UNKNOWN}`, 404, 'workspace'],
    ['WORKSPACE&limit=0', 400, 'limit'],
    ['WORKSPACE&cursor=!!!', 400, 'cursor'],
  ])('rejects %j', async (query, status, named) => {
    const answer = await list(query.replace('WORKSPACE', `?workspaceId=${workspace.id}`));
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(named) } });
  });
});

describe('PUT /api/notes/{noteId}', () => {
  const change = (id: string, body: unknown) =>
    service.call<Note>('PUT', `/api/notes/${id}`, body, JSON_TYPE);

  it('changes the title, the content, or both', async () => {
    const { body: made } = await create();
    const titled = (await change(made.id, { title: 'New' })).body;
    expect(titled).toEqual({ ...made, title: 'New', updatedAt: expect.any(String) });
    expect(titled.updatedAt >= made.updatedAt).toBe(true);
    expect((await change(made.id, { content: '' })).body).toMatchObject({ title: 'New', content: '' });
    const both = (await change(made.id, { title: 'B', content: 'b' })).body;
    expect((await service.call('GET', `/api/notes/${made.id}`)).body).toEqual(both);
  });

  it('keeps both of two concurrent changes', async () => {
    const { id } = (await create()).body;
    await Promise.all([change(id, { title: 'kept' }), change(id, { content: 'kept' })]);
    expect((await service.call('GET', `/api/notes/${id}`)).body).toMatchObject({
      title: 'kept',
      content: 'kept',
    });
  });

  it('returns no ETag, because the time of the last change protects against conflicts', async () => {
    const made = await create();
    const answers = [
      made,
      await service.call('GET', `/api/notes/${made.body.id}`),
      await change(made.body.id, { title: 'x' }),
    ];
    expect(answers.map(({ headers }) => (headers as Record<string, string>).etag)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('rejects a change of fields that another user has changed in the meantime, and keeps those fields', async () => {
    const { id, updatedAt } = (await create()).body;
    const theirs = (await change(id, { content: 'theirs', ifUpdatedAt: updatedAt })).body;
    const late = await change(id, { content: 'mine', ifUpdatedAt: updatedAt });
    expect(late).toMatchObject({ status: 409, body: { error: expect.stringContaining(theirs.updatedAt) } });
    expect(late.headers).toMatchObject({
      'x-error-code': 'changed_since_read',
      'x-error-field': 'ifUpdatedAt',
    });
    expect((await service.call('GET', `/api/notes/${id}`)).body).toEqual(theirs);
    const { status } = await change(id, { content: 'mine', ifUpdatedAt: theirs.updatedAt });
    expect(status).toBe(200);
    const gone = await change(UNKNOWN, { content: 'mine', ifUpdatedAt: updatedAt });
    expect(gone.status).toBe(404);
  });

  it.each([
    ['an unknown note', UNKNOWN, { title: 'x' }, 404, 'note'],
    ['an empty body', 'made', {}, 400, 'title or content'],
    ['only a time', 'made', { ifUpdatedAt: '2026-01-01T00:00:00.000Z' }, 400, 'title or content'],
    ['an invalid time', 'made', { title: 'x', ifUpdatedAt: 'yesterday' }, 400, 'ifUpdatedAt'],
    ['a blank title', 'made', { title: '' }, 400, 'title'],
    ['null', 'made', { content: null }, 400, 'content'],
    ['another workspace', 'made', { workspaceId: UNKNOWN }, 400, 'workspaceId'],
    ['a time', 'made', { createdAt: '2026-01-01T00:00:00.000Z' }, 400, 'createdAt'],
    ['too much content', 'made', { content: 'x'.repeat(400 * 1024) }, 413, '392 KB'],
    ['a body that is not JSON', 'made', 'x', 400, 'JSON'],
  ])('rejects %s', async (_what, id, body, status, named) => {
    const answer = await change(id === 'made' ? (await create()).body.id : id, body);
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(named) } });
  });
});

describe('DELETE /api/notes/{noteId}', () => {
  it('removes the note', async () => {
    const { id } = await makeWorkspace(service);
    const note = (await create({ workspaceId: id })).body;
    const path = `/api/notes/${note.id}`;
    expect(await service.call('DELETE', path)).toMatchObject({ status: 200, body: { success: true } });
    for (const method of ['GET', 'DELETE']) expect((await service.call(method, path)).status).toBe(404);
    expect((await service.call('PUT', path, { title: 'x' })).status).toBe(404);
    expect([await noteCount(id), (await list(`?workspaceId=${id}`)).body]).toEqual([0, []]);
  });

  it('returns 405 with Allow for another method', async () => {
    const answer = await service.call('PATCH', '/api/notes/x', {});
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
  });
});

describe('DELETE /api/workspaces/{workspaceId}', () => {
  it('deletes the notes', async () => {
    const { id } = await makeWorkspace(service);
    const made = [];
    for (let i = 0; i < 150; i++) made.push(create({ workspaceId: id }));
    const [note] = await Promise.all(made);
    expect(await noteCount(id)).toBe(150);
    await service.call('DELETE', `/api/workspaces/${id}`);
    expect((await service.call('GET', `/api/notes/${note?.body.id}`)).status).toBe(404);
    expect((await list(`?workspaceId=${id}`)).status).toBe(404);
  });
});
