import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../../lib/adapters/sqlite/records.ts';
import { handOver, openPassiveReply, takePassiveReply } from '../../../../lib/bots/wecom/passive-reply.ts';
import { newWecomId } from '../../../support/fakes/wecom-callbacks.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const time = { offsetMs: 0 };
const clock = { now: () => Date.now() + time.offsetMs };
const ports = { records: sqliteRecords(openDatabase(await tempFolder()), clock), clock };
const LONG = 3_600_000;
const offer = { key: 'k', text: 'the answer' };

/** A request that waits until `passed` is called. */
async function begin(messageId = newWecomId()) {
  const until = clock.now() + LONG;
  await openPassiveReply(ports, messageId, until);
  const passed = () => {
    time.offsetMs += LONG;
  };
  return { messageId, until, passed };
}

describe('passive reply', () => {
  it('is returned by the waiting request, and then not sent', async () => {
    const { messageId, until } = await begin();
    const [taken, handed] = await Promise.all([
      takePassiveReply(ports, messageId, until),
      handOver(ports, messageId, offer),
    ]);
    expect({ taken, handed }).toEqual({ taken: 'the answer', handed: true });
  });

  it('is sent if no request ever waited', async () => {
    expect(await handOver(ports, newWecomId(), offer)).toBe(false);
  });

  it('is sent if the request has given up', async () => {
    const { messageId, until, passed } = await begin();
    passed();
    expect(await takePassiveReply(ports, messageId, until)).toBeUndefined();
    expect(await handOver(ports, messageId, offer)).toBe(false);
  });

  it('is sent if the request died before an answer existed, and then no longer accepted', async () => {
    const { messageId, passed } = await begin();
    passed();
    time.offsetMs += 10_000;
    expect(await handOver(ports, messageId, offer)).toBe(false);
    expect(await takePassiveReply(ports, messageId, clock.now() + LONG)).toBeUndefined();
  });

  it('is sent if the request died before it accepted the offer', async () => {
    const { messageId, passed } = await begin();
    const handing = handOver(ports, messageId, offer);
    await untilOffered(messageId);
    passed();
    time.offsetMs += 10_000;
    expect(await handing).toBe(false);
    expect(await takePassiveReply(ports, messageId, clock.now() + LONG)).toBeUndefined();
  });

  it('is returned again to a repeated request, because WeCom got no answer', async () => {
    const { messageId, until } = await begin();
    await Promise.all([takePassiveReply(ports, messageId, until), handOver(ports, messageId, offer)]);
    expect(await openPassiveReply(ports, messageId, clock.now() + LONG)).toBe(false);
    expect(await takePassiveReply(ports, messageId, clock.now() + LONG)).toBe('the answer');
  });

  it('waits longer if the request is repeated', async () => {
    const { messageId, passed } = await begin();
    passed();
    expect(await openPassiveReply(ports, messageId, clock.now() + LONG)).toBe(false);
    const [taken, handed] = await Promise.all([
      takePassiveReply(ports, messageId, clock.now() + LONG),
      handOver(ports, messageId, offer),
    ]);
    expect({ taken, handed }).toEqual({ taken: 'the answer', handed: true });
  });

  it('counts as delivered for a worker that returns after a crash, but not for another text', async () => {
    const { messageId, until } = await begin();
    await Promise.all([takePassiveReply(ports, messageId, until), handOver(ports, messageId, offer)]);
    expect(await handOver(ports, messageId, offer)).toBe(true);
    expect(await handOver(ports, messageId, { key: 'other', text: 'more' })).toBe(false);
  });

  it('is delivered exactly once, whichever of the two is faster', async () => {
    for (let round = 0; round < 24; round++) {
      const messageId = newWecomId();
      // The time is over immediately, so giving up and offering coincide.
      const until = clock.now() + (round % 3);
      await openPassiveReply(ports, messageId, until);
      const [taken, ...handed] = await Promise.all([
        takePassiveReply(ports, messageId, until),
        handOver(ports, messageId, offer),
        handOver(ports, messageId, offer),
      ]);
      expect(handed).toEqual(taken === undefined ? [false, false] : [true, true]);
    }
  });
});

async function untilOffered(messageId: string): Promise<void> {
  const key = { partition: `BOT_PASSIVE_REPLY#imb#${messageId}`, sort: 'REPLY' };
  while ((await ports.records.get(key))?.status !== 'offered')
    await new Promise((done) => setTimeout(done, 5));
}
