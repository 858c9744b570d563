import { type LeftOutFile, WHY_LEFT_OUT } from '../indexing/list-files.ts';
import { type IndexState, isRunning } from '../indexing/schema.ts';
import { isNear } from '../retrieval/rank/near.ts';
import type { SearchResult } from '../retrieval/search.ts';
import { notice } from '../ui-messages/notice.ts';
import type { StreamPart } from '../ui-messages/stream-part.ts';

const WHY_BY_WORDS = {
  failed: 'The embedding service failed: passages were found by words alone.',
  'other-index':
    'The index was made without the embedding model of now: passages were found by words alone. A sync of the workspace mends it.',
};

/** What the reader must know about the index, the search, and the files that the question names and that are not in it. */
export function* notices(
  status: IndexState['status'],
  found: SearchResult,
  leftOut: LeftOutFile[],
  nearBudget?: string | undefined,
): Iterable<StreamPart> {
  const { mode, fellBack } = found;
  if (nearBudget !== undefined) yield notice('budget-near', nearBudget);
  if (isRunning(status))
    yield notice('index-building', 'The index is still being built: files may be missing.');
  else if (mode === 'none')
    yield notice('index-empty', 'No files are indexed: the answer rests on no files.');
  if (fellBack !== undefined) yield notice('search-by-words', WHY_BY_WORDS[fellBack]);
  if (mode !== 'none' && !isNear(found))
    yield notice('nothing-near', 'Nothing in the files is near the question.');
  if (leftOut.length > 0) yield notice('file-not-indexed', describeLeftOut(leftOut));
}

function describeLeftOut(files: LeftOutFile[]): string {
  const each = files.map(({ path, reason }) => `${path} (${WHY_LEFT_OUT[reason]})`);
  return `Not in the index: ${each.join('; ')}.`;
}
