import { searchText } from '../shell/search-texts.ts';

export const ROWS_SHOWN = 100;

/** The location within a dataset, as the URL has it: the split, and how many of its rows come before those that are shown. */
export interface RowsPlace {
  split?: string | undefined;
  from?: number | undefined;
}

export function readRowsPlace({ split, from }: Record<string, unknown>): RowsPlace {
  return {
    split: searchText(split),
    from: typeof from === 'number' && Number.isSafeInteger(from) && from > 0 ? from : undefined,
  };
}

/**
 * Returns the pages next to one that starts at `from` and has that many rows: long rows make it end early. Undefined if there
 * is none.
 */
export function pagesBeside(
  from: number,
  shown: number,
  total: number | null,
): { before: number | undefined; after: number | undefined } {
  const after = from + shown;
  const hasMore = shown > 0 && (total === null ? shown >= ROWS_SHOWN : after < total);
  return {
    before: from > 0 ? Math.max(0, Math.min(from, total ?? from) - ROWS_SHOWN) : undefined,
    after: hasMore ? after : undefined,
  };
}
