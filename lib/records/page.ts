import * as z from 'zod';
import { InvalidInput } from '../errors.ts';

/** `limit` and `cursor` of every list. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().optional().describe('from the header x-next-cursor of the page before'),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** A page ends before its limit when its items are long: Lambda answers at most 6 MB, in which quotes count double. */
const MAX_PAGE_BYTES = 2.5 * 1024 * 1024;

/** A page of items that may be long. The cursor is the last one's id; `from` reads on from an id, which may come again. */
export async function pageUpTo<Item extends { id: string }>(
  from: (id: string | undefined) => AsyncIterable<Item>,
  { limit, cursor }: PageQuery,
): Promise<{ items: Item[]; cursor?: string }> {
  if (cursor !== undefined && !z.uuid().safeParse(cursor).success)
    throw new InvalidInput('cursor: not one of this list');
  const items: Item[] = [];
  let bytes = 0;
  for await (const item of from(cursor)) {
    if (item.id === cursor) continue;
    bytes += Buffer.byteLength(JSON.stringify(item));
    const last = items.at(-1);
    if (last !== undefined && (items.length >= limit || bytes > MAX_PAGE_BYTES))
      return { items, cursor: last.id };
    items.push(item);
  }
  return { items };
}
