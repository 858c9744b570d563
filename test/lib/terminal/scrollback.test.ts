import { describe, expect, it } from '@jest/globals';
import { scrollback } from '../../../lib/terminal/scrollback.ts';

describe('scrollback', () => {
  it('keeps the latest pieces up to its size, with their numbers', () => {
    const kept = scrollback(5);
    for (const text of ['ab', 'cd', 'ef', 'g']) kept.add(text);
    expect(kept.last()).toBe(4);
    expect(kept.after(0)).toEqual({ number: 2, text: 'cd' });
    expect(kept.after(2)).toEqual({ number: 3, text: 'ef' });
    expect(kept.after(4)).toBeUndefined();
    expect(kept.lengthBetween(0, 3)).toBe(4);
  });

  it('keeps the last piece even if it is longer than the size, and a limited number of pieces', () => {
    const kept = scrollback(5);
    kept.add('abcdefgh');
    expect(kept.after(0)?.text).toBe('abcdefgh');
    const many = scrollback();
    for (let piece = 0; piece < 10_000; piece++) many.add('x');
    expect(many.after(0)?.number).toBe(10_000 - 8_192 + 1);
  });
});
