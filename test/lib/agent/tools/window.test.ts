import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutWindow, lineUnits, type Window } from '../../../../lib/agent/tools/window.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const cut = (text: string, request: Parameters<typeof cutWindow>[2] = {}) =>
  cutWindow(text, lineUnits(text), request);

function readAll(text: string, limit?: number): Window[] {
  const windows: Window[] = [];
  let next: Window['next'] = { offset: 1 };
  while (next !== undefined) {
    const window: Window = cut(text, { limit, ...next });
    windows.push(window);
    next = window.next;
  }
  return windows;
}

describe('cutWindow', () => {
  it('returns a short text completely', () => {
    expect(cut('a\nb\n')).toEqual({ content: 'a\nb\n', begin: 0, first: 1, last: 2, total: 2 });
    expect(cut('a\nb')).toEqual({ content: 'a\nb', begin: 0, first: 1, last: 2, total: 2 });
    expect(cut('')).toEqual({ content: '', begin: 0, first: 1, last: 1, total: 0 });
  });

  it('returns the requested lines, and where to continue', () => {
    expect(cut('a\nb\nc\nd', { offset: 2, limit: 2 })).toEqual({
      content: 'b\nc\n',
      begin: 2,
      first: 2,
      last: 3,
      total: 4,
      next: { offset: 4 },
    });
    expect(cut('abc\nd', { column: 2, limit: 1 })).toMatchObject({ content: 'bc\n', next: { offset: 2 } });
  });

  it('rejects a start after the end', () => {
    expect(() => cut('a\nb\n', { offset: 3 })).toThrow('offset must be at most 2: there are only 2 lines.');
  });

  it('ends at a line break if possible, otherwise within a line', () => {
    const [first, second] = readAll(`${'a'.repeat(20_000)}\n${'b'.repeat(60_000)}\nc`);
    expect(first).toMatchObject({ first: 1, last: 1, next: { offset: 2 } });
    expect(second?.next?.offset).toBe(2);
    expect(second?.next?.column).toBeGreaterThan(20_000);
  });

  it('returns consecutive parts that together are the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 50 }),
      fc.constantFrom('\n', '\r\n', '\f', '"'.repeat(15_000), '😀'.repeat(13_001), 'x'.repeat(24_001)),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }), (all, limit) => {
        const windows = readAll(all, limit);
        expect(windows.map(({ content }) => content).join('')).toBe(all);
        for (const { content, first, last } of windows) {
          expect(JSON.stringify(content).length).toBeLessThanOrEqual(24_000);
          expect(last - first).toBeLessThan(limit ?? Number.POSITIVE_INFINITY);
        }
      }),
    );
  });
});
