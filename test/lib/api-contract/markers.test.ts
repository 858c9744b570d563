import { describe, expect, it } from '@jest/globals';
import { citedNumbers, renumberMarkers, withoutMarkers } from '../../../lib/api-contract/markers.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

describe('citedNumbers', () => {
  it.each<[string, number[]]>([
    ['Apes climb trees [2][1].', [2, 1]],
    ['Apes climb trees [1, 3].', [1, 3]],
    ['Apes climb trees [2-4].', [2, 3, 4]],
    ['Apes climb trees [1–2; 4].', [1, 2, 4]],
    ['Apes climb trees [4-2].', [4, 2]],
    ['Apes climb trees [1-900].', [1, 900]],
    ['猴子会爬树而且很快[1]。熊会游泳也会爬树【2】。', [1, 2]],
    ['Bears swim well [7]. Apes climb trees [2]. Bears eat fish [7].', [7, 2]],
  ])('returns the numbers of %j', (answer, numbers) => {
    expect(citedNumbers(answer)).toEqual(numbers);
  });

  it.each([
    '`list[1]`',
    '```\nlist[1]\n```',
    '```\nlist[1]',
    '[1](https://a.b)',
    '[x]',
    '[1234]',
    '[1-]',
    '[-1]',
    '[]',
  ])('finds no number in %j', (answer) => {
    expect(citedNumbers(answer)).toEqual([]);
  });

  it('is fast with long answers of brackets', async () => {
    const find = () => ['[1,', '[1-', '[1] '].map((piece) => citedNumbers(piece.repeat(50_000)));
    expect(await cpuTimeOf(find)).toBeLessThan(5000);
  });
});

describe('withoutMarkers', () => {
  it('keeps the words', () => {
    expect(withoutMarkers('Apes climb [1][2, 3][4-6].')).toBe('Apes climb .');
  });
});

describe('renumberMarkers', () => {
  it.each([
    ['Owls [1] hunt [2].', 'Owls [11] hunt [12].'],
    ['All [1, 3-4].', 'All [11][13][14].'],
    ['Full width 【2】。', 'Full width [12]。'],
    ['Twice [1][1, 1].', 'Twice [11][11].'],
    ['Gone [9]. Partly [1, 9].', 'Gone. Partly [11].'],
    [
      'Not `a[1]`, not [1](address), not ```\n[2]\n```, but [1]',
      'Not `a[1]`, not [1](address), not ```\n[2]\n```, but [11]',
    ],
  ])('changes %j to %j', (answer, renumbered) => {
    expect(renumberMarkers(answer, (number) => (number < 9 ? number + 10 : undefined))).toBe(renumbered);
  });
});
