import { describe, expect, it } from '@jest/globals';
import { oneLine } from '../../../lib/activity/record.ts';
import { splitText } from '../../../lib/adapters/wecom/split-text.ts';
import { beginning, characterStart, cutMiddle } from '../../../lib/text/cut-text.ts';

const FAMILY = '👨‍👩‍👧‍👦';
/** One grapheme each, with several code units. */
const CHARACTERS = [
  FAMILY,
  '🇨🇳',
  '🇩🇪',
  'e\u0301',
  'ก็',
  'क्षि',
  '각',
  '👍🏽',
  '1️⃣',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  '𠀀',
  '👩‍❤️‍💋‍👨',
  '\u05e9\u05c1\u05b8',
];
const segmenter = new Intl.Segmenter();

function placesOf(text: string): Set<number> {
  return new Set([...[...segmenter.segment(text)].map(({ index }) => index), text.length]);
}

const TEXTS = [
  ...CHARACTERS.map((one) => one.repeat(40)),
  ...CHARACTERS.map((one) => `ab ${one.repeat(3)} c${one}`),
  CHARACTERS.join(''),
  CHARACTERS.toReversed().join('测试'),
  `x${'🇨🇳'.repeat(50)}`,
];

describe('truncated text', () => {
  it.each(TEXTS)('ends between graphemes: %s', (text) => {
    const places = placesOf(text);
    const [first = 0] = [...places].filter((place) => place > 0);
    for (let cut = first; cut <= text.length; cut += 1) {
      expect(places).toContain(beginning(text, cut).length);
      expect(beginning(text, cut).length).toBeLessThanOrEqual(cut);
      expect(places).toContain(characterStart(text, cut));
    }
    for (let cut = first + 3; cut < text.length; cut += 1) {
      const [start = '', end = ''] = cutMiddle(text, cut).split(/\n\[….*…\]\n/);
      expect(end === '' || places.has(text.length - end.length)).toBe(true);
      expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
    }
  });

  it('keeps part of a first grapheme that alone is too long', () => {
    expect(beginning(FAMILY, 4)).toBe('👨‍');
    expect(beginning('😀', 1)).toBe('');
    expect(beginning(`e${'\u0301'.repeat(2000)}`, 1000).length).toBeGreaterThan(700);
  });

  it('splits no family emoji in a title, or in the messages of a long answer', () => {
    expect(oneLine(`Hi ${FAMILY}${FAMILY}`, 16)).toBe(`Hi ${FAMILY}…`);
    const pieces = splitText(FAMILY.repeat(300));
    expect(pieces.join('')).toBe(FAMILY.repeat(300));
    expect(pieces.every((piece) => piece.replaceAll(FAMILY, '') === '')).toBe(true);
  });
});
