import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../../../lib/audit/schema.ts';
import type { CreatedToken, Token } from '../../../lib/tokens/schema.ts';
import { readStream } from '../../support/agent-client.ts';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { countProcesses, openTestTerminal } from '../../support/terminal.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const provider = await startFakeOpenai();
whenDone(() => provider.stop());
const service = await startService({
  ...{ AUTH_MODE: 'token', PROVIDER_A_BASE_URL: provider.url, TITLES: 'off', LOG_LEVEL: 'error' },
});
const admin = await makeCaller(service, 'admin');
const [here, elsewhere] = await Promise.all([makeWorkspace(admin), makeWorkspace(admin)]);
const bound = await makeCaller(service, 'admin', '--workspaces', here.id);

async function makePerson(fields: Record<string, unknown> = {}): Promise<TestCaller> {
  const person = { name: 'ann', role: 'member', ...fields };
  const { body } = await admin.call<CreatedToken>('POST', '/api/tokens', person);
  const headers = { authorization: `Bearer ${body.secret}` };
  return { id: body.id, headers, call: (method, path, sent) => service.call(method, path, sent, headers) };
}

const change = (id: string, fields: Record<string, unknown>, caller = admin) =>
  caller.call<Token & { error?: string }>('PATCH', `/api/tokens/${id}`, fields);

const QUESTION = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Owls?' }] };
const LOSSES: [string, Record<string, unknown>][] = [
  ['gets a lower role', { role: 'monitor' }],
  ['is bound to other workspaces', { workspaceIds: [elsewhere.id] }],
];

describe('PATCH /api/tokens/{tokenId}', () => {
  it("takes effect on the next request, and keeps the caller's work", async () => {
    const ann = await makePerson();
    const own = { id: 'of-ann', workspaceId: here.id };
    expect((await ann.call('POST', '/api/chat', { ...own, messages: [QUESTION] })).status).toBe(200);
    const list = [{ subject: ann.id, role: 'member' }];
    expect((await admin.call('PUT', `/api/workspaces/${here.id}/members`, list)).status).toBe(200);
    const note = { workspaceId: here.id, title: 'Owls', content: 'At night.' };
    expect((await ann.call('POST', '/api/notes', note)).status).toBe(201);
    expect((await change(ann.id, { role: 'viewer', name: 'Ann Lee' })).status).toBe(200);
    expect((await ann.call('POST', '/api/notes', note)).status).toBe(403);
    expect((await ann.call('GET', '/api/conversations/of-ann')).status).toBe(200);
    await change(ann.id, { workspaceIds: [elsewhere.id] });
    expect((await ann.call('GET', `/api/notes?workspaceId=${here.id}`)).status).toBe(403);
    expect((await ann.call('GET', '/api/conversations/of-ann')).status).not.toBe(200);
    await change(ann.id, { workspaceIds: null, role: 'member' });
    expect((await ann.call('POST', '/api/notes', note)).status).toBe(201);
    expect((await ann.call('GET', '/api/conversations/of-ann')).status).toBe(200);
    const members = await admin.call<object[]>('GET', `/api/workspaces/${here.id}/members`);
    expect(members.body).toMatchObject([{ subject: ann.id, name: 'Ann Lee' }]);
    await admin.call('PUT', `/api/workspaces/${here.id}/members`, []);
  });

  it('is in the audit log once, with the values before and after', async () => {
    const { id } = await makePerson();
    await change(id, { role: 'admin', workspaceIds: [here.id] });
    await change(id, { role: 'viewer', workspaceIds: null }, bound);
    const { body } = await admin.call<AuditEntry[]>('GET', '/api/audit?action=tokens.change&limit=2');
    expect(body).toMatchObject([
      {
        ...{ actor: bound.id, outcome: 'refused', status: 403 },
        about: `${id}, role admin → viewer, workspaces ${here.id} → every workspace`,
      },
      {
        ...{ actor: admin.id, outcome: 'done', status: null, address: '127.0.0.1' },
        about: `${id}, role member → admin, workspaces every workspace → ${here.id}`,
      },
    ]);
  });

  it('gives a workspace-scoped administrator no permissions, whatever the body', async () => {
    const [all, inside] = [await makePerson(), await makePerson({ workspaceIds: [here.id] })];
    const tries: [string, Record<string, unknown>, number][] = [
      [bound.id, { workspaceIds: null }, 403],
      [bound.id, { workspaceIds: [here.id, elsewhere.id] }, 403],
      [bound.id, { role: 'monitor' }, 400],
      [bound.id, { role: 'monitor', workspaceIds: null }, 403],
      [all.id, { name: 'mine' }, 403],
      [all.id, { workspaceIds: [here.id] }, 403],
      [admin.id, { role: 'viewer' }, 403],
      [inside.id, { workspaceIds: [elsewhere.id] }, 403],
      [inside.id, { workspaceIds: [`${here.id} `] }, 403],
      [inside.id, { workspaceIds: Array.from({ length: 10_000 }, () => here.id) }, 400],
      [inside.id, { tokenId: 'x' }, 400],
      [inside.id, { workspaceIds: [here.id, here.id], role: 'admin' }, 200],
    ];
    for (const [id, fields, status] of tries)
      expect([fields, (await change(id, fields, bound)).status]).toEqual([fields, status]);
    const me = await bound.call<{ workspaceIds: string[] }>('GET', '/api/me');
    expect(me.body.workspaceIds).toEqual([here.id]);
  });

  it('accepts any expiration in the future before the year 10000', async () => {
    const { id, call } = await makePerson();
    const ends: [string | null, number][] = [
      ['2020-01-01T00:00:00Z', 400],
      ['9999-12-31T23:59:59Z', 200],
      ['9999-12-31T23:59:59-23:59', 400],
      ['+012000-01-01T00:00:00Z', 400],
      [null, 200],
    ];
    for (const [expiresAt, status] of ends)
      expect([expiresAt, (await change(id, { expiresAt })).status]).toEqual([expiresAt, status]);
    const soon = new Date(Date.now() + 1_500).toISOString();
    expect((await change(id, { expiresAt: soon })).status).toBe(200);
    await eventually(
      async () => (await call('GET', '/api/me')).status,
      (status) => status === 401,
    );
    expect((await change(id, { expiresAt: null })).status).toBe(409);
    expect((await call('GET', '/api/me')).status).toBe(401);
  });

  it('ends in a state that one order of many changes, rotations, and a revocation gives', async () => {
    const { id, call } = await makePerson();
    const path = `/api/tokens/${id}`;
    const changes = [
      ...['viewer', 'member', 'admin'].flatMap((role) => [{ role }, { workspaceIds: [role] }]),
      { role: 'monitor', workspaceIds: null },
    ];
    const rotations = [0, 24].map((overlapHours) => ({ overlapHours }));
    const [answers, rotated, revoked] = await Promise.all([
      Promise.all(changes.map((fields) => change(id, fields))),
      Promise.all(rotations.map((body) => admin.call<Token>('POST', `${path}/rotate`, body))),
      admin.call('DELETE', path),
    ]);
    // A monitor isn't bound to workspaces, so all later changes are refused once one change makes it a
    // monitor.
    for (const { status } of [...answers, ...rotated]) expect([200, 400, 409]).toContain(status);
    expect([revoked.status, (await call('GET', '/api/me')).status]).toEqual([200, 401]);
    const done = [...answers, ...rotated].flatMap(({ status, body }) => (status === 200 ? [body] : []));
    const { body } = await admin.call<Token[]>('GET', '/api/tokens?limit=200');
    const left = body.find((token) => token.id === id);
    const rights = (token: Token | undefined) => JSON.stringify([token?.role, token?.workspaceIds]);
    expect(['["member",null]', ...done.map(rights)]).toContain(rights(left));
    expect(left?.revokedAt).not.toBeNull();
    const audit = await admin.call<AuditEntry[]>('GET', '/api/audit?action=tokens&limit=10');
    expect(audit.body.filter(({ outcome }) => outcome === 'done')).toHaveLength(done.length + 1);
  });
});

