import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { undiciWeb } from '../../../lib/adapters/web/fetch.ts';
import { announceEvent, type WebhookEvent } from '../../../lib/webhooks/announce.ts';
import { deliverDue } from '../../../lib/webhooks/deliver.ts';
import {
  allWebhooks,
  deliveries,
  deliveriesPartition,
  webhooks,
  webhookWork,
} from '../../../lib/webhooks/schema.ts';
import {
  changeWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
} from '../../../lib/webhooks/webhooks.ts';
import { killable } from '../../support/processes/killable.ts';
import { ADMIN, MINUTE_MS } from '../../support/tasks.ts';
import { type Received, startWebhookRig } from '../../support/webhooks.ts';

const HOUR_MS = 60 * MINUTE_MS;
let rig: Awaited<ReturnType<typeof startWebhookRig>>;

beforeEach(async () => {
  rig = await startWebhookRig();
});
afterEach(() => void jest.restoreAllMocks());

function finished(name = 'run-1'): WebhookEvent {
  return { type: 'run.finished', name, at: rig.time.now, data: { runId: name, status: 'done' } };
}

/** Returns whether the official library accepts a request at the time of its arrival. */
function isVerified(secret: string, { body, headers, at }: Received): boolean {
  jest.spyOn(Date, 'now').mockReturnValue(at);
  try {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    return true;
  } catch {
    return false;
  } finally {
    jest.restoreAllMocks();
  }
}

function answerWith(status: number, headers: Record<string, string> = {}) {
  rig.receiver.answer = (_, response) => void response.writeHead(status, headers).end();
}

async function ticks(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await rig.tick();
}

