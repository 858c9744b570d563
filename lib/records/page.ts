import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { requireIdCursor } from './cursor.ts';

/** `limit` and `cursor` of every list. */
export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe('Maximum number of items on the page.'),
  cursor: z.string().optional().describe('Cursor from the `x-next-cursor` header of the previous page.'),
});
export type PageQuery = z.infer<typeof pageQuery>;

/**
 * Yields the pages of a list, each read after the previous one was used. Lets other work run in between: a
 * store on this host responds immediately, so a long list would block it.
 */
export async function* pagesOf<Page extends { cursor?: string | undefined }>(
  ask: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page = await ask(cursor);
    yield page;
    cursor = page.cursor;
    if (cursor !== undefined) await nextTurn();
  } while (cursor !== undefined);
}

/**
 * Bytes after which a page ends before its limit, because a Lambda response has at most 6 MB, and quotes
 * count twice in it.
 */
export const MAX_PAGE_BYTES = 2.5 * 1024 * 1024;

/**
 * The share of their size that items count if they are read but not returned. So a page with few matches
 * among many items still ends in time.
 */
const UNWANTED_WEIGHT = 1 / 8;

/**
 * Returns a page of the wanted items, which may be long. The cursor is the ID of the last item read; `from` starts at
 * an ID, and may yield that item again.
 */
export async function pageUpTo<Item extends { id: string }>(
  from: (id: string | undefined) => AsyncIterable<Item>,
  { limit, cursor }: PageQuery,
  isWanted: (item: Item) => boolean = () => true,
): Promise<{ items: Item[]; cursor?: string }> {
  requireIdCursor(cursor);
  const items: Item[] = [];
  let bytes = 0;
  let last: string | undefined;
  for await (const item of from(cursor)) {
    if (item.id === cursor) continue;
    const wanted = isWanted(item);
    bytes += weightOf(item, wanted);
    const isFull = items.length >= limit || bytes > MAX_PAGE_BYTES;
    if (isFull && last !== undefined) return { items, cursor: last };
    if (wanted) items.push(item);
    last = item.id;
  }
  return { items };
}

function weightOf(item: unknown, wanted: boolean): number {
  return Buffer.byteLength(JSON.stringify(item)) * (wanted ? 1 : UNWANTED_WEIGHT);
}
