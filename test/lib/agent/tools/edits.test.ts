import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyEdits, type Edit } from '../../../../lib/agent/tools/edits.ts';
import { cpuTimeOf } from '../../../support/processes/cpu-time.ts';
import { tries } from '../../../support/tries.ts';

const edit = (oldText: string, newText: string, replaceAll = false) => ({ oldText, newText, replaceAll });

describe('applyEdits', () => {
  it('applies one edit after the other and returns the lines in the new text', () => {
    const { text, changes } = applyEdits('one\ntwo\nthree\n', [
      edit('three', 'four'),
      edit('one\n', 'zero\n\none\n'),
      edit('two', '2'),
    ]);
    expect(text).toBe('zero\n\none\n2\nfour\n');
    expect(changes).toEqual([
      { lines: [5], replaced: 1 },
      { lines: [1], replaced: 1 },
      { lines: [4], replaced: 1 },
    ]);
  });

  it('replaces every occurrence on request', () => {
    const { text, changes } = applyEdits('a\nb\na\na', [edit('a', 'x\ny', true), edit('b', 'c')]);
    expect(text).toBe('x\ny\nc\nx\ny\nx\ny');
    expect(changes).toEqual([
      { lines: [1, 4, 6], replaced: 3 },
      { lines: [3], replaced: 1 },
    ]);
  });

  it('inserts the replacement literally', () => {
    expect(applyEdits('a', [edit('a', "$& $1 $$ $' \\n")]).text).toBe("$& $1 $$ $' \\n");
  });

  it.each([
    [
      'missing text',
      'a',
      edit('b', 'c'),
      "edits.0.oldText wasn't found. It must match the file exactly. Read the file again.",
    ],
    [
      'other white space',
      'a  b\n',
      edit('a b', 'c'),
      "edits.0.oldText wasn't found. It appears only with different whitespace, which must match exactly.",
    ],
    [
      'other line endings',
      'a\r\nb',
      edit('a\nb', 'c'),
      "edits.0.oldText wasn't found. The lines of this file end in \\r\\n.",
    ],
    [
      'ambiguous text',
      'a\na',
      edit('a', 'b'),
      'edits.0.oldText was found more than once (lines 1, 2). Include more of the surrounding text.',
    ],
    [
      'overlapping matches',
      'aaa',
      edit('aa', 'b'),
      'edits.0.oldText was found more than once (lines 1, 1). Include more of the surrounding text.',
    ],
    ['an empty text', 'a', edit('', 'b'), "edits.0.oldText can't be empty."],
    [
      'more than a file may contain',
      'a'.repeat(6000),
      edit('a', 'b'.repeat(1000), true),
      'edits would make the file larger than 5 MB.',
    ],
  ])('rejects %s', (_, text, one, message) => {
    expect(() => applyEdits(text, [one])).toThrow(message);
  });

  it('searches a long repetitive text quickly', async () => {
    const look = () => applyEdits('a'.repeat(5_000_000), [edit('a'.repeat(1000), 'b')]);
    expect(await cpuTimeOf(() => expect(look).toThrow('more than once'))).toBeLessThan(5000);
  });

  const word = fc.stringMatching(/^[ab\n]{1,3}$/);
  const edits = fc.array(
    fc.record({ oldText: word, newText: fc.stringMatching(/^[abc\n$&]{0,4}$/), replaceAll: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );

  it('has the same result as splitting and joining, or changes nothing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab\n]{0,12}$/), edits, (original, list) => {
        const expected = editNaively(original, list);
        if (expected === undefined)
          expect(() => applyEdits(original, list)).toThrow(
            /^edits\.\d\.oldText was(n't found\.| found more than once)/,
          );
        else expect(applyEdits(original, list).text).toBe(expected);
      }),
      { numRuns: tries(2000) },
    );
  });

  it('returns the line of a replacement after later edits have moved it', () => {
    const lines = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(lines, lines, lines, (before, between, grown) => {
        const original = `${'x\n'.repeat(before)}FIRST\n${'y\n'.repeat(between)}LAST`;
        const { text, changes } = applyEdits(original, [
          edit('LAST', 'end'),
          edit('FIRST', `f${'\n'.repeat(grown)}`),
        ]);
        const ownLine = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
        expect(changes.map((change) => change.lines)).toEqual([[ownLine('end')], [ownLine('f')]]);
      }),
    );
  });
});

function editNaively(original: string, edits: Edit[]): string | undefined {
  return edits.reduce<string | undefined>((text, { oldText, newText, replaceAll }) => {
    const times = countOverlapping(text ?? '', oldText);
    return times === 1 || (times > 1 && replaceAll) ? text?.split(oldText).join(newText) : undefined;
  }, original);
}

function countOverlapping(text: string, part: string): number {
  return Array.from(text).filter((_, index) => text.startsWith(part, index)).length;
}
