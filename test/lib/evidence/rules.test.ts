import { describe, expect, it } from '@jest/globals';
import { matchesGlob } from '../../../lib/evidence/matches-glob.ts';
import { outlierFinder } from '../../../lib/evidence/outliers.ts';
import type { EvidenceColumn } from '../../../lib/evidence/schema.ts';
import { readValue } from '../../../lib/evidence/values.ts';

describe('matchesGlob', () => {
  it.each([
    ['papers/a.pdf', 'papers/*.pdf', true],
    ['papers/new/a.pdf', 'papers/*.pdf', false],
    ['papers/new/a.PDF', 'papers/**/*.pdf', true],
    ['papers/a.pdf', 'papers/**/*.pdf', true],
    ['papers/new/a.pdf', '*.pdf', true],
    ['papers/a.pdf', '**', true],
    ['papers/a.pdf', 'papers', false],
    ['a1.md', 'a?.md', true],
    ['a.md', 'a?.md', false],
    ['a.md', '*[a].md', false],
  ])('%s by %s: %s', (path, glob, expected) => {
    expect(matchesGlob(path, glob)).toBe(expected);
  });

  it('takes no time for a pattern of many wildcards', () => {
    const began = performance.now();
    expect(matchesGlob(`${'a/'.repeat(400)}b`, `${'**/a/'.repeat(60)}c`)).toBe(false);
    expect(matchesGlob(`${'a'.repeat(900)}b`, `${'*a'.repeat(200)}c`)).toBe(false);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe('readValue', () => {
  const column = (fields: Partial<EvidenceColumn>): EvidenceColumn => ({
    id: 'c',
    name: 'C',
    question: 'C?',
    type: 'text',
    ...fields,
  });

  it.each([
    ['1,200', { type: 'number' }, { value: 1200 }],
    ['1 200.5 g', { type: 'number', unit: 'g' }, { value: 1200.5 }],
    ['\u22123', { type: 'number' }, { value: -3 }],
    ['1,2', { type: 'number' }, { reason: 'value_not_a_number' }],
    ['1,200 mg', { type: 'number', unit: 'g' }, { value: 1.2 }],
    ['1.2 g', { type: 'number', unit: 'g' }, { value: 1.2 }],
    ['1.005 kg', { type: 'number', unit: 'g' }, { value: 1005 }],
    ['2 years', { type: 'number', unit: 'months' }, { value: 24 }],
    ['12 °C', { type: 'number', unit: '°F' }, { reason: 'value_not_a_number' }],
    ['12 kg', { type: 'number' }, { reason: 'value_not_a_number' }],
    ['12 kg', { type: 'number', unit: 'birds' }, { reason: 'value_not_a_number' }],
    ['3 birds', { type: 'number', unit: 'birds' }, { value: 3 }],
    ['10', { type: 'number', unit: '0' }, { value: 10 }],
    ['5 mg per day', { type: 'number', unit: 'mg' }, { reason: 'value_not_a_number' }],
    ['1e999', { type: 'number' }, { reason: 'value_not_a_number' }],
    ['Yes', { type: 'boolean' }, { value: true }],
    ['perhaps', { type: 'boolean' }, { reason: 'value_not_boolean' }],
    ['2024-05', { type: 'date' }, { value: '2024-05' }],
    ['2024-13', { type: 'date' }, { reason: 'value_not_a_date' }],
    ['2024-02-29', { type: 'date' }, { value: '2024-02-29' }],
    ['2023-02-29', { type: 'date' }, { reason: 'value_not_a_date' }],
    ['cohort ', { type: 'choice', choices: ['Cohort', 'Trial'] }, { value: 'Cohort' }],
    [' a\n b ', { type: 'text' }, { value: 'a b' }],
    ['  ', { type: 'text' }, { reason: 'value_missing' }],
  ] as const)('reads %j of %j', (written, fields, expected) => {
    expect(readValue(column(fields as Partial<EvidenceColumn>), written)).toEqual(expected);
  });
});

describe('outlierFinder', () => {
  it('finds values more than three scaled median deviations from the median', () => {
    const find = outlierFinder([10, 11, 12, 10, 11, 13, 90]);
    expect([find(13), find(90)]).toEqual([undefined, 53.3]);
  });

  it('finds none among few values, or if most are equal', () => {
    expect(outlierFinder([1, 2, 1000])(1000)).toBeUndefined();
    expect(outlierFinder([1, 1, 1, 1, 1, 9])(9)).toBeUndefined();
  });
});
