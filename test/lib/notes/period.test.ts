import { describe, expect, it } from '@jest/globals';
import { dayOf, dayPeriod, weekPeriod } from '../../../lib/notes/period.ts';

const iso = ({ from, to }: { from: number; to: number }) =>
  [from, to].map((time) => new Date(time).toISOString().slice(0, 16));

describe('day in a time zone', () => {
  it.each([
    ['2026-01-01', 'UTC', '2026-01-01T00:00', '2026-01-02T00:00'],
    ['2026-01-01', 'Asia/Shanghai', '2025-12-31T16:00', '2026-01-01T16:00'],
    ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00', '2026-01-01T10:00'],
    ['2026-01-01', 'Pacific/Pago_Pago', '2026-01-01T11:00', '2026-01-02T11:00'],
    ['2026-07-01', 'Asia/Kathmandu', '2026-06-30T18:15', '2026-07-01T18:15'],
    // 23 and 25 hours
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00', '2026-03-29T22:00'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00', '2026-10-25T23:00'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00', '2026-03-09T04:00'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00', '2026-11-02T05:00'],
    // the clocks change at midnight: no 00:00, and a 23rd hour twice
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00', '2026-04-24T21:00'],
    ['2026-10-29', 'Africa/Cairo', '2026-10-28T21:00', '2026-10-29T22:00'],
    // half an hour
    ['2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00', '2026-04-05T13:30'],
    // a day that never existed
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00', '2011-12-30T10:00'],
  ])('is right for %s in %s', (day, timezone, from, to) => {
    expect(iso(dayPeriod(day, timezone))).toEqual([from, to]);
  });

  it('is the date of the calendar in that time zone', () => {
    const time = Date.parse('2026-12-31T23:30:00Z');
    expect([dayOf(time, 'UTC'), dayOf(time, 'Asia/Tokyo'), dayOf(time, 'America/Lima')]).toEqual([
      '2026-12-31',
      '2027-01-01',
      '2026-12-31',
    ]);
  });
});

describe('week of a day', () => {
  it.each([
    ['2026-01-01', '2025-12-29', '2026-01-04'],
    ['2026-01-04', '2025-12-29', '2026-01-04'],
    ['2026-01-05', '2026-01-05', '2026-01-11'],
    ['2024-02-29', '2024-02-26', '2024-03-03'],
  ])('lasts for %s from Monday %s to Sunday %s', (day, firstDay, lastDay) => {
    const week = weekPeriod(day, 'UTC');
    expect(week).toMatchObject({ kind: 'weekly', firstDay, lastDay });
    expect(week.to - week.from).toBe(7 * 24 * 3_600_000);
  });

  it('is an hour shorter or longer if the clocks change during it', () => {
    const hours = ({ from, to }: { from: number; to: number }) => (to - from) / 3_600_000;
    expect(hours(weekPeriod('2026-03-29', 'Europe/Berlin'))).toBe(167);
    expect(hours(weekPeriod('2026-10-25', 'Europe/Berlin'))).toBe(169);
  });
});
