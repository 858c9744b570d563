import { describe, expect, it } from '@jest/globals';
import {
  placeOfTitle,
  RELATED_TITLE,
  SAME_TITLE,
  titleLikeness,
} from '../../../lib/bibliography/compare-titles.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';
import { OTHER_TITLES, SAME_TITLES } from './title-pairs.ts';

describe('titleLikeness', () => {
  it.each(SAME_TITLES)('recognizes %s as %s', (one, other) => {
    expect(titleLikeness(one, other)).toBeGreaterThanOrEqual(SAME_TITLE);
    expect(titleLikeness(other, one)).toBeGreaterThanOrEqual(SAME_TITLE);
  });

  it.each(OTHER_TITLES)('distinguishes %s from %s', (one, other) => {
    expect(titleLikeness(one, other)).toBeLessThan(SAME_TITLE);
    expect(titleLikeness(other, one)).toBeLessThan(SAME_TITLE);
  });

  it('has a threshold between the two with room on both sides', () => {
    const likeness = ([one, other]: [string, string]) => titleLikeness(one, other) ?? 0;
    expect(Math.min(...SAME_TITLES.map(likeness)) - SAME_TITLE).toBeGreaterThan(0.005);
    expect(SAME_TITLE - Math.max(...OTHER_TITLES.map(likeness))).toBeGreaterThan(0.005);
  });

  it('compares no titles in different scripts', () => {
    expect(titleLikeness('机器学习的基础与应用', 'Foundations of machine learning')).toBeUndefined();
  });

  it('keeps the titles of different papers apart', () => {
    const titles = SAME_TITLES.map(([title]) => title);
    for (const [at, one] of titles.entries())
      for (const other of titles.slice(at + 1))
        if (!one.startsWith('Prospect')) expect(titleLikeness(one, other) ?? 0).toBeLessThan(RELATED_TITLE);
  });

  it('takes bounded time for hostile titles', async () => {
    const titles = ['a'.repeat(500), ': '.repeat(250), '{'.repeat(500), '$^_'.repeat(160), '\\'.repeat(500)];
    const time = await cpuTimeOf(() => {
      for (const one of titles) for (const other of titles) titleLikeness(one, other);
    });
    expect(time).toBeLessThan(1000);
  });
});

describe('placeOfTitle', () => {
  it('finds a whole title between punctuation', () => {
    const entry = 'Smith J. Night hunting of owls: a review. J Birds. 2020;1:2-3.';
    expect(placeOfTitle(entry, 'Night Hunting of Owls')).toEqual({ start: 9, end: 30 });
    expect(placeOfTitle(entry, 'Night hunting')).toBeUndefined();
    expect(placeOfTitle('Deep learning for owls. Nature.', 'Deep learning')).toBeUndefined();
  });
});
