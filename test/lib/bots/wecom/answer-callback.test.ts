import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../../lib/adapters/sqlite/records.ts';
import { wecomChatPlatform } from '../../../../lib/adapters/wecom/chat-platform.ts';
import { sendOnce } from '../../../../lib/bots/reply/send-reply.ts';
import { botMessageSchema, type PersonMessage } from '../../../../lib/bots/schema.ts';
import { answerCallback, answerUrlCheck } from '../../../../lib/bots/wecom/answer-callback.ts';
import { handOver, openPassiveReply } from '../../../../lib/bots/wecom/passive-reply.ts';
import { startFakeWecom } from '../../../support/fakes/fake-wecom.ts';
import {
  newWecomId,
  plainCallback,
  readWecomAnswer,
  sealedCallback,
  WECOM_KEYS,
  wecomMessage,
} from '../../../support/fakes/wecom-callbacks.ts';
import { eventually } from '../../../support/sync.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** WeCom gives up after 5 s and retries three times, immediately. */
const TRIES = 4;
const PLATFORM_WAITS_MS = 5000;

/** Four instances on one store, a worker on the same store, a test clock, and WeCom's API. */
async function startInstances() {
  const dataDir = await tempFolder();
  const time = { offsetMs: 0 };
  const clock = { now: () => Date.now() + time.offsetMs };
  createQueues(openDatabase(dataDir), [{ name: 'bot', fifo: true, visibilityTimeoutSeconds: 900 }]);
  const open = () => {
    const database = openDatabase(dataDir);
    return { records: sqliteRecords(database, clock), botQueue: sqliteQueue(database, 'bot', clock), clock };
  };
  const fake = await startFakeWecom();
  const worker = open();
  const app = { baseUrl: fake.url, corpId: WECOM_KEYS.corpId, corpSecret: fake.corpSecret, agentId: '218' };
  const platforms = {
    imb: wecomChatPlatform(app, {
      ...worker,
      handOver: (messageId, offer) => handOver(worker, messageId, offer),
    }),
  };

  /** Handles the messages in the queue, and returns their number. */
  async function work(): Promise<number> {
    const received = await worker.botQueue.receive({ max: 10 });
    for (const { body, receipt } of received) {
      const message = botMessageSchema.parse(JSON.parse(body)) as PersonMessage;
      const delivery = { name: `${message.messageId} reply`, replyTo: message.messageId };
      await sendOnce(
        { ...worker, platforms },
        message,
        { kind: 'text', text: textFor(message.messageId) },
        delivery,
      );
      await worker.botQueue.delete([receipt]);
    }
    return received.length;
  }
  return { instances: Array.from({ length: TRIES }, open), time, clock, fake, worker, work };
}

type Rig = Awaited<ReturnType<typeof startInstances>>;

function request({ clock }: Rig, messageId = newWecomId()) {
  const xml = wecomMessage({ from: 'li', text: 'Hi.', messageId });
  return { messageId, callback: () => sealedCallback(xml, clock.now()) };
}

/** Makes one attempt at one instance. The test sets how long it waits for the worker. */
async function tryAt(rig: Rig, index: number, callback: ReturnType<typeof sealedCallback>, waitMs: number) {
  const instance = rig.instances[index];
  if (instance === undefined) throw new Error('no such instance');
  const xml = await answerCallback(instance, WECOM_KEYS, callback, waitMs);
  return xml === undefined ? undefined : readWecomAnswer(xml);
}

const HOUR = 3_600_000;
const textFor = (messageId: string) => `Hello, ${messageId}.`;