describe('a delivery', () => {
  it('is signed as the official library verifies it, and has IDs and states only', async () => {
    const { id, secret } = await rig.make();
    await announceEvent(rig.ports, finished());
    await rig.tick();
    const [request] = rig.received as [Received];
    expect(isVerified(secret, request)).toBe(true);
    expect(isVerified(`whsec_${Buffer.alloc(32).toString('base64')}`, request)).toBe(false);
    expect(isVerified(secret, { ...request, body: `${request.body} ` })).toBe(false);
    expect(isVerified(secret, { ...request, at: request.at + 6 * MINUTE_MS })).toBe(false);
    expect(JSON.parse(request.body)).toEqual({
      ...{ type: 'run.finished', timestamp: '2026-03-01T00:00:00.000Z' },
      data: { runId: 'run-1', status: 'done' },
    });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_/),
    });
    expect(await rig.log(id)).toMatchObject([{ state: 'delivered', attempts: 1, status: 200, error: null }]);
    await ticks(3);
    expect(rig.received).toHaveLength(1);
    expect(await webhookWork.get(rig.ports.records, { webhookId: id })).toBeUndefined();
  });

  it('has both signatures for a day after a rotation', async () => {
    const { id, secret } = await rig.make();
    const { secret: next } = await rotateWebhookSecret(rig.ports, ADMIN, id);
    await announceEvent(rig.ports, finished('a'));
    await rig.tick();
    rig.time.now += 24 * HOUR_MS;
    await announceEvent(rig.ports, finished('b'));
    await rig.tick();
    const [during, after] = rig.received as [Received, Received];
    expect([secret, next].map((each) => isVerified(each, during))).toEqual([true, true]);
    expect([secret, next].map((each) => isVerified(each, after))).toEqual([false, true]);
  });

  it('is repeated for 24 hours with the same ID, then given up, which disables the webhook', async () => {
    const { id, secret } = await rig.make();
    answerWith(500);
    await announceEvent(rig.ports, finished());
    await ticks(25 * 60);
    expect(rig.received).toHaveLength(10);
    expect(new Set(rig.received.map(({ headers }) => headers['webhook-id']))).toHaveProperty('size', 1);
    expect(new Set(rig.received.map(({ body }) => body))).toHaveProperty('size', 1);
    expect(rig.received.every((request) => isVerified(secret, request))).toBe(true);
    const [first, ...later] = rig.received.map(({ at }) => at) as [number, ...number[]];
    expect(((later.at(-1) ?? 0) - first) / HOUR_MS).toBeCloseTo(24, 0);
    expect(await rig.log(id)).toMatchObject([{ state: 'failed', attempts: 10, status: 500, nextAt: null }]);
    expect(await listWebhooks(rig.ports.records, ADMIN)).toMatchObject([
      { isEnabled: false, disabledReason: 'failing', failingSince: '2026-03-01T00:01:00.000Z' },
    ]);
    await announceEvent(rig.ports, finished('later'));
    await ticks(3);
    expect(rig.received).toHaveLength(10);
    await changeWebhook(rig.ports, ADMIN, id, { isEnabled: true });
    answerWith(204);
    await announceEvent(rig.ports, finished('last'));
    await rig.tick();
    expect(rig.received).toHaveLength(11);
    expect(await listWebhooks(rig.ports.records, ADMIN)).toMatchObject([
      { isEnabled: true, disabledReason: null, failingSince: null },
    ]);
  });

  it('arrives once the receiver is back after 12 hours', async () => {
    const { id } = await rig.make();
    answerWith(503);
    await announceEvent(rig.ports, finished());
    await ticks(12 * 60);
    answerWith(200);
    await ticks(12 * 60);
    expect(await rig.log(id)).toMatchObject([{ state: 'delivered', status: 200 }]);
    expect(await listWebhooks(rig.ports.records, ADMIN)).toMatchObject([
      { isEnabled: true, failingSince: null },
    ]);
  });

  it('waits as long as `retry-after` of a 429 says, in seconds or as a date', async () => {
    const { id } = await rig.make();
    answerWith(429, { 'retry-after': '7200' });
    await announceEvent(rig.ports, finished());
    await rig.tick();
    const at = rig.time.now;
    expect(await rig.log(id)).toMatchObject([{ nextAt: new Date(at + 2 * HOUR_MS).toISOString() }]);
    answerWith(429, { 'retry-after': new Date(at + 5 * HOUR_MS).toUTCString() });
    await ticks(121);
    expect(rig.received).toHaveLength(2);
    expect(await rig.log(id)).toMatchObject([{ nextAt: new Date(at + 5 * HOUR_MS).toISOString() }]);
    answerWith(429, { 'retry-after': 'soon, or in 99999999999 years' });
    await ticks(180);
    expect(await rig.log(id)).toMatchObject([{ attempts: 3, state: 'waiting' }]);
  });

  it('that is answered with 410 disables the webhook, and drops what waits', async () => {
    const { id } = await rig.make();
    answerWith(410);
    await announceEvent(rig.ports, finished('one'));
    await announceEvent(rig.ports, finished('two'));
    await ticks(3);
    expect(rig.received).toHaveLength(1);
    expect((await rig.log(id)).map(({ state }) => state).sort()).toEqual(['dropped', 'failed']);
    expect(await listWebhooks(rig.ports.records, ADMIN)).toMatchObject([{ disabledReason: 'gone' }]);
  });

  it('follows no redirect, not even to the receiver itself', async () => {
    const { id } = await rig.make();
    answerWith(307, { location: 'http://127.0.0.1:1/' });
    await announceEvent(rig.ports, finished());
    await rig.tick();
    expect(rig.received).toHaveLength(1);
    expect(await rig.log(id)).toMatchObject([{ status: 307, error: expect.stringContaining('Redirects') }]);
  });

  it('ends with the headers of an endless body, and in time without any', async () => {
    const { id } = await rig.make();
    rig.receiver.answer = (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        response.once('drain', write);
      };
      write();
    };
    await announceEvent(rig.ports, finished('endless'));
    await rig.tick();
    expect(await rig.log(id)).toMatchObject([{ state: 'delivered' }]);
    rig.receiver.answer = () => undefined;
    rig.time.now += HOUR_MS;
    await announceEvent(rig.ports, finished('silent'));
    await rig.tick();
    const [silent] = await rig.log(id);
    expect(silent).toMatchObject({
      state: 'waiting',
      status: null,
      error: expect.stringContaining('did not answer'),
    });
  });

  it('ends a pass after two failures, so that a dead receiver holds no worker', async () => {
    await rig.make();
    answerWith(500);
    for (let at = 0; at < 5; at++) await announceEvent(rig.ports, finished(`run-${at}`));
    await rig.tick();
    expect(rig.received).toHaveLength(2);
  });

  it('is not sent to a private address', async () => {
    const { id } = await rig.make({ url: 'https://127.0.0.1/hook' });
    await announceEvent(rig.ports, finished());
    await deliverDue({ ...rig.ports, web: undiciWeb() }, id);
    expect(await rig.log(id)).toMatchObject([
      { attempts: 1, status: null, error: 'url must lead to a public address.' },
    ]);
  });

  it('says that the secret is missing, which a rotation repairs', async () => {
    const { id } = await rig.make();
    rig.stored.clear();
    await announceEvent(rig.ports, finished());
    await rig.tick();
    expect(await rig.log(id)).toMatchObject([{ error: 'The secret is missing. Rotate it.' }]);
    const { secret } = await rotateWebhookSecret(rig.ports, ADMIN, id);
    await ticks(2);
    expect(isVerified(secret, rig.received[0] as Received)).toBe(true);
  });
});

