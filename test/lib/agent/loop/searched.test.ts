import { describe, expect, it } from '@jest/globals';
import { addSearch, type Searched, tellOfSearches } from '../../../../lib/agent/loop/searched.ts';
import { searchNotices } from '../../../../lib/retrieval/search-notices.ts';

const FOUND = { mode: 'lexical' as const, fellBack: undefined, nearness: 1, passages: [] };
const NEAR = [...searchNotices(false, FOUND)];
const FAR = [...searchNotices(false, { ...FOUND, nearness: 0 })];
const BUILDING = [...searchNotices(true, FOUND)];
const EMPTY = [...searchNotices(false, { ...FOUND, mode: 'none', nearness: 0 })];

function told(...searches: (typeof NEAR)[]) {
  const searched = searches.reduce<Searched>(addSearch, { notices: [], isNear: false });
  return [...tellOfSearches(searched)].map((part) => ('data' in part ? part.data : part));
}

describe('search notices of a run', () => {
  it('are empty if the searches found close passages', () => {
    expect(told(NEAR, NEAR)).toEqual([]);
  });

  it('report once that no passage is close if no search found a close passage', () => {
    expect(told(FAR, FAR)).toEqual([
      { code: 'nothing-near', text: 'No passage in the files is close to the question.' },
    ]);
    expect(told(FAR, NEAR, FAR)).toEqual([]);
  });

  it('report the state of the index, whatever else was found', () => {
    expect(told(BUILDING, NEAR)).toMatchObject([{ code: 'index-building' }]);
    expect(told(EMPTY, FAR)).toMatchObject([{ code: 'index-empty' }, { code: 'nothing-near' }]);
  });
});