describe('attempts of WeCom', () => {
  it('all get the same answer if no response arrived, and the worker answers once', async () => {
    const rig = await startInstances();
    const { callback, messageId } = request(rig);
    const first = tryAt(rig, 0, callback(), HOUR);
    await eventually(rig.work, (worked) => worked === 1);
    expect(await first).toBe(textFor(messageId));
    for (let index = 1; index < TRIES; index++) {
      rig.time.offsetMs += PLATFORM_WAITS_MS;
      expect(await tryAt(rig, index, callback(), HOUR)).toBe(textFor(messageId));
    }
    expect(await rig.work()).toBe(0);
    expect(rig.fake.shown).toEqual([]);
  });

  it("get no answer after it was sent separately, because the worker wasn't ready for the first attempt", async () => {
    const rig = await startInstances();
    const { callback, messageId } = request(rig);
    expect(await tryAt(rig, 0, callback(), 0)).toBeUndefined();
    expect(await rig.work()).toBe(1);
    for (let index = 1; index < TRIES; index++) {
      rig.time.offsetMs += PLATFORM_WAITS_MS;
      expect(await tryAt(rig, index, callback(), HOUR)).toBeUndefined();
    }
    expect(await rig.work()).toBe(0);
    expect(rig.fake.shown).toEqual([{ to: 'li', text: textFor(messageId) }]);
  });

  it('get an answer even if the first attempt died before the message was in the queue', async () => {
    const rig = await startInstances();
    const { callback, messageId } = request(rig);
    await openPassiveReply(rig.worker, messageId, rig.clock.now() + 4000);
    rig.time.offsetMs += PLATFORM_WAITS_MS;
    const second = tryAt(rig, 1, callback(), HOUR);
    await eventually(rig.work, (worked) => worked === 1);
    expect(await second).toBe(textFor(messageId));
    expect(rig.fake.shown).toEqual([]);
  });

  it('get only one answer if they are concurrent', async () => {
    const rig = await startInstances();
    const { callback, messageId } = request(rig);
    const tries = rig.instances.map((_, index) => tryAt(rig, index, callback(), HOUR));
    await eventually(rig.work, (worked) => worked === 1);
    expect(await Promise.all(tries)).toEqual(Array(TRIES).fill(textFor(messageId)));
    expect(await rig.work()).toBe(0);
    expect(rig.fake.shown).toEqual([]);
  });

  it('get one reply for each of many messages, whenever the worker runs', async () => {
    const rig = await startInstances();
    const messages = Array.from({ length: 12 }, () => request(rig));
    const passive: string[] = [];
    for (let index = 0; index < TRIES; index++) {
      const tries = messages.map(async ({ callback }, place) => {
        const text = await tryAt(rig, index, callback(), place % 4);
        if (text !== undefined && !passive.includes(text)) passive.push(text);
      });
      await Promise.all([...tries, rig.work()]);
      rig.time.offsetMs += PLATFORM_WAITS_MS;
    }
    while ((await rig.work()) > 0);
    const replies = [...passive, ...rig.fake.shown.map(({ text }) => text)];
    expect(replies.sort()).toEqual(messages.map(({ messageId }) => textFor(messageId)).sort());
  });

  it('are replays a day later, and have no effect', async () => {
    const rig = await startInstances();
    const { callback } = request(rig);
    const first = callback();
    expect(await tryAt(rig, 0, first, 0)).toBeUndefined();
    await rig.work();
    rig.time.offsetMs += 25 * HOUR;
    await expect(tryAt(rig, 1, first, HOUR)).rejects.toThrow(
      'This callback could not be verified as coming from WeCom.',
    );
    expect(await tryAt(rig, 1, callback(), HOUR)).toBeUndefined(); // signed again
    expect(await rig.work()).toBe(0);
  });
});

describe('signature that covers only the query', () => {
  const forged = () => Buffer.from(wecomMessage({ from: 'li', text: 'forged' }));
  const received = async ({ worker }: Rig) =>
    (await worker.botQueue.receive({ max: 10 })).map(({ body }) => JSON.parse(body).content.text);

  it('is valid for the body with which it arrived, at every instance', async () => {
    const rig = await startInstances();
    const { query, body } = plainCallback(wecomMessage({ from: 'li', text: 'true' }), {
      now: rig.clock.now(),
    });
    await tryAt(rig, 0, { query, body }, 0);
    for (const index of [0, 1])
      await expect(tryAt(rig, index, { query, body: forged() }, 0)).rejects.toThrow(
        'This callback could not be verified as coming from WeCom.',
      );
    await tryAt(rig, 1, { query, body }, 0); // WeCom's next attempt
    expect(await received(rig)).toEqual(['true']);
  });

  it('is valid for one of many concurrent bodies', async () => {
    const rig = await startInstances();
    const { query } = plainCallback('', { now: rig.clock.now() });
    const tries = rig.instances.map((_, index) => tryAt(rig, index, { query, body: forged() }, 0));
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await received(rig)).toEqual(['forged']);
  });

  it('accepts no message if it is from a URL verification', async () => {
    const rig = await startInstances();
    const { query } = plainCallback('', { now: rig.clock.now() });
    expect(await answerUrlCheck(rig.worker, WECOM_KEYS, { ...query, echostr: '42' })).toBe('42');
    await expect(tryAt(rig, 0, { query, body: forged() }, 0)).rejects.toThrow(
      'This callback could not be verified as coming from WeCom.',
    );
    expect(await received(rig)).toEqual([]);
  });
});
