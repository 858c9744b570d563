import { searchText } from '../shell/search-texts.ts';

export const ROWS_SHOWN = 100;

/** The location within a dataset, as in the URL: the split, and the number of rows above the visible ones. */
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
 * Returns the pages before and after the one that starts at `from` with this many rows, because long rows
 * make a page end early. Undefined where there is none.
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
