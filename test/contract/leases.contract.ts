import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import * as z from 'zod';
import { hold, LeaseLost } from '../../lib/leases/hold.ts';
import { leasesOf } from '../../lib/leases/lease.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { Records } from '../../lib/ports/records.ts';
import { collection } from '../../lib/records/collection.ts';
import { stopTimers, turns } from '../support/fakes/fake-timers.ts';

const MS = 60_000;
const MARGIN_MS = 10_000;

const key = ({ id }: { id: string }) => ({ partition: 'LEASED', sort: id });
const byTimestamp = leasesOf({
  collection: collection({
    kind: 'lease-by-timestamp',
    schema: z.object({ id: z.string(), owner: z.string(), until: z.string(), done: z.int() }),
    key,
    index: ({ id, until }) => ({ partition: 'ENDS', sort: `${until}#${id}` }),
  }),
  ms: MS,
  owner: 'owner',
  until: 'until',
});
const listed = collection({
  kind: 'lease-in-a-list',
  schema: z.object({
    id: z.string(),
    owner: z.string().nullable().default(null),
    until: z.string(),
    pinned: z.boolean(),
  }),
  key,
  index: ({ id, pinned }) => ({ partition: pinned ? 'PINNED' : 'OTHERS', sort: id }),
});
const inList = leasesOf({ collection: listed, ms: MS, owner: 'owner', until: 'until' });
const byNumber = leasesOf({
  collection: collection({
    kind: 'lease-by-number',
    schema: z.object({ id: z.string(), holder: z.string(), end: z.int(), state: z.string() }),
    key,
  }),
  ms: MS,
  owner: 'holder',
  until: 'end',
  format: 'milliseconds',
});

