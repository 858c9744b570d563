import { isNear } from './rank/near.ts';
import type { SearchResult } from './search.ts';

export interface SearchNotice {
  code: 'index-building' | 'index-empty' | 'search-by-words' | 'nothing-near' | 'nothing-in-filter';
  text: string;
}

const WHY_BY_WORDS = {
  failed: 'The embedding service failed, so only keyword search was used.',
  'other-index':
    'The index was built without the current embedding model, so only keyword search was used. Re-index the workspace.',
};

/** Yields notices about the index and the search, which may have had a filter, for the answer's reader. */
export function* searchNotices(
  isBuilding: boolean,
  found: SearchResult,
  isFiltered = false,
): Iterable<SearchNotice> {
  const { mode, fellBack, passages } = found;
  if (isBuilding)
    yield { code: 'index-building', text: 'The index is still being built, so files may be missing.' };
  else if (found.lost)
    yield { code: 'index-building', text: 'The index was lost. Sync the workspace to rebuild it.' };
  else if (mode === 'none')
    yield { code: 'index-empty', text: 'No files are indexed, so the answer uses no files.' };
  if (fellBack !== undefined) yield { code: 'search-by-words', text: WHY_BY_WORDS[fellBack] };
  if (mode !== 'none' && isFiltered && passages.length === 0)
    yield { code: 'nothing-in-filter', text: 'No passage in the files that match the filter was found.' };
  else if (mode !== 'none' && !isNear(found))
    yield { code: 'nothing-near', text: 'No passage in the files is close to the question.' };
}
