import { invalidCursor, makePlaceCursor, readPlaceCursor } from '../records/cursor.ts';

interface PageOfResults<Passage> {
  passages: Passage[];
  /** Absent on the last page. */
  cursor?: string;
}

/**
 * Returns a page of the passages of a search. Each page searches again, and the order is the same as long as the index
 * is, because the number of candidates doesn't depend on the page. `asked` is the search, which cursors belong to.
 */
export function pageOfResults<Passage>(
  passages: readonly Passage[],
  { k, cursor, asked }: { k: number; cursor: string | undefined; asked: unknown },
): PageOfResults<Passage> {
  const start = cursor === undefined ? 0 : readStart(asked, cursor);
  const end = start + k;
  const page = passages.slice(start, end);
  return { passages: page, ...(end < passages.length && { cursor: makePlaceCursor(asked, [String(end)]) }) };
}

function readStart(asked: unknown, cursor: string): number {
  const [start = ''] = readPlaceCursor(asked, cursor);
  if (!/^[1-9]\d{0,5}$/.test(start)) throw invalidCursor();
  return Number(start);
}
