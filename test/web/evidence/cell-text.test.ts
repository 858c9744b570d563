import { describe, expect, it } from '@jest/globals';
import { openCell, signOf, valueText } from '../../../web/evidence/cell-text.ts';
import { columnOf, draftOf, emptyColumn, isColumnWhole } from '../../../web/evidence/column-drafts.ts';
import type { Cell, Column } from '../../../web/evidence/evidence-table.ts';

const CELL: Cell = { value: 1200, state: 'found', verified: true, look: false, citations: [] };
const COLUMN: Column = { id: 'c1', name: 'Weight', question: 'How heavy?', type: 'number', unit: 'g' };

describe('signOf', () => {
  it.each([
    [{}, 'found'],
    [{ verified: false }, 'unverified'],
    [{ outlier: 4 }, 'outlier'],
    [{ state: 'disputed', verified: false }, 'disputed'],
    [{ state: 'failed', verified: false }, 'failed'],
    [{ state: 'not_stated', value: null }, 'not_stated'],
    [{ verified: false, corrected: { by: 'a', at: '' } }, 'corrected'],
  ] as const)('names %j: %s', (fields, name) => {
    expect(signOf({ ...CELL, ...fields }).name).toBe(name);
  });
});

it('valueText writes numbers as the reader does, with their unit', () => {
  expect(valueText(CELL, COLUMN, 'en', 'Yes', 'No')).toBe('1,200 g');
  const { unit: _, ...plain } = COLUMN;
  expect(valueText({ ...CELL, value: false }, plain, 'en', 'Yes', 'No')).toBe('No');
  expect(valueText({ ...CELL, value: null }, plain, 'en', 'Yes', 'No')).toBe('');
});

it('openCell finds the cell of the URL', () => {
  const row = { path: 'a.md', title: 'A', cells: { c1: CELL } };
  expect(openCell([row], [COLUMN], { row: 'a.md', column: 'c1' })).toEqual({
    row,
    column: COLUMN,
    cell: CELL,
  });
  expect(openCell([row], [COLUMN], { row: 'b.md', column: 'c1' })).toBeUndefined();
});

it('columns keep their IDs, and choices are a list', () => {
  expect(columnOf(draftOf(COLUMN))).toEqual(COLUMN);
  const choice = { ...emptyColumn(), name: 'Kind', question: 'Which?', type: 'choice', choices: 'Trial' };
  expect(isColumnWhole(choice)).toBe(false);
  expect(columnOf({ ...choice, choices: 'Trial\n Yes, partly\n病例\n' })).toEqual({
    ...{ name: 'Kind', question: 'Which?', type: 'choice', choices: ['Trial', 'Yes, partly', '病例'] },
  });
});
