import { describe, expect, it } from '@jest/globals';
import { isTimeZone, latestSlot, nextSlot, scheduleProblem } from '../../../lib/tasks/schedule.ts';

function slots(schedule: string, timezone: string, after: string, count: number): string[] {
  const found: string[] = [];
  for (let at = Date.parse(after); found.length < count; ) {
    at = nextSlot(schedule, timezone, at) ?? Number.NaN;
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

/** Returns the same instants in the zone's local time. */
function local(schedule: string, timezone: string, after: string, count: number): string[] {
  const options = {
    timeZone: timezone,
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const;
  const format = new Intl.DateTimeFormat('en-GB', options);
  return slots(schedule, timezone, after, count).map((slot) => format.format(new Date(`${slot}Z`)));
}

describe('slots around clock changes', () => {
  it.each([
    // A skipped time of day runs at the change, on that day only.
    ['spring', 'Europe/Berlin', '30 2 * * *', '2026-03-28T00:00Z', ['28, 02:30', '29, 03:00', '30, 02:30']],
    [
      'spring',
      'America/New_York',
      '30 2 * * *',
      '2026-03-07T00:00Z',
      ['07, 02:30', '08, 03:00', '09, 02:30'],
    ],
    [
      'spring',
      'Australia/Lord_Howe',
      '15 2 * * *',
      '2026-10-02T00:00Z',
      ['03, 02:15', '04, 02:30', '05, 02:15'],
    ],
    ['spring', 'Asia/Shanghai', '30 2 * * *', '2026-03-28T00:00Z', ['29, 02:30', '30, 02:30', '31, 02:30']],
    // A repeated one runs at its first occurrence.
    ['autumn', 'Europe/Berlin', '30 2 * * *', '2026-10-24T00:00Z', ['24, 02:30', '25, 02:30', '26, 02:30']],
    [
      'autumn',
      'America/New_York',
      '30 1 * * *',
      '2026-10-31T00:00Z',
      ['31, 01:30', '01, 01:30', '02, 01:30'],
    ],
    [
      'autumn',
      'Australia/Lord_Howe',
      '45 1 * * *',
      '2026-04-03T00:00Z',
      ['04, 01:45', '05, 01:45', '06, 01:45'],
    ],
    ['autumn', 'Asia/Shanghai', '30 1 * * *', '2026-10-24T00:00Z', ['25, 01:30', '26, 01:30', '27, 01:30']],
    // An hourly schedule continues through both.
    ['spring', 'Europe/Berlin', '0 * * * *', '2026-03-29T00:00Z', ['29, 03:00', '29, 04:00', '29, 05:00']],
    ['autumn', 'Europe/Berlin', '0 * * * *', '2026-10-24T23:30Z', ['25, 02:00', '25, 02:00', '25, 03:00']],
    [
      'spring',
      'Australia/Lord_Howe',
      '*/30 * * * *',
      '2026-10-03T15:00Z',
      ['04, 02:30', '04, 03:00', '04, 03:30'],
    ],
  ])('are for %s in %s: %s', (_season, timezone, schedule, after, expected) => {
    expect(local(schedule, timezone, after, 3)).toEqual(expected);
  });

  it.each([
    ['Europe/Berlin', '2026-10-25T00:30', '2026-10-26T01:30'],
    ['America/New_York', '2026-11-01T05:30', '2026-11-02T06:30'],
  ])('are the first of two equal times: %s', (timezone, first, second) => {
    const schedule = timezone === 'Europe/Berlin' ? '30 2 * * *' : '30 1 * * *';
    expect(slots(schedule, timezone, `${first.slice(0, 10)}T00:00Z`, 2)).toEqual([first, second]);
  });

  it('follow one another through every day of a year', () => {
    for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Shanghai']) {
      for (const schedule of ['30 2 * * *', '45 1 * * *', '0 0 * * *']) {
        const found = slots(schedule, timezone, '2026-01-01T00:00Z', 365);
        expect(new Set(found).size).toBe(365);
        expect([...found].sort()).toEqual(found);
      }
    }
  });
});

describe('next slot', () => {
  it.each([
    ['*/15 * * * *', '2026-01-01T00:00', '2026-01-01T00:15'],
    ['0 9 * * MON-FRI', '2026-01-02T09:00', '2026-01-05T09:00'],
    ['0 9 * * 7', '2026-01-01T00:00', '2026-01-04T09:00'],
    ['0 0 29 2 *', '2026-01-01T00:00', '2028-02-29T00:00'],
    ['5,10-20/5 3 1 jan,jul *', '2026-01-01T03:20', '2026-07-01T03:05'],
    // Runs on either of both days, like any cron.
    ['0 0 13 * 5', '2026-02-13T00:00', '2026-02-20T00:00'],
    ['0 0 30 2 1', '2026-02-01T00:00', '2026-02-02T00:00'],
  ])('is for %s after %s: %s', (schedule, after, expected) => {
    expect(slots(schedule, 'UTC', `${after}Z`, 1)).toEqual([expected]);
  });

  it('is calculated in the time zone', () => {
    expect(slots('0 0 * * *', 'Asia/Shanghai', '2026-01-01T00:00Z', 1)).toEqual(['2026-01-01T16:00']);
  });
});

describe('latest slot', () => {
  it.each([
    ['2026-01-01T00:05:00.000Z', '2026-01-01T00:05'],
    ['2026-01-01T00:09:59.999Z', '2026-01-01T00:05'],
    ['2026-01-01T00:10:00.000Z', '2026-01-01T00:10'],
  ])('is at %s: %s', (at, expected) => {
    const slot = latestSlot('*/5 * * * *', 'UTC', Date.parse(at)) ?? Number.NaN;
    expect(new Date(slot).toISOString().slice(0, 16)).toBe(expected);
  });
});

describe('schedule expression', () => {
  it.each([
    ['', 'must have 5 fields (minute hour day month weekday), but has 0'],
    ['* * * *', 'must have 5 fields (minute hour day month weekday), but has 4'],
    ['* * * * * *', 'must have 5 fields (minute hour day month weekday), but has 6'],
    ['@reboot', 'can\'t be "@reboot". Write all five fields'],
    ['@daily', 'can\'t be "@daily". Write all five fields'],
    ['H * * * *', 'has "H", which isn\'t a valid minute'],
    ['60 * * * *', 'has "60", which isn\'t a valid minute'],
    ['*/0 * * * *', 'has "*/0", which isn\'t a valid minute'],
    ['5/15 * * * *', 'has "5/15", which isn\'t a valid minute'],
    ['? * * * *', 'has "?", which isn\'t a valid minute'],
    ['1.5 * * * *', 'has "1.5", which isn\'t a valid minute'],
    ['1,,2 * * * *', 'has "1,,2", which isn\'t a valid minute'],
    ['-1 * * * *', 'has "-1", which isn\'t a valid minute'],
    ['* 24 * * *', 'has "24", which isn\'t a valid hour'],
    ['* 5-1 * * *', 'has "5-1", which isn\'t a valid hour'],
    ['0 0 0 * *', 'has "0", which isn\'t a valid day of the month'],
    ['0 0 L * *', 'has "L", which isn\'t a valid day of the month'],
    ['0 0 * 13 *', 'has "13", which isn\'t a valid month'],
    ['0 0 * Smarch *', 'has "Smarch", which isn\'t a valid month'],
    ['0 0 * * 8', 'has "8", which isn\'t a valid day of the week'],
    ['0 0 * * MON#2', 'has "MON#2", which isn\'t a valid day of the week'],
    ['0 0 * * +1', 'has "+1", which isn\'t a valid day of the week'],
    ['0 0 30 2 *', "never runs, because that day doesn't exist"],
    ['0 0 31 4,6,9,11 *', "never runs, because that day doesn't exist"],
  ])('is rejected: %s: %s', (schedule, problem) => {
    expect(scheduleProblem(schedule)).toContain(problem);
  });

  it.each(['* * * * *', '0 0 29 2 *', '*/5 9-17 * JAN-MAR mon-fri', '0 0 * * 0,7', '0 0 30 2 1'])(
    'is accepted: %s',
    (schedule) => {
      expect(scheduleProblem(schedule)).toBeUndefined();
    },
  );
});

describe('time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Etc/GMT+5'])('accepts %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['', 'Mars/Olympus', '+02:00', 'GMT+2', 'local', 'Europe/Berlin\0'])('rejects %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});
