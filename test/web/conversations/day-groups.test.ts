import { describe, expect, it } from '@jest/globals';
import { groupByDay } from '../../../web/conversations/day-groups.ts';

const now = new Date(2026, 2, 30, 0, 30); // the day after clocks changed in Europe
const at = (...[day, hour, minute = 0]: [number, number, number?]) => new Date(2026, 2, day, hour, minute);
const of = (id: string, time: Date, pinned = false) => ({ id, pinned, updatedAt: time.toISOString() });

describe('groups of conversations', () => {
  it('follow the calendar, pinned conversations first, without empty groups', () => {
    const listed = [
      of('future', at(30, 9)),
      of('now', at(30, 0, 10)),
      of('late', at(29, 23, 59)),
      of('early', at(29, 0)),
      of('kept', at(1, 12), true),
      of('monday', at(23, 0)),
      of('old', at(22, 23, 59)),
    ];
    const named = (items: typeof listed) =>
      groupByDay(items, now).map((group) => [group.name, group.items.map(({ id }) => id)]);
    expect(named(listed)).toEqual([
      ['pinned', ['kept']],
      ['today', ['future', 'now']],
      ['yesterday', ['late', 'early']],
      ['week', ['monday']],
      ['older', ['old']],
    ]);
    expect(named([])).toEqual([]);
  });
});
