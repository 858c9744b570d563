import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitText } from '../../../lib/adapters/wecom/split-text.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { tries } from '../../support/tries.ts';

const TEXTS = tries(10_000);

const size = (text: string) => Buffer.byteLength(text);

/** Returns whether a split leaves every Unicode character whole. */
function isWholeBetween(left: string, right: string): boolean {
  return !(/[\uD800-\uDBFF]$/.test(left) && /^[\uDC00-\uDFFF]/.test(right));
}

function checkPieces(text: string, maxBytes: number): void {
  const pieces = splitText(text, maxBytes);
  expect(pieces.join('')).toBe(text);
  for (const [index, piece] of pieces.entries()) {
    if (size(piece) > maxBytes || piece === '') throw new Error(`a piece of ${size(piece)} bytes`);
    if (!isWholeBetween(piece, pieces[index + 1] ?? '')) throw new Error('a character is cut');
  }
}

describe('splitText', () => {
  it(`splits ${TEXTS} random texts into whole characters within the limit, and loses nothing`, () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 3000 }),
      fc.string({ unit: 'grapheme', maxLength: 1500 }),
      // Also unpaired surrogates: any 16 bits.
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 2500 })
        .map((units) => String.fromCharCode(...units)),
    );
    const long = fc.tuple(text, fc.integer({ min: 1, max: 6 })).map(([part, times]) => part.repeat(times));
    fc.assert(
      fc.property(long, (value) => checkPieces(value, 2048)),
      { numRuns: TEXTS, seed: 8 },
    );
  });

  it('does the same for small limits, down to one character', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 4, max: 12 }), checkPieces), {
      numRuns: tries(2000),
      seed: 8,
    });
  });

  it('keeps a text of 2,048 bytes whole, and returns no empty part for an empty text', () => {
    expect(splitText('é'.repeat(1024))).toHaveLength(1);
    expect(splitText(`${'é'.repeat(1024)}.`)).toHaveLength(2);
    expect(splitText('')).toEqual([]);
  });

  it('splits after a line, otherwise after a word', () => {
    expect(splitText('one two\nthree four', 12)).toEqual(['one two\n', 'three four']);
    expect(splitText('onetwo three four', 16)).toEqual(['onetwo three ', 'four']);
    expect(splitText('a bcdefghijkl', 8)).toEqual(['a bcdefg', 'hijkl']);
  });

  it('keeps a grapheme in one part', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(splitText(`12345678901234567890${family}`, 32)).toEqual(['12345678901234567890', family]);
    expect(splitText('cafe\u0301', 5)).toEqual(['caf', 'e\u0301']);
  });

  it('splits a grapheme that alone is too long', () => {
    checkPieces(`a${'\u0301'.repeat(3000)}`, 2048);
  });
});
