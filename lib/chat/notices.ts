import type { StreamPart } from '../api-contract/stream-part.ts';
import { type LeftOutFile, whyLeftOut } from '../indexing/list-files.ts';
import { type IndexState, isRunning } from '../indexing/schema.ts';
import type { ModelEvent } from '../ports/language-model.ts';
import type { SearchResult } from '../retrieval/search.ts';
import { searchNotices } from '../retrieval/search-notices.ts';
import { promptCutText } from '../support/prompt-room.ts';
import { notice } from '../ui-messages/notice.ts';

/**
 * Yields notices for the reader about the index, the search, and files that the question names but the index
 * lacks.
 */
export function* notices(
  status: IndexState['status'],
  found: SearchResult,
  leftOut: LeftOutFile[],
  { nearBudget, isFiltered = false }: { nearBudget?: string | undefined; isFiltered?: boolean } = {},
): Iterable<StreamPart> {
  if (nearBudget !== undefined) yield notice('budget-near', nearBudget);
  for (const { code, text } of searchNotices(isRunning(status), found, isFiltered)) yield notice(code, text);
  if (leftOut.length > 0) yield notice('file-not-indexed', describeLeftOut(leftOut));
}

function describeLeftOut(files: LeftOutFile[]): string {
  const each = files.map((file) => `${file.path} (${whyLeftOut(file)})`);
  return `These files aren't in the index: ${each.join('; ')}.`;
}

/** Yields notices about text that the model didn't read. */
export function* windowNotices(
  leftOut: string | undefined,
  finish: Extract<ModelEvent, { type: 'finish' }> | undefined,
): Iterable<StreamPart> {
  if (leftOut !== undefined) yield notice('passages-left-out', leftOut);
  if (finish?.promptCut) yield notice('prompt-cut', promptCutText(finish.usage.inputTokens));
}
