import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
type Loose = any;

/** No request leaves this host: the address is refused. */
const URL_INSIDE = 'https://127.0.0.1/hook?key=abc';
let service: Service;
let admin: TestCaller;

beforeAll(async () => {
  const provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({ PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token' });
  admin = await makeCaller(service, 'admin');
});

/** The number of webhooks is limited, and a test reaches the limit. */
beforeEach(async () => {
  const { body } = await admin.call<Loose[]>('GET', '/api/webhooks');
  for (const { id } of body) await admin.call('DELETE', `/api/webhooks/${id}`);
});

async function make(fields: Loose = {}): Promise<Loose> {
  const { status, body } = await admin.call<Loose>('POST', '/api/webhooks', {
    ...{ name: 'hook', url: URL_INSIDE, ...fields },
  });
  expect(status).toBe(201);
  return body;
}

describe('/api/webhooks', () => {
  it('creates, changes, rotates, tests, and deletes a webhook, and shows its secret once', async () => {
    const { secret, ...webhook } = await make({ events: ['run.finished'] });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(webhook).toMatchObject({ name: 'hook', url: URL_INSIDE, isEnabled: true, failingSince: null });
    const listed = await admin.call<Loose[]>('GET', '/api/webhooks');
    expect(listed.body).toEqual([webhook]);
    const path = `/api/webhooks/${webhook.id}`;
    const rotated = await admin.call<Loose>('POST', `${path}/rotate`);
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(secret);
    const tested = await admin.call<Loose>('POST', `${path}/test`);
    expect(tested.status).toBe(202);
    const log = await eventually(
      async () => (await admin.call<Loose[]>('GET', `${path}/deliveries`)).body,
      (all) => all[0].attempts === 1 && all[0].error !== null,
    );
    expect(log).toMatchObject([
      { id: tested.body.deliveryId, type: 'webhook.test', error: 'url must lead to a public address.' },
    ]);
    const disabled = await admin.call('PATCH', path, { isEnabled: false, name: 'other' });
    expect(disabled.body).toMatchObject({
      disabledReason: 'by_administrator',
      name: 'other',
      url: URL_INSIDE,
    });
    expect((await admin.call('POST', `${path}/test`)).headers['x-error-code']).toBe('webhook_disabled');
    const audit = await admin.call<Loose[]>('GET', '/api/audit?action=webhooks');
    expect(audit.body.map(({ action }) => action)).toContain('webhooks.rotate');
    expect(JSON.stringify(audit.body)).not.toMatch(/whsec_|key=abc/);
    expect(service.output()).not.toContain('whsec_');
    expect((await admin.call('DELETE', path)).status).toBe(200);
    for (const method of ['PATCH', 'DELETE'])
      expect((await admin.call(method, path, method === 'PATCH' ? { name: 'x' } : undefined)).status).toBe(
        404,
      );
  });

  it.each([
    ['plain http', { url: 'http://example.org/hook' }, 'url'],
    ['a port', { url: 'https://example.org:8443/hook' }, 'url'],
    ['a login in the URL', { url: 'https://a:b@example.org/hook' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['an unknown event', { events: ['run.started'] }, 'events'],
    ['an event twice', { events: ['run.finished', 'run.finished'] }, 'events'],
    ['an unknown field', { secret: 'mine' }, 'secret'],
  ])('refuses %s', async (_what, fields, field) => {
    const body = { name: 'hook', url: URL_INSIDE, ...fields };
    const answer = await admin.call('POST', '/api/webhooks', body);
    expect(answer.status).toBe(400);
    expect(String(answer.headers['x-error-field']).split('.')[0]).toBe(field);
  });

  it('keeps at most ten, and sends the end of a run to those that want it', async () => {
    const all: Loose[] = [];
    for (let at = 0; at < 10; at++)
      all.push(await make({ events: [at === 0 ? 'run.finished' : 'sync.failed'] }));
    const more = await admin.call('POST', '/api/webhooks', { name: 'one more', url: URL_INSIDE });
    expect(more.headers['x-error-code']).toBe('too_many_webhooks');
    const { id: workspaceId } = await makeWorkspace(admin);
    const messages = [{ role: 'user', content: 'Tidy the notes' }];
    const run = await admin.call('POST', '/api/agent', { workspaceId, cwd: '', messages });
    expect(run.status).toBe(200);
    const logs = await Promise.all(
      all.map(({ id }) => admin.call<Loose[]>('GET', `/api/webhooks/${id}/deliveries`)),
    );
    expect(logs.map(({ body }) => body.length)).toEqual([1, ...Array(9).fill(0)]);
    expect(logs[0]?.body[0]).toMatchObject({ type: 'run.finished' });
  });
});
