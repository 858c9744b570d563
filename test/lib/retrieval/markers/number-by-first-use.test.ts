import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { numbersOf } from '../../../../lib/api-contract/marker-place.ts';
import { citedNumbers } from '../../../../lib/api-contract/markers.ts';
import { OfferedPassages } from '../../../../lib/retrieval/cite/offered-passages.ts';
import { withNormalMarkers } from '../../../../lib/retrieval/markers/normal-markers.ts';
import { numberByFirstUse } from '../../../../lib/retrieval/markers/number-by-first-use.ts';
import { cpuTimeOf } from '../../../support/processes/cpu-time.ts';
import { foundPassage } from '../../../support/samples/found-passage.ts';

const OFFERED = 8;

function passages(count = OFFERED): OfferedPassages {
  return new OfferedPassages(Array.from({ length: count }, () => foundPassage('file.md', 'text')));
}

function streamed(deltas: string[], offered = OFFERED) {
  const numbered = numberByFirstUse(passages(offered));
  const sent = [...deltas.map((delta) => numbered.add(delta)), numbered.end()];
  return { sent, text: sent.join(''), passages: numbered.passages, unknown: numbered.unknown };
}

describe('numberByFirstUse', () => {
  it.each([
    ['Owls [5] hunt [2]. Mice [1][7] hide [5].', 'Owls [1] hunt [2]. Mice [3][4] hide [1].', [5, 2, 1, 7]],
    ['All [7, 3-5].', 'All [1][2][3][4].', [7, 3, 4, 5]],
    ['猫头鹰【4】。', '猫头鹰[1]。', [4]],
    ['Never offered [99], offered [3].', 'Never offered \\[99], offered [1].', [3]],
    ['Both [6, 99].', 'Both [1].', [6]],
    ['Unknown 【99】 and [9, 12].', 'Unknown \\[99] and [9, 12].', []],
    ['Never  [99]', 'Never  \\[99]', []],
    ['The answer is [42].', 'The answer is \\[42].', []],
    ['- [99] never\n  [98]\n[97]', '- \\[99] never\n  \\[98]\n\\[97]', []],
    ['Set x = [1].', 'Set x = [1].', []],
    ['`a [99]`, a [99](https://a.example).', '`a [99]`, a [99](https://a.example).', []],
    ['In [0, 1], a number [3].', 'In [0, 1], a number [1].', [3]],
    ['`a[5]` and [4]', '`a[5]` and [1]', [4]],
    ['```\na[5]\n``` and [4]', '```\na[5]\n``` and [1]', [4]],
    ['A ` alone [5]\nthen [4].', 'A ` alone [1]\nthen [2].', [5, 4]],
    ['A ` alone [5]', 'A ` alone [1]', [5]],
    ['A link [5](https://a.example), a source [4].', 'A link [5](https://a.example), a source [1].', [4]],
    ['Open [5', 'Open [5', []],
    ['[1234] [x] [] [3 ] [4]', '[1234] [x] [] [3 ] [1]', [4]],
    ['Owls hunt at night[5], mice hide[2][4].', 'Owls hunt at night [1], mice hide [2][3].', [5, 2, 4]],
    ['Owls [99][5] hunt (2020)[4].', 'Owls \\[99] [1] hunt (2020) [2].', [5, 4]],
    ['**Owls**[5] “hunt”[4]. ([3]) [[2]]', '**Owls**[1] “hunt”[2]. ([3]) [[4]]', [5, 4, 3, 2]],
    ['Owls hunt (at night)[99][5].', 'Owls hunt (at night)[99] [1].', [5]],
    ['1. Owls\n\n    hunt [5].', '1. Owls\n\n    hunt [1].', [5]],
    ['It costs $5 [5] or $10 [4].', 'It costs $5 [1] or $10 [2].', [5, 4]],
  ])('changes %j to %j', (answer, text, passages) => {
    expect(streamed([answer])).toMatchObject({ text, passages });
    expect(streamed([...answer])).toMatchObject({ text, passages });
  });

  it.each([
    'I changed args[2] to argv[3], because row[0][1] was empty.',
    'It sets process.argv[2], lastRow[1], and x[3].',
    'Do this:\n\n    const a = b[3];\n    call(a, [1]);\n\n    call([2]);\n',
    '~~~js\na = [3]\n~~~\n',
    '{"a":[3],"b":[1,2], "c": [4]}',
    'The formula $$a [3]$$, and v[7] = 2, in the interval [1, 5].',
    '<code>a [3]</code> <pre>\nb [3]\n</pre>',
    '数组[3]的值。',
    'A ` alone ends [text][3]',
    'Never offered[99], or args[99] of it',
  ])('keeps code and indexes unchanged: %j', (answer) => {
    expect(streamed([answer])).toMatchObject({ text: answer, passages: [] });
    expect(streamed([...answer])).toMatchObject({ text: answer, passages: [] });
  });

  it('passes on text without a bracket immediately', () => {
    const deltas = ['Owls', ' hunt `at', ' night`.\n```', '\ncode \n', '```', ' `open', '.'];
    expect(streamed(deltas).sent).toEqual([...deltas, '']);
  });

  it('reports the numbers without a passage, each once', () => {
    expect(streamed(['A [99]. B [2, 98]. C [99], [12, 20], `[97]`, [96](https://a.b).']).unknown).toEqual([
      99, 98, 12, 20,
    ]);
  });

  it('delays only text that may be a marker', () => {
    const { sent } = streamed(['Owls [', 'x] hunt [3', ', 4] mice [5]', '.']);
    expect(sent).toEqual(['Owls ', '[x] hunt ', '[1][2] mice ', '[3].', '']);
  });

  it('returns the same text for any chunking, and numbers each passage by its first use', () => {
    const marker = fc.constantFrom(
      '[1]',
      '[3]',
      '[8]',
      '[9]',
      '[2, 5]',
      '[4-6]',
      '【7】',
      '[0, 1]',
      '[3](x)',
    );
    const rest = fc.constantFrom(
      '`',
      '``',
      '```',
      '[',
      ']',
      '【',
      '(',
      ' ',
      '\n',
      ',',
      '-',
      '1',
      '23',
      'Owls',
      'x',
      '.',
      '$$',
      '\n~~~',
      '<code>',
      '</code>',
    );
    const deltas = fc.array(fc.oneof(marker, rest), { maxLength: 40 });
    fc.assert(
      fc.property(deltas, fc.array(fc.nat(9), { minLength: 1, maxLength: 30 }), (pieces, cuts) => {
        const answer = pieces.join('');
        const { text, passages: cites, unknown } = streamed(cut(answer, cuts));
        const normal = withNormalMarkers(answer, passages()); // `[ 1]` is a marker, too
        const cited = citedNumbers(normal);
        const known = cited.filter((number) => number >= 1 && number <= OFFERED);
        expect(cites).toEqual(known);
        expect(text).toBe(streamed([answer]).text);
        expect(wordsOf(text)).toBe(wordsOf(normal));
        expect(unknown).toEqual(cited.filter((number) => !known.includes(number)));
        const after = citedNumbers(text);
        expect(after.filter((number) => number >= 1 && number <= OFFERED)).toEqual(
          known.map((_, at) => at + 1),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('is fast with long answers of brackets', async () => {
    const pieces = ['night[1]', '```\n', '[1,', '[1-', '[1] ', '1,', '`[1] ', ' '];
    const number = () => pieces.map((piece) => streamed([...`[${piece.repeat(30_000)}`]));
    expect(await cpuTimeOf(number)).toBeLessThan(5000);
  });
});

/**
 * Returns the text without numbers in brackets and spaces, whether they are markers or not, because an
 * unknown number that touches a word stays. The rest of a marker within brackets, as in `[2[9]]`, may look
 * like a marker.
 */
function wordsOf(text: string): string {
  const words = text.replace(/ /g, '').replace(/\\?[[【]\d[\d,-]*[\]】]/g, '');
  return words === text ? words : wordsOf(words);
}

function cut(text: string, sizes: number[]): string[] {
  const deltas: string[] = [];
  let from = 0;
  for (let at = 0; from < text.length; at++) {
    const size = (sizes[at % sizes.length] ?? 0) + 1;
    deltas.push(text.slice(from, from + size));
    from += size;
  }
  return deltas;
}

describe('numbersOf', () => {
  it('finds no number in an interval from zero, or in a marker that is too long', () => {
    expect(numbersOf('[0, 1]')).toEqual([]);
    expect(numbersOf('[0]')).toEqual([0]);
    expect(numbersOf(`[1${' ,1'.repeat(100)}]`)).toEqual([]);
  });
});
