import { describe, expect, it } from '@jest/globals';
import { filterOf } from '../../../web/chat/scope.ts';
import { readFilter, toFields, toFilter, without } from '../../../web/search/filter.ts';
import { joinPages } from '../../../web/search/queries.ts';

const EMPTY = toFields();

describe('filter of a page', () => {
  it('has only the fields that are set', () => {
    expect(toFilter(EMPTY)).toBeUndefined();
    expect(toFilter({ ...EMPTY, author: '  ', yearFrom: '2019' })).toEqual({ year: { from: 2019 } });
    expect(toFilter({ ...EMPTY, author: ' Moreau ', kind: 'pdf', yearFrom: '2019', yearTo: '2020' })).toEqual(
      {
        ...{ author: 'Moreau', kind: 'pdf', year: { from: 2019, to: 2020 } },
      },
    );
  });

  it("has the first and the last moment of a day in the reader's time zone", () => {
    const { modified } = toFilter({ ...EMPTY, modifiedFrom: '2026-03-29', modifiedTo: '2026-03-29' }) ?? {};
    expect(new Date(modified?.from ?? '')).toEqual(new Date(2026, 2, 29));
    expect(new Date(modified?.to ?? '')).toEqual(new Date(new Date(2026, 2, 30).getTime() - 1));
  });

  it('is the same after it was shown in the form, with fields that the form lacks', () => {
    const filter = toFilter({
      ...{ kind: 'notes', author: 'Moreau', tag: 'birds', yearFrom: '2019', yearTo: '' },
      ...{ modifiedFrom: '2026-11-01', modifiedTo: '2026-11-30' },
    });
    const known = { ...filter, path: 'papers' };
    expect(toFilter(toFields(known), known)).toEqual(known);
    expect(toFilter(EMPTY, known)).toEqual({ path: 'papers' });
  });

  it('loses a field that is removed', () => {
    expect(without({ author: 'Moreau', tag: 'birds' }, 'tag')).toEqual({ author: 'Moreau' });
    expect(without({ author: 'Moreau' }, 'author')).toBeUndefined();
  });

  it('is read from a URL or a stored question, and keeps unknown fields, which the service refuses', () => {
    expect([readFilter(undefined), readFilter(null), readFilter('x'), readFilter({})]).toEqual(
      Array(4).fill(undefined),
    );
    expect(readFilter({ source: 's3' })).toEqual({ source: 's3' });
    expect(filterOf({ metadata: { filter: { tag: 'birds' } } })).toEqual({ tag: 'birds' });
    expect([filterOf(undefined), filterOf({ metadata: { filter: 7 } })]).toEqual([undefined, undefined]);
    expect(toFields({ modified: { from: 'never' } }).modifiedFrom).toBe('');
  });
});

describe('pages of a search', () => {
  it('have each passage once, with the state of the first page', () => {
    const passage = (path: string) => ({ path, startLine: 1, text: path }) as never;
    const page = (mode: string, ...paths: string[]) => {
      return {
        mode,
        fallback: 'failed',
        isNear: true,
        items: paths.map(passage),
        cursor: undefined,
      } as const;
    };
    const found = joinPages([page('hybrid', 'a', 'b'), page('lexical', 'b', 'c')]);
    expect(found.passages.map(({ path }) => path)).toEqual(['a', 'b', 'c']);
    expect(found.mode).toBe('hybrid');
  });
});
