import { isNear } from './rank/near.ts';
import type { SearchResult } from './search.ts';

export interface SearchNotice {
  code: 'index-building' | 'index-empty' | 'search-by-words' | 'nothing-near';
  text: string;
}

const WHY_BY_WORDS = {
  failed: 'The embedding service failed: passages were found by words alone.',
  'other-index':
    'The index was made without the embedding model of now: passages were found by words alone. Sync the workspace to fix this.',
};

/** Yields what the reader of an answer must know about the index and the search. */
export function* searchNotices(isBuilding: boolean, found: SearchResult): Iterable<SearchNotice> {
  const { mode, fellBack } = found;
  if (isBuilding)
    yield { code: 'index-building', text: 'The index is still being built: files may be missing.' };
  else if (found.lost)
    yield { code: 'index-building', text: 'The index was lost. Sync the workspace to rebuild it.' };
  else if (mode === 'none')
    yield { code: 'index-empty', text: 'No files are indexed: the answer rests on no files.' };
  if (fellBack !== undefined) yield { code: 'search-by-words', text: WHY_BY_WORDS[fellBack] };
  if (mode !== 'none' && !isNear(found))
    yield { code: 'nothing-near', text: 'Nothing in the files is near the question.' };
}
