import { describe, expect, it } from '@jest/globals';
import { describePart } from '../../../cli/citations.ts';
import { partLabel } from '../../../lib/api-contract/part-label.ts';
import { fencePassages } from '../../../lib/retrieval/fence-passages.ts';
import { foundPassage } from '../../support/samples/found-passage.ts';

describe('partLabel', () => {
  it.each([
    [{}, '', ''],
    [{ page: 3 }, 'page 3', ' (page 3)'],
    [{ page: 3, recognized: true as const }, 'page 3, text from OCR', ' (page 3, text from OCR)'],
    [{ sheet: 'Budget', rows: [2, 9] }, 'sheet Budget, rows 2-9', ' (sheet Budget, rows 2-9)'],
    [
      { sheet: 'Budget', rows: [2, 9], of: 950 },
      'sheet Budget, rows 2-9 of 950',
      ' (sheet Budget, rows 2-9 of 950)',
    ],
    [
      { sheet: 'Budget', rows: [7, 7], of: 950 },
      'sheet Budget, row 7 of 950',
      ' (sheet Budget, row 7 of 950)',
    ],
    [{ of: 950 }, 'of 950 lines', ' (of 950 lines)'],
  ])('labels %j as %j, in the terminal %j', (part, words, shown) => {
    expect(partLabel(part)).toBe(words);
    expect(describePart(part)).toBe(shown);
  });

  it('tells a model that it sees rows of a larger table', () => {
    const passage = { ...foundPassage('a.csv', '40,x'), startLine: 40, endLine: 60, part: { of: 950 } };
    expect(fencePassages([passage], 'x')).toContain('at="of 950 lines" lines="40-60"');
  });
});