describe('killed at any call', () => {
  it('an event is announced once it is repeated, as one delivery per webhook', async () => {
    const ids = [(await rig.make()).id, (await rig.make()).id];
    await rig.make({ events: ['sync.failed'] });
    for (let lives = 1; ; lives++) {
      const event = finished(`run-${lives}`);
      const process = killable(rig.ports, ['records'], lives);
      const announcing = announceEvent(process.ports, event);
      const ended = await Promise.race([announcing.then(() => true), process.died.then(() => false)]);
      process.bury();
      rig.time.now += 1000;
      expect(await announceEvent(rig.ports, event)).toBe(true);
      await ticks(2);
      expect(rig.received).toHaveLength(2);
      rig.received.length = 0;
      if (ended) break;
    }
    for (const id of ids) expect((await rig.log(id)).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('a worker loses no event, and repeats one only with its ID', async () => {
    const { id, secret } = await rig.make();
    for (let lives = 1; ; lives++) {
      await announceEvent(rig.ports, finished(`run-${lives}`));
      const process = killable(rig.ports, ['records', 'secrets', 'web'], lives);
      const work = deliverDue(process.ports, id);
      work.catch(() => undefined);
      const ended = await Promise.race([work.then(() => true), process.died.then(() => false)]);
      process.bury();
      await ticks(3);
      expect(rig.received.length === 1 || rig.received.length === 2).toBe(true);
      expect(new Set(rig.received.map(({ headers }) => headers['webhook-id']))).toHaveProperty('size', 1);
      expect(rig.received.every((request) => isVerified(secret, request))).toBe(true);
      rig.received.length = 0;
      if (ended) break;
    }
    expect((await rig.log(id)).every(({ state }) => state === 'delivered')).toBe(true);
    expect(await webhookWork.get(rig.ports.records, { webhookId: id })).toBeUndefined();
  });

  it('a deletion can be repeated, and leaves nothing', async () => {
    for (let lives = 1; ; lives++) {
      const { id } = await rig.make();
      await announceEvent(rig.ports, finished(`run-${lives}`));
      const process = killable(rig.ports, ['records', 'secrets'], lives);
      const work = deleteWebhook(process.ports, ADMIN, id);
      work.catch(() => undefined);
      const ended = await Promise.race([work.then(() => true), process.died.then(() => false)]);
      process.bury();
      if (!ended) await deleteWebhook(rig.ports, ADMIN, id).catch(() => undefined);
      await announceEvent(rig.ports, finished(`late-${lives}`));
      await ticks(2);
      const { records } = rig.ports;
      const partition = deliveriesPartition(id);
      expect((await deliveries.list(records, { partition })).items).toEqual([]);
      expect((await webhooks.list(records, allWebhooks)).items).toEqual([]);
      expect(await webhookWork.get(records, { webhookId: id })).toBeUndefined();
      expect(rig.stored.size).toBe(0);
      if (ended) break;
    }
  });
});

describe('testWebhook', () => {
  it('has a worker send an event at once, whatever the webhook wants', async () => {
    const { id, secret } = await rig.make({ events: ['budget.reached'] });
    const { deliveryId } = await testWebhook(rig.ports, ADMIN, id);
    expect(await rig.ports.agentQueue.depth()).toMatchObject({ waiting: 1 });
    await deliverDue(rig.ports, id);
    expect(isVerified(secret, rig.received[0] as Received)).toBe(true);
    expect(await rig.log(id)).toMatchObject([{ id: deliveryId, type: 'webhook.test', state: 'delivered' }]);
  });
});
