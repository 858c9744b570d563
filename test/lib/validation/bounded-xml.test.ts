import { describe, expect, it } from '@jest/globals';
import { isBoundedXml } from '../../../lib/validation/bounded-xml.ts';

const times = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('');

describe('isBoundedXml', () => {
  it.each([
    ['nothing', ''],
    ['no XML', 'a = b < c'],
    ['50,000 elements of one name', times(50_000, () => '<a></a>')],
    ['4,000 names', times(4000, (at) => `<a${at} b="1"/>`)],
    ['a long text', 'x '.repeat(1_000_000)],
    ['a name without end', `<${'a'.repeat(1_000_000)}`],
  ])('accepts %s', (_name, text) => {
    expect(isBoundedXml(text)).toBe(true);
  });

  it.each([
    ['100,001 elements', times(100_001, () => '<a/>')],
    ['100,001 attributes', `<a ${times(100_001, () => 'b="" ')}/>`],
    ['elements of 5,001 names', times(5001, (at) => `<a${at}/>`)],
    ['attributes of 5,001 names', `<a ${times(5001, (at) => `é${at}=""\n`)}/>`],
  ])('refuses %s', (_name, text) => {
    expect(isBoundedXml(text)).toBe(false);
  });
});
