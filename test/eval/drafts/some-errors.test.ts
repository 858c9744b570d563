import { beforeAll, describe, expect, it } from '@jest/globals';
import { falseAlarms, findPlanted, readSources } from './check-drafts.ts';
import { DRAFTS } from './drafts.ts';
import { plantErrors } from './plant-errors.ts';

/** Plants a tenth of the errors of all-errors.test.ts. */
describe('planted errors in drafts', () => {
  let texts: Map<string, string>;
  beforeAll(async () => {
    texts = await readSources(DRAFTS);
  });

  it('are not reported before one is planted', () => {
    expect(falseAlarms(DRAFTS, texts)).toEqual([]);
  });

  it('are the same for the same seed', () => {
    expect(plantErrors(DRAFTS, texts, 20, 7)).toEqual(plantErrors(DRAFTS, texts, 20, 7));
  });

  it('are found if a unit, a date, or a quotation is wrong', () => {
    const found = findPlanted(plantErrors(DRAFTS, texts, 100, 7), texts);
    for (const kind of ['unit', 'date', 'invented quote'] as const) {
      expect(found.get(kind)?.planted).toBeGreaterThan(10);
      expect(found.get(kind)?.missed).toEqual([]);
    }
  });
});