/** The contract of lib/leases on every store; `open` takes the time from `clock`. */
export function describeLeases(name: string, open: (clock: Clock) => Promise<Records>): void {
  let now = Date.now();
  const clock = { now: () => now };
  let ports: { records: Records; clock: Clock };
  let ids = 0;

  beforeAll(async () => {
    ports = { records: await open(clock), clock };
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const newItem = () => ({ id: `lease-${ids++}`, owner: '', until: '', done: 0 });
  async function taken(item = newItem()) {
    const mine = await byTimestamp.acquire(ports, item);
    if (mine === undefined) throw new Error('the lease is held');
    return mine;
  }
  const at = (end = 0, later = 0) => new Date(end + later).toISOString();
  const read = (id: string) => ports.records.get(key({ id }));

  describe(`leases on ${name}`, () => {
    it('give a free or expired lease to one of several concurrent callers', async () => {
      const item = newItem();
      for (const _ of ['free', 'lapsed']) {
        const takers = await Promise.all(Array.from({ length: 5 }, () => byTimestamp.acquire(ports, item)));
        expect(takers.filter((mine) => mine !== undefined)).toHaveLength(1);
        now += MS;
      }
    });

    it('leave a held lease to its holder until it expires or is removed', async () => {
      const mine = await taken();
      now += MS - 1;
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeUndefined();
      expect(await byTimestamp.renew(ports, mine)).toBe(now + MS);
      now += MS - 1;
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeUndefined();
      expect(await byTimestamp.remove(ports, mine)).toBe(true);
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeDefined();
    });

    it('take over a lease only in the state that was read', async () => {
      const mine = await taken();
      now += MS;
      await byTimestamp.renew(ports, mine);
      expect(await byTimestamp.take(ports, mine)).toBeUndefined();
      expect(await read(mine.id)).toMatchObject({ owner: mine.owner });
    });

    it("don't let a former holder renew or remove another holder's lease", async () => {
      const mine = await taken();
      now += MS;
      const other = await taken(newItemOf(mine));
      const before = await read(mine.id);
      expect(await byTimestamp.renew(ports, mine)).toBeUndefined();
      expect(await byTimestamp.remove(ports, mine)).toBe(false);
      expect(await read(mine.id)).toEqual(before);
      expect(await byTimestamp.remove(ports, other)).toBe(true);
      // A removed lease isn't the holder's lease either.
      expect(await byTimestamp.renew(ports, other)).toBeUndefined();
    });

    it('undo nothing with a late renewal', async () => {
      const mine = await taken();
      const end = await byTimestamp.renew({ ...ports, clock: { now: () => now + 10_000 } }, mine);
      expect(await byTimestamp.renew(ports, mine)).toBe(end);
      expect(byTimestamp.endOf((await read(mine.id)) as typeof mine)).toBe(end);
    });

    it('last at most two periods after a renewal by a clock that was set back', async () => {
      const mine = await taken();
      now -= 60 * MS;
      const end = await byTimestamp.renew(ports, mine);
      expect(end).toBeLessThanOrEqual(now + 2 * MS);
      expect(byTimestamp.endOf((await read(mine.id)) as Taken)).toBe(end);
      const found = await ports.records.query({
        partition: 'ENDS',
        byIndex: true,
        from: at(end),
        to: at(end, 1),
      });
      expect(found.records.map(({ value }) => value.id)).toEqual([mine.id]);
      now += 2 * MS;
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeDefined();
      now += 58 * MS;
    });

    it('move the index entry with the expiration, and set other fields in the same write', async () => {
      const mine = await taken();
      const found = async (to: number) => {
        const query = { partition: 'ENDS', byIndex: true, to: new Date(to).toISOString() };
        return (await ports.records.query(query)).records.some(({ value }) => value.id === mine.id);
      };
      expect([await found(now + MS - 1), await found(now + MS + 1)]).toEqual([false, true]);
      now += 5000;
      await byTimestamp.renew(ports, mine);
      expect(await found(now + MS - 1)).toBe(false);
      now += MS;
      const there = (await read(mine.id)) as typeof mine;
      expect(await byTimestamp.take(ports, there, { set: { done: 1 }, ms: 1000 })).toMatchObject({ done: 1 });
      expect(await found(now + 1001)).toBe(true);
    });

    it("keep an index entry that doesn't change with the lease, whatever the holder has read", async () => {
      const item = { id: `list-${ids++}`, owner: null, until: '', pinned: false };
      const mine = await inList.acquire(ports, item);
      if (mine === undefined) throw new Error('the lease is held');
      await listed.patch(ports.records, mine, { pinned: true }, {});
      now += 1;
      expect(await inList.renew(ports, mine)).toBe(now + MS);
      const pinned = await ports.records.query({ partition: 'PINNED', byIndex: true });
      expect(pinned.records.map(({ value }) => value.id)).toContain(item.id);
    });

    it('give a free lease to one caller', async () => {
      const item = { id: `list-${ids++}`, owner: null, until: new Date(now).toISOString(), pinned: false };
      await inList.create(ports, item, null);
      const free = (await listed.get(ports.records, item)) as typeof item;
      expect(inList.isHeld(free, ports.clock)).toBe(false);
      const takers = await Promise.all([1, 2, 3].map(() => inList.take(ports, free)));
      expect(takers.filter((mine) => mine !== undefined)).toHaveLength(1);
    });

    it('recognize their own lease if the response was lost and the repeated write failed its condition', async () => {
      const item = newItem();
      const lossy = { ...ports, records: losingAnswers(ports.records) };
      const created = await byTimestamp.create(lossy, item);
      expect(await read(item.id)).toMatchObject(created as Taken);
      now += MS;
      const taken = await byTimestamp.acquire(lossy, item);
      expect(await read(item.id)).toMatchObject(taken as Taken);
      expect(taken?.owner).not.toBe(created?.owner);
      now += 1;
      expect(await byTimestamp.renew(lossy, taken as Taken)).toBe(now + MS);
      expect(await byTimestamp.acquire(lossy, newItem())).toMatchObject({ done: 0 });
      expect(await byTimestamp.acquire(lossy, item)).toBeUndefined();
    });

    it('take a free record without an owner only once, although both callers would write the same', async () => {
      const item = newItem();
      await byTimestamp.create(ports, item, '');
      const there = (await read(item.id)) as Taken;
      now += 1;
      const takers = await Promise.all([1, 2].map(() => byTimestamp.take(ports, there, { owner: '' })));
      expect(takers.filter((free) => free !== undefined)).toHaveLength(1);
    });

    it('are released only by their holder, as free or to a named one, with other fields', async () => {
      const mine = await taken();
      now += MS;
      const other = await taken({ ...newItemOf(mine), done: 5 });
      expect(other.done).toBe(5);
      expect(await byTimestamp.leave(ports, mine, {})).toBe(false);
      expect(await byTimestamp.leave(ports, other, { set: { done: 6 }, owner: 'next', ms: 1000 })).toBe(true);
      expect(await read(mine.id)).toMatchObject({ done: 6, owner: 'next', until: at(now + 1000) });
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeUndefined();
      expect(await byTimestamp.leave(ports, { ...other, owner: 'next' }, {})).toBe(true);
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeDefined();
    });

    it('change hands only under the additional condition of the new or old holder', async () => {
      const mine = await byNumber.acquire(ports, { id: `n${ids++}`, holder: '', end: 0, state: 'open' });
      if (mine === undefined) throw new Error('the lease is held');
      const expectClosed = { expect: { state: 'closed' } };
      expect(await byNumber.take(ports, mine, expectClosed)).toBeUndefined();
      expect(await byNumber.leave(ports, mine, expectClosed)).toBe(false);
      expect(await byNumber.remove(ports, mine, expectClosed.expect)).toBe(false);
      expect(await byNumber.remove(ports, mine, { state: 'open' })).toBe(true);
    });

    it('support milliseconds and a separate condition', async () => {
      const mine = await byNumber.acquire(ports, { id: `n${ids++}`, holder: '', end: 0, state: 'open' });
      if (mine === undefined) throw new Error('the lease is held');
      expect(mine.end).toBe(now + MS);
      now += 1;
      expect(await byNumber.renew(ports, mine, { state: 'open' })).toBe(now + MS);
      expect(await byNumber.renew(ports, mine, { state: 'closed' })).toBeUndefined();
    });
  });

  describe(`lease holder on ${name}`, () => {
    async function startHolding(
      renew: (mine: Taken) => Promise<number | undefined> = (mine) => byTimestamp.renew(ports, mine),
      how: Partial<Parameters<typeof hold>[0]> = {},
    ) {
      const sent = now;
      const mine = await taken();
      stopTimers();
      const renewals: Promise<unknown>[] = [];
      const held = hold({
        ...{ clock, ms: MS, marginMs: MARGIN_MS, until: sent + MS, renewEveryMs: 10_000, about: {} },
        ...how,
        renew: () => {
          const renewal = renew(mine);
          renewals.push(renewal);
          return renewal;
        },
      });
      /**
       * Lets time pass for the process: its timers run, and the work that they start ends unless it hangs.
       */
      const pass = async (milliseconds: number, { hangs = false } = {}) => {
        for (let gone = 0; gone < milliseconds && !held.signal.aborted; gone += 1000) {
          now += 1000;
          jest.advanceTimersByTime(1000);
          if (!hangs) await Promise.allSettled(renewals);
          await turns(3);
        }
      };
      return { mine, held, pass, renewals };
    }

    it('keeps the lease far beyond one period, but not after it stops', async () => {
      const { mine, held, pass } = await startHolding();
      await pass(5 * MS);
      held.requireHeld();
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeUndefined();
      held.stop();
      now += MS + 1000;
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeDefined();
    });

    it('does nothing more after a pause beyond the expiration, before any timer has run', async () => {
      const { mine, held } = await startHolding();
      now += MS;
      expect(() => held.requireHeld()).toThrow(LeaseLost);
      expect(held.signal.aborted).toBe(true);
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeDefined();
    });

    it('lets go before another holder may take the lease if renewals hang, and ignores late results', async () => {
      const gate = Promise.withResolvers<void>();
      const { mine, held, pass, renewals } = await startHolding(async (it) => {
        await gate.promise;
        return byTimestamp.renew(ports, it);
      });
      const began = now;
      await pass(2 * MS, { hangs: true });
      expect(held.signal.reason).toBeInstanceOf(LeaseLost);
      expect(now - began).toBeGreaterThan(MS - MARGIN_MS - 2000);
      expect(now - began).toBeLessThan(MS);
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeUndefined();
      now += MS;
      const other = await taken(newItemOf(mine));
      gate.resolve();
      await Promise.allSettled(renewals);
      expect(await read(mine.id)).toMatchObject({ owner: other.owner });
    });

    it('trusts only the record after its clock was set back', async () => {
      let hangs = false;
      const { mine, held, pass } = await startHolding((it) =>
        hangs ? new Promise(() => {}) : byTimestamp.renew(ports, it),
      );
      now -= 60 * MS;
      await pass(12_000);
      hangs = true;
      await pass(3 * MS, { hangs });
      expect(held.signal.reason).toBeInstanceOf(LeaseLost);
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeUndefined();
      now += 2 * MARGIN_MS;
      expect(await byTimestamp.acquire(ports, newItemOf(mine))).toBeDefined();
      now += 60 * MS;
    });

    it('counts from the expiration in the record, and renews under the same condition', async () => {
      const mine = await byNumber.acquire(ports, { id: `n${ids++}`, holder: '', end: 0, state: 'open' });
      if (mine === undefined) throw new Error('the lease is held');
      stopTimers();
      now += MS - MARGIN_MS;
      const held = byNumber.hold(ports, mine, { marginMs: MARGIN_MS, expect: { state: 'open' }, about: {} });
      expect(held.isHeld()).toBe(false);
      await held.renew();
      expect(held.isHeld()).toBe(true);
      await ports.records.update(key(mine), { set: { state: 'closed' } });
      await expect(held.renew()).rejects.toThrow(LeaseLost);
    });

    it('neither renews nor checks after it stops or is aborted', async () => {
      for (const end of ['stop', 'abort'] as const) {
        let looks = 0;
        const look = async () => {
          looks += 1;
        };
        const tooLate = { timeLeftMs: 30_000, reason: () => new Error('too late') };
        const how = { watches: [{ everyMs: 1000, look }], deadline: tooLate };
        const { held, pass, renewals } = await startHolding(undefined, how);
        await held.ready;
        await pass(12_000);
        expect([renewals.length, looks]).toEqual([1, 12]);
        if (end === 'stop') held.stop();
        else held.abort(new Error('over'));
        jest.advanceTimersByTime(MS);
        expect([renewals.length, looks]).toEqual([1, 12]);
        expect(held.signal.aborted).toBe(end === 'abort');
        jest.useRealTimers();
      }
    });

    it('is aborted by its check, which may fail before, and at its deadline', async () => {
      let looks = 0;
      const look = async (abort: (reason: Error) => void) => {
        if (looks++ < 2) throw new Error('the store is away');
        abort(new Error('stopped by a person'));
      };
      const stopped = await startHolding(undefined, { watches: [{ everyMs: 1000, look }] });
      await stopped.pass(5000);
      expect(() => stopped.held.requireHeld()).toThrow('stopped by a person');
      expect(looks).toBe(3);
      jest.useRealTimers();
      const deadline = { timeLeftMs: 30_000, reason: () => new Error('too late') };
      const late = await startHolding(undefined, { deadline });
      await late.pass(29_000);
      late.held.requireHeld();
      await late.pass(1000);
      expect(() => late.held.requireHeld()).toThrow('too late');
    });

    it('is ready with its first renewal if that takes the lease, and never if it is aborted before', async () => {
      const gate = Promise.withResolvers<void>();
      const first = async (it: Taken) => {
        await gate.promise;
        return byTimestamp.renew(ports, it);
      };
      const [going, aborted] = [
        await startHolding(first, { until: undefined }),
        await startHolding(first, { until: undefined }),
      ];
      let ready = false;
      going.held.ready.then(() => {
        ready = true;
      });
      await turns(3);
      expect(ready).toBe(false);
      aborted.held.abort(new Error('over'));
      await expect(aborted.held.ready).rejects.toThrow('over');
      gate.resolve();
      await going.held.ready;
    });

    it('can restore an expired lease if allowed, without counting it as held before', async () => {
      let hangs = true;
      const renew = async (it: Taken) => {
        if (hangs) throw new Error('the store is away');
        return byTimestamp.renew(ports, it);
      };
      const { mine, held, pass } = await startHolding(renew, { mayLapse: true });
      await pass(MS);
      expect(() => held.requireHeld()).toThrow(LeaseLost);
      expect([held.isHeld(), held.signal.aborted]).toEqual([false, false]);
      hangs = false;
      await held.renew();
      held.requireHeld();
      await byTimestamp.take(ports, (await read(mine.id)) as Taken);
      await expect(held.renew()).rejects.toThrow(LeaseLost);
    });

    it('is idle once the current renewal has ended', async () => {
      const gate = Promise.withResolvers<void>();
      let hasRenewed = false;
      const { held } = await startHolding(async (it) => {
        await gate.promise;
        const end = await byTimestamp.renew(ports, it);
        hasRenewed = true;
        return end;
      });
      void held.renew();
      held.stop();
      setImmediate(gate.resolve);
      await held.idle();
      expect(hasRenewed).toBe(true);
    });

    it('trusts its latest renewal, not an earlier renewal that hung and returned later', async () => {
      const gate = Promise.withResolvers<number>();
      let calls = 0;
      const began = now;
      const { held, pass } = await startHolding(async () => (calls++ === 0 ? gate.promise : now + MS));
      for (let gone = 0; gone < 30_000; gone += 1000) await pass(1000, { hangs: true });
      expect(calls).toBeGreaterThan(1);
      gate.resolve(began + MARGIN_MS);
      await turns(3);
      held.requireHeld();
    });

    it("doesn't keep a process alive whose work hangs", async () => {
      const mine = await taken();
      const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
      const before = timers();
      const look = async () => {};
      const watches = [{ everyMs: 1000, look }];
      const held = byTimestamp.hold(ports, mine, { marginMs: MARGIN_MS, watches, about: {} });
      expect(timers()).toBe(before);
      held.stop();
    });

    it('renews often enough by default', async () => {
      const { held, pass } = await startHolding(undefined, { renewEveryMs: undefined });
      await pass(5 * MS);
      held.requireHeld();
    });

    it('survives failed renewals if one succeeds in time', async () => {
      let calls = 0;
      const { held, pass } = await startHolding(async (it) => {
        calls += 1;
        if (calls % 3 !== 0) throw new Error('the store is away');
        return byTimestamp.renew(ports, it);
      });
      await pass(5 * MS);
      held.requireHeld();
    });

    it('learns at its next renewal that another holds the lease', async () => {
      const { mine, held, pass } = await startHolding();
      await byTimestamp.take(ports, mine); // as if it had expired on another host's clock
      await pass(12_000);
      expect(held.signal.reason).toBeInstanceOf(LeaseLost);
    });
  });
}

/** Completes each write but loses its response, so that the store's client repeats the write. */
function losingAnswers(records: Records): Records {
  return {
    ...records,
    async put(...given) {
      await records.put(...given);
      return records.put(...given);
    },
    async update(...given) {
      await records.update(...given);
      return records.update(...given);
    },
  };
}

type Taken = NonNullable<Awaited<ReturnType<typeof byTimestamp.acquire>>>;

function newItemOf({ id }: Taken): Taken {
  return { id, owner: '', until: '', done: 0 };
}
