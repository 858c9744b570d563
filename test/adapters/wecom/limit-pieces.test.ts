import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { limitPieces } from '../../../lib/adapters/wecom/limit-pieces.ts';
import { MAX_TEXT_BYTES, splitText } from '../../../lib/adapters/wecom/split-text.ts';
import { anyCharacter } from '../../support/any-character.ts';

const NOTE =
  /\n… and (\d+) more characters, too many for this chat\. Ask for the rest, or for the whole text as a file\.$/;

describe('limitPieces', () => {
  it('keeps a text that fits', () => {
    const text = 'x'.repeat(20 * MAX_TEXT_BYTES);
    expect(limitPieces(text)).toEqual(splitText(text));
    expect(limitPieces('')).toEqual([]);
  });

  it('truncates a text that is one character too long', () => {
    const pieces = limitPieces('x'.repeat(20 * MAX_TEXT_BYTES + 1));
    expect(pieces).toHaveLength(20);
    expect(pieces.at(-1)).toMatch(NOTE);
  });

  it('shows the start of any text and how much is left out, in at most the allowed messages', () => {
    const text = fc
      .tuple(
        fc.string({ unit: anyCharacter, minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 200 }),
      )
      .map(([part, times]) => part.repeat(times).toWellFormed());
    const check = (value: string) => {
      const pieces = limitPieces(value, 3);
      const shown = pieces.join('').replace(NOTE, '');
      const leftOut = NOTE.exec(pieces.at(-1) ?? '')?.[1];
      expect(pieces.length).toBeLessThanOrEqual(3);
      for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(MAX_TEXT_BYTES);
      expect(value.startsWith(shown)).toBe(true);
      expect(shown.length + Number(leftOut ?? 0)).toBe(value.length);
    };
    fc.assert(fc.property(text, check), { numRuns: 500, seed: 8 });
  });
});
