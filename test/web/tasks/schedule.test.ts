import { describe, expect, it } from '@jest/globals';
import { nextSlot, scheduleProblem } from '../../../lib/tasks/schedule.ts';
import { previewSchedule, timeZones } from '../../../web/tasks/schedule.ts';

const AFTER = new Date('2026-03-28T12:00:00Z');

describe('previewSchedule', () => {
  it.each([
    ['0 7 * * *', 'Europe/Berlin'],
    ['30 2 * * *', 'Europe/Berlin'],
    ['*/20 8-18 * JAN-MAR MON,WED', 'Asia/Shanghai'],
    ['0 0 29 2 *', 'UTC'],
    ['0 9 * * 1-5', 'America/New_York'],
    ['0 8 31 * *', 'America/New_York'],
  ])("predicts the service's slots: %s %s", (schedule, timezone) => {
    const slots: number[] = [];
    for (let at = AFTER.getTime(); slots.length < 5; at = slots.at(-1) ?? 0)
      slots.push(nextSlot(schedule, timezone, at) ?? Number.NaN);
    const runs = slots.map((slot) => new Date(slot));
    expect(previewSchedule(schedule, timezone, AFTER, 5)).toEqual({ runs });
  });

  it.each([
    ['', { problem: 'count', count: 0 }],
    ['@daily', { problem: 'count', count: 1 }],
    ['0 7 * *', { problem: 'count', count: 4 }],
    ['0 7 * * * *', { problem: 'count', count: 6 }],
    ['60 7 * * *', { problem: 'field', field: 'minute', text: '60' }],
    ['0 7-5 * * *', { problem: 'field', field: 'hour', text: '7-5' }],
    ['0 7 L * *', { problem: 'field', field: 'day', text: 'L' }],
    ['0 7 * FOO *', { problem: 'field', field: 'month', text: 'FOO' }],
    ['0 7 * * 5#2', { problem: 'field', field: 'weekday', text: '5#2' }],
    ['0 7 30 2 *', { problem: 'never' }],
  ])('reports the same problem with %j as the service', (schedule, expected) => {
    expect(previewSchedule(schedule, 'UTC', AFTER, 5)).toEqual(expected);
    expect(scheduleProblem(schedule)).toBeDefined();
  });

  it('treats several spaces as one', () => {
    expect(previewSchedule('  0  7 * * * ', 'UTC', AFTER, 1)).toEqual({
      runs: [new Date('2026-03-29T07:00:00Z')],
    });
  });
});

describe('timeZones', () => {
  it("lists each zone once, including the user's own", () => {
    const zones = timeZones('Asia/Calcutta');
    expect(new Set(zones).size).toBe(zones.length);
    expect(zones).toEqual(expect.arrayContaining(['UTC', 'Asia/Calcutta', 'Europe/Berlin']));
  });
});
