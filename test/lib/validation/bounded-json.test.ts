import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  isBoundedJson,
  isBoundedJsonInTurns,
  parseBoundedJson,
  requireBoundedJson,
} from '../../../lib/validation/bounded-json.ts';

const read = (text: string) => () => parseBoundedJson(text, 'the body');
const list = (length: number, entry: (index: number) => string) =>
  `[${Array.from({ length }, (_, index) => entry(index)).join(',')}]`;
const fields = (length: number) => `{${Array.from({ length }, (_, index) => `"k${index}":1`).join(',')}}`;

describe('external JSON', () => {
  it('is read like JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        expect(parseBoundedJson(text, 'the body')).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['a string of 5 MB', JSON.stringify('x'.repeat(5e6))],
    ['a string full of brackets, commas, and quotes', JSON.stringify('[{",:\\'.repeat(200_000))],
    ['a name full of them', `{${JSON.stringify('[{",:\\'.repeat(200_000))}:1}`],
    [
      '2,000 messages with ten parts',
      list(2000, (id) => `{"id":"${id}","parts":${list(10, () => '{"type":"text","text":"hi"}')}}`),
    ],
    ['100 levels', '['.repeat(100) + ']'.repeat(100)],
    ['5,000 names', fields(5000)],
    ['the same names repeatedly', list(15_000, () => '{"a":1,"b":2,"c":{"a":1}}')],
  ])('may contain %s', (_what, text) => {
    expect(read(text)()).toEqual(JSON.parse(text));
  });

  it.each([
    ['101 levels', '['.repeat(101) + ']'.repeat(101), '100 levels of nesting'],
    ['101 levels of objects', '{"a":'.repeat(101), '100 levels of nesting'],
    ['3 million brackets', '['.repeat(3e6), '100 levels of nesting'],
    ['5,001 names', fields(5001), '5,000 different field names'],
    ['450,000 names', fields(450_000), '5,000 different field names'],
    [
      '5,001 names in as many objects',
      list(5001, (index) => `{"k${index}":1}`),
      '5,000 different field names',
    ],
    [
      'names in different orders',
      list(5001, (index) => `{"a":1,"k${index % 5}":1,"k${index}":1}`),
      '5,000 different field names',
    ],
    ['100,001 entries', list(100_001, () => '1'), '100,000 values'],
    ['empty lists', list(60_000, () => '[]'), '100,000 values'],
  ])('may not contain %s', (_what, text, most) => {
    const message = `the body has more than ${most}. Send less of it at once.`;
    expect(read(text)).toThrow(expect.objectContaining({ status: 400, message }));
  });

  it.each([']]]]:', '}{"a":1}', '"', '"\\', ':::', '{"a"', ''])(
    'is left to JSON.parse if it is invalid: %j',
    (text) => {
      expect(() => requireBoundedJson(text, 'the body')).not.toThrow();
      expect(read(text)).toThrow(SyntaxError);
    },
  );
});

describe('response of many megabytes', () => {
  it.each([
    ['is accepted', list(300_000, (at) => `{"a":${at}}`)],
    [
      'with strings that go beyond a turn is accepted',
      list(3, () => JSON.stringify('[{",:'.repeat(500_000))),
    ],
    ['of too many values is refused', list(400_001, () => '{}')],
    ['of too many levels is refused', `${JSON.stringify('x'.repeat(1_048_570))}${'['.repeat(101)}`],
  ])('%s, in turns and at once', async (what, text) => {
    const isAccepted = what.includes('accepted');
    expect(isBoundedJson(text, 800_000)).toBe(isAccepted);
    expect(await isBoundedJsonInTurns(text, { values: 800_000, names: 5000 })).toBe(isAccepted);
  });
});
