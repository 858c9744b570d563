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

describe('a passive reply', () => {
  it('is taken by the request that waits, and then not sent', async () => {
    const { messageId, until } = await begin();
    const [taken, handed] = await Promise.all([
      takePassiveReply(ports, messageId, until),
      handOver(ports, messageId, offer),
    ]);
    expect({ taken, handed }).toEqual({ taken: 'the answer', handed: true });
  });

  it('is sent when no request ever waited', async () => {
    expect(await handOver(ports, newWecomId(), offer)).toBe(false);
  });

  it('is sent when the request has given up', async () => {
    const { messageId, until, passed } = await begin();
    passed();
    expect(await takePassiveReply(ports, messageId, until)).toBeUndefined();
    expect(await handOver(ports, messageId, offer)).toBe(false);
  });

  it('is sent when the request died before an answer was there, and then no longer accepted', async () => {
    const { messageId, passed } = await begin();
    passed();
    time.offsetMs += 10_000;
    expect(await handOver(ports, messageId, offer)).toBe(false);
    expect(await takePassiveReply(ports, messageId, clock.now() + LONG)).toBeUndefined();
  });

  it('is sent when the request died before it took what was offered', async () => {
    const { messageId, passed } = await begin();
    const handing = handOver(ports, messageId, offer);
    await untilOffered(messageId);
    passed();
    time.offsetMs += 10_000;
    expect(await handing).toBe(false);
    expect(await takePassiveReply(ports, messageId, clock.now() + LONG)).toBeUndefined();
  });

  it('is taken again by a repeated request: the platform saw no answer', async () => {
    const { messageId, until } = await begin();
    await Promise.all([takePassiveReply(ports, messageId, until), handOver(ports, messageId, offer)]);
    expect(await openPassiveReply(ports, messageId, clock.now() + LONG)).toBe(false);
    expect(await takePassiveReply(ports, messageId, clock.now() + LONG)).toBe('the answer');
  });

  it('waits longer when the request comes again', async () => {
    const { messageId, passed } = await begin();
    passed();
    expect(await openPassiveReply(ports, messageId, clock.now() + LONG)).toBe(false);
    const [taken, handed] = await Promise.all([
      takePassiveReply(ports, messageId, clock.now() + LONG),
      handOver(ports, messageId, offer),
    ]);
    expect({ taken, handed }).toEqual({ taken: 'the answer', handed: true });
  });

  it('counts as handed over for a worker that comes again after a crash, and not for another text', async () => {
    const { messageId, until } = await begin();
    await Promise.all([takePassiveReply(ports, messageId, until), handOver(ports, messageId, offer)]);
    expect(await handOver(ports, messageId, offer)).toBe(true);
    expect(await handOver(ports, messageId, { key: 'other', text: 'more' })).toBe(false);
  });

  it('goes out exactly once, however the two race', async () => {
    for (let round = 0; round < 24; round++) {
      const messageId = newWecomId();
      // The time is over at once: giving up and offering meet.
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
