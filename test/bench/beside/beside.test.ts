import { describe, expect, it } from '@jest/globals';
import { compare } from './beside.ts';

describe('compare', () => {
  const chats = (...pairs: [before: number, now: number][]) =>
    pairs.map(([before, now]) => ({
      before: { 'chats, 10 at once': before },
      now: { 'chats, 10 at once': now },
    }));

  it('reports a regression when the median is a tenth worse and every round is worse', () => {
    const [found] = compare('chats, 10 at once', chats([100, 80], [110, 98], [90, 70]));
    expect(found).toMatchObject({ before: 100, now: 80, ratio: 0.8, isWorse: true });
  });

  it('reports no regression if one round is better', () => {
    const [found] = compare('chats, 10 at once', chats([100, 80], [110, 85], [70, 84]));
    expect(found).toMatchObject({ least: expect.closeTo(0.77, 2), most: 1.2, isWorse: false });
  });

  it('treats more milliseconds as worse', () => {
    const rounds = [{ before: { start: 1000 }, now: { start: 1200 } }];
    expect(compare('start', rounds)).toMatchObject([{ isWorse: true }]);
  });

  it('omits measurements that one of the commits does not support', () => {
    expect(compare('draft of 40 sentences', chats([1, 1]))).toEqual([]);
  });
});