describe('work of a token', () => {
  /** Reads a stream of the person; `opened` resolves at its first event. */
  function follow(person: TestCaller, path: string, body?: unknown) {
    const opened = Promise.withResolvers<void>();
    const leave = ({ frames }: { frames: unknown[] }) => {
      if (frames.length > 0) opened.resolve();
      return false;
    };
    const { headers } = person;
    return { read: readStream(service, path, { body, headers, leave }), opened: opened.promise };
  }

  it.each(LOSSES)(
    'ends within seconds if the token %s: answers, streams, and terminals',
    async (_how, loss) => {
      const ann = await makePerson();
      const body = { id: `of-${ann.id}`, workspaceId: here.id, messages: [QUESTION] };
      const held = Promise.withResolvers<void>();
      provider.beforePiece = (number) => (number === 0 ? Promise.resolve() : held.promise);
      const answer = follow(ann, '/api/chat', body);
      await answer.opened;
      const conversation = follow(ann, `/api/conversations/${body.id}/stream`);
      const { path, type } = await openTestTerminal(service, here.id, { headers: ann.headers });
      const terminal = follow(ann, `${path}/stream`);
      await type('sleep 641\r');
      await Promise.all([conversation.opened, terminal.opened]);
      await eventually(
        async () => countProcesses('sleep', '641'),
        (count) => count === 1,
      );
      await change(ann.id, loss);
      const ends = await Promise.all([answer.read, conversation.read, terminal.read]);
      held.resolve();
      provider.beforePiece = undefined;
      expect(ends.map(({ done }) => done)).toEqual([true, true, true]);
      const [ofAnswer, , ofTerminal] = ends.map(({ frames }) => frames.at(-1)?.part.data);
      expect(ofAnswer).toMatchObject({ code: 'rights_lost' });
      expect(ofTerminal).toEqual({ reason: 'rights_lost', exitCode: 137 });
      expect(countProcesses('sleep', '641')).toBe(0);
    },
    30_000,
  );
});
