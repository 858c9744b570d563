import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutOutput } from '../../../../lib/agent/calls/cut-output.ts';

const MOST = 2000;
const cut = (output: unknown) => cutOutput(output, MOST, 'Ask for less.') as Record<string, unknown>;

describe('cutOutput', () => {
  it('keeps a value that fits', () => {
    const output = { text: 'x'.repeat(1900), list: [1, null] };
    expect(cut(output)).toBe(output);
  });

  it('cuts out the middle of a long string, and reports how much and how to get it', () => {
    const { text, short, cut: note } = cut({ text: `begin${'x'.repeat(50_000)}end`, short: 'whole' });
    expect(text).toMatch(/^begin.*\n\[… \d+ characters cut …\]\n.*end$/s);
    expect((text as string).length).toBeGreaterThan(1500);
    expect(short).toBe('whole');
    expect(note).toBe('The output had 50035 characters and was truncated. Ask for less.');
  });

  it('truncates the end of a long list', () => {
    const { list } = cut({ list: Array.from({ length: 5000 }, (_, index) => ({ index })) }) as {
      list: unknown[];
    };
    expect(list.length).toBeGreaterThan(50);
    expect(list[0]).toEqual({ index: 0 });
    expect(list.at(-1)).toBe(`[… ${5000 - list.length + 1} more truncated …]`);
  });

  it('truncates a text, a list, and an object with many fields', () => {
    expect(cut('x'.repeat(9000))).toMatchObject({ output: expect.stringContaining('characters cut') });
    expect(cut(Array(9000).fill(0))).toMatchObject({ output: expect.arrayContaining([0]) });
    const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]));
    expect(cut(fields)).toMatchObject({ output: expect.stringMatching(/^\{"field0":0/) });
  });

  it('always returns well-formed text within its limit', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc
        .constantFrom('😀', '"\\', '\u0000')
        .chain((unit) => fc.integer({ min: 1, max: 3000 }).map((n) => unit.repeat(n))),
    );
    const output = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, text, fc.integer(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 30 }),
      object: fc.dictionary(text, tie('value'), { maxKeys: 20 }),
    })).value;
    fc.assert(
      fc.property(output, (value) => {
        const json = JSON.stringify(cutOutput(value, MOST, 'Ask for less.'));
        expect(json.length).toBeLessThanOrEqual(MOST);
        expect(json).not.toMatch(/\\ud[89a-f]/);
      }),
    );
  });
});
