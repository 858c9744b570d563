import { describe, expect, it } from '@jest/globals';
import { readSchedule, writeSchedule } from '../../../web/tasks/schedule-parts.ts';

describe('readSchedule', () => {
  it.each([
    ['0 * * * *', { frequency: 'hourly', time: '00:00' }],
    ['5 * * * *', { frequency: 'hourly', time: '00:05' }],
    ['0 7 * * *', { frequency: 'daily', time: '07:00' }],
    ['30 9 * * 1-5', { frequency: 'weekdays', time: '09:30' }],
    ['0 23 * * 1,3,5', { frequency: 'weekly', time: '23:00', days: [1, 3, 5] }],
    ['0 0 31 * *', { frequency: 'monthly', time: '00:00', day: 31 }],
  ])('reads %s, and writes it again', (schedule, parts) => {
    const read = readSchedule(schedule);
    expect(read).toMatchObject(parts);
    expect(read && writeSchedule(read)).toBe(schedule);
  });

  it('reads Sunday as 7 or 0, and reads a repeated day once', () => {
    expect(readSchedule('0 8 * * 7,0,6')).toMatchObject({ frequency: 'weekly', days: [0, 6] });
  });

  it.each([
    '*/15 * * * *',
    '0 8-10 * * *',
    '0 8 * * MON',
    '0 8 1 * 1',
    '0 8 1 1 *',
    '0 8 0 * *',
    '0 8 32 * *',
    '60 8 * * *',
    '0 24 * * *',
    '0 * 1 * *',
    '@daily',
    'every weekday at 9',
    '每个工作日 9 点',
    '0 8 * *',
    '',
  ])('leaves %j to its expression', (schedule) => {
    expect(readSchedule(schedule)).toBeUndefined();
  });
});
