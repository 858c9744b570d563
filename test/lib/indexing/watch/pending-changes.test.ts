import { describe, expect, it } from '@jest/globals';
import { PendingChanges } from '../../../../lib/indexing/watch/pending-changes.ts';

/** Adds a change of a file at each of these times, and returns when it was due, checked every 100 ms. */
function dueTimes(times: number[], until: number): number[] {
  const changes = new PendingChanges();
  const due: number[] = [];
  for (let now = 0; now <= until; now += 100) {
    if (times.includes(now)) changes.add('a.md', now);
    if (changes.takeDue(now) !== undefined) due.push(now);
  }
  return due;
}

const every = (ms: number, until: number) => Array.from({ length: until / ms }, (_, index) => index * ms);

describe('changed file', () => {
  it('is due when it has stopped changing', () => {
    expect(dueTimes([0], 1000)).toEqual([300]);
    expect(dueTimes([0, 200, 400], 2000)).toEqual([700]);
  });

  it('is due soon each time if it is saved every few seconds', () => {
    expect(dueTimes([0, 3000, 6000], 10_000)).toEqual([300, 3300, 6300]);
  });

  it('is due ever more rarely if it is appended to continuously', () => {
    const times = dueTimes(every(100, 600_000), 600_000);
    expect(times[0]).toBe(30_000);
    expect(times.length).toBeLessThan(21);
  });

  it('is delayed ever longer if it changes each second', () => {
    expect(dueTimes(every(1000, 600_000), 600_000).length).toBeLessThan(12);
  });
});

describe('many changes', () => {
  it('are one burst, due when the folder has stopped changing', () => {
    const changes = new PendingChanges();
    for (let file = 0; file < 5000; file++) changes.add(`${file}.md`, 100 + file);
    expect(changes.takeDue(5200)).toBeUndefined();
    expect(changes.takeDue(6100)).toEqual({ paths: undefined, since: 100 });
    expect(changes.since()).toBeUndefined();
  });

  it('are also one burst if they arrive one by one, as in a copy', () => {
    const changes = new PendingChanges();
    const due: number[] = [];
    for (let now = 0; now < 8000; now++) {
      changes.add(`${now}.md`, now);
      due.push(changes.takeDue(now)?.paths?.length ?? 0);
    }
    expect(due.reduce((sum, count) => sum + count)).toBeLessThan(2000);
    expect(changes.takeDue(9000)).toEqual({ paths: undefined, since: expect.any(Number) });
  });

  it('are due eventually although the folder never stops changing', () => {
    const changes = new PendingChanges();
    changes.addAll(0);
    for (let now = 0; now < 30_000; now += 100) {
      changes.add('a.md', now);
      expect(changes.takeDue(now)).toBeUndefined();
    }
    expect(changes.takeDue(30_000)).toEqual({ paths: undefined, since: 0 });
  });

  it('are processed together if they arrived together, like the two changes of a move', () => {
    const changes = new PendingChanges();
    changes.add('old.md', 0);
    changes.add('new.md', 3);
    expect(changes.takeDue(301)?.paths).toEqual(['old.md', 'new.md']);
  });

  it('are each delayed separately', () => {
    const changes = new PendingChanges();
    changes.add('a.md', 0);
    changes.add('b.md', 250);
    expect(changes.takeDue(300)).toEqual({ paths: ['a.md'], since: 0 });
    expect(changes.since()).toBe(250);
  });
});
