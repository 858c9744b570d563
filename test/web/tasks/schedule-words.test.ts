import { describe, expect, it } from '@jest/globals';
import { wordSchedule } from '../../../web/tasks/schedule-words.ts';
import { consoleWords } from '../../support/console-words.ts';

/** Fills in the console's own texts. */
function translate(language: 'en' | 'zh-CN') {
  const words = consoleWords(language);
  const t = (key: string, holes: Record<string, unknown> = {}) => {
    const found = words.get(key) ?? words.get(`${key}_${holes.count === 1 ? 'one' : 'other'}`) ?? key;
    return Object.entries(holes).reduce(
      (text, [name, value]) => text.replace(`{{${name}}}`, String(value)),
      found,
    );
  };
  return t as never;
}
const english = (schedule: string) => wordSchedule(schedule, translate('en'), 'en-GB');

describe('schedule in words', () => {
  it.each([
    ['0 7 * * *', 'Every day at 07:00'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['0 * * * *', 'Every hour'],
    ['5 * * * *', 'Every hour at minute 5'],
    ['30 8 * * 1-5', 'Monday to Friday at 08:30'],
    ['0 8 * * 1', 'Every Monday at 08:00'],
    ['0 8 * * 0,6', 'Every Sunday and Saturday at 08:00'],
    ['0 8 * * 7', 'Every Sunday at 08:00'],
    ['0 8 1 * *', 'On day 1 of every month at 08:00'],
  ])('is for %s: %s', (schedule, words) => {
    expect(english(schedule)).toBe(words);
  });

  it('is not guessed for other expressions', () => {
    for (const schedule of [
      '*/7 * * * *',
      '0 8 1 1 *',
      '0 8 1 * 1',
      '0 8-10 * * *',
      '0 8 * * MON',
      '0 8 * *',
      '',
    ])
      expect([schedule, english(schedule)]).toEqual([schedule, undefined]);
  });

  it('is also translated to Chinese', () => {
    expect(wordSchedule('0 7 * * 1', translate('zh-CN'), 'zh-CN')).toBe('每逢星期一 07:00');
  });
});
