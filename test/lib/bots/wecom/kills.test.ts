import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '../../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../../lib/adapters/sqlite/records.ts';
import { wecomChatPlatform } from '../../../../lib/adapters/wecom/chat-platform.ts';
import type { ReceivePorts } from '../../../../lib/bots/inbox/receive.ts';
import { sendOnce } from '../../../../lib/bots/reply/send-reply.ts';
import { botMessageSchema, type PersonMessage } from '../../../../lib/bots/schema.ts';
import { answerCallback } from '../../../../lib/bots/wecom/answer-callback.ts';
import { handOver } from '../../../../lib/bots/wecom/passive-reply.ts';
import { type FakeWecom, startFakeWecom } from '../../../support/fakes/fake-wecom.ts';
import {
  newWecomId,
  readWecomAnswer,
  sealedCallback,
  WECOM_KEYS,
  wecomMessage,
} from '../../../support/fakes/wecom-callbacks.ts';
import { type Killable, killable } from '../../../support/processes/killable.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const TRIES = 4;
const PLATFORM_WAITS_MS = 5000;
const VISIBILITY_SECONDS = 900;
const NAMES: (keyof ReceivePorts)[] = ['records', 'botQueue'];

const dataDir = await tempFolder();
const database = openDatabase(dataDir);
createQueues(database, [{ name: 'bot', fifo: true, visibilityTimeoutSeconds: VISIBILITY_SECONDS }]);
const time = { offsetMs: 0 };
const clock = { now: () => Date.now() + time.offsetMs };
const ports: ReceivePorts = {
  records: sqliteRecords(database, clock),
  botQueue: sqliteQueue(database, 'bot', clock),
  clock,
};
let fake: FakeWecom;

beforeEach(async () => {
  fake = await startFakeWecom();
  jest.spyOn(process.stdout, 'write').mockReturnValue(true); // processes that ended report it in the log
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A worker that receives messages until it is stopped. */
async function work({ records, botQueue }: ReceivePorts, over: () => boolean): Promise<void> {
  const app = { baseUrl: fake.url, corpId: WECOM_KEYS.corpId, corpSecret: fake.corpSecret, agentId: '218' };
  const platforms = {
    imb: wecomChatPlatform(app, {
      records,
      clock,
      handOver: (messageId, offer) => handOver({ records, clock }, messageId, offer),
    }),
  };
  while (!over()) {
    await new Promise((done) => setTimeout(done, 5));
    if ((await ports.botQueue.depth()).waiting === 0) continue; // its calls count from this message on
    for (const { body, receipt } of await botQueue.receive({ max: 1 })) {
      const message = botMessageSchema.parse(JSON.parse(body)) as PersonMessage;
      const delivery = { name: `${message.messageId} reply`, replyTo: message.messageId };
      await sendOnce({ records, clock, platforms }, message, { kind: 'text', text: 'Hello.' }, delivery);
      await botQueue.delete([receipt]);
    }
  }
}

/** Retries as WeCom does until any response arrives. Each process of the list handles one attempt. */
async function deliver(
  callback: () => ReturnType<typeof sealedCallback>,
  processes: Killable<ReceivePorts>[],
  waitMs: number,
) {
  for (const process of processes) {
    const answering = answerCallback(process.ports, WECOM_KEYS, callback(), waitMs);
    const answer = await Promise.race([
      answering.then((xml) => ({ text: xml === undefined ? undefined : readWecomAnswer(xml) })),
      process.died.then(() => undefined),
    ]);
    if (answer !== undefined) return answer.text;
    answering.catch(() => undefined);
    process.bury();
    time.offsetMs += PLATFORM_WAITS_MS;
  }
  return undefined;
}

/**
 * Sends one message while the process of the request or of the worker dies before one of its calls. WeCom
 * retries, and the queue redelivers. Returns what the person sees, and whether the process died at all.
 */
async function tell({
  requestLives,
  workerLives,
  waitMs,
}: Record<'requestLives' | 'workerLives' | 'waitMs', number>) {
  const xml = wecomMessage({ from: newWecomId(), text: 'Hi.' });
  const first = killable(ports, NAMES, requestLives);
  const others = Array.from({ length: TRIES - 1 }, () => killable(ports, NAMES));
  const worker = killable(ports, NAMES, workerLives);
  // Without a worker, the request has nothing to wait for.
  const dead = worker.died.then(() => {
    time.offsetMs += waitMs;
    return true;
  });
  let over = false;
  const working = work(worker.ports, () => over).catch(() => undefined);
  const passive = await deliver(() => sealedCallback(xml, clock.now()), [first, ...others], waitMs);
  over = true;
  const workerDied = await Promise.race([working.then(() => false), dead]);
  worker.bury();
  time.offsetMs += (VISIBILITY_SECONDS + 60) * 1000;
  let looks = 0;
  await work(ports, () => looks++ > 3);
  const sent = fake.shown.splice(0).map(({ text }) => text);
  const seen = passive === undefined ? sent : [passive, ...sent];
  return { seen, died: workerDied || first.calls() === requestLives };
}

describe('one reply', () => {
  it.each([
    ['while the request waits for it', 4000],
    ['when the request does not wait', 0],
  ])('reaches the person wherever the request dies, %s', async (_, waitMs) => {
    let deaths = 0;
    for (let lives = 0; ; lives++) {
      const { seen, died } = await tell({
        requestLives: lives,
        workerLives: Number.POSITIVE_INFINITY,
        waitMs,
      });
      expect({ lives, seen }).toEqual({ lives, seen: ['Hello.'] });
      if (!died) break;
      deaths += 1;
      if (lives > 30) break; // only polls from here on
    }
    expect(deaths).toBeGreaterThan(4);
  });

  it.each([
    ['passes it to the request', 4000],
    ['sends it', 0],
  ])('reaches the person wherever the worker dies that %s', async (_, waitMs) => {
    for (let lives = 0; lives < 14; lives++) {
      const { seen } = await tell({ requestLives: Number.POSITIVE_INFINITY, workerLives: lives, waitMs });
      expect({ lives, seen }).toEqual({ lives, seen: ['Hello.'] });
    }
  });
});
