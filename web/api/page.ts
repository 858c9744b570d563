import type { InfiniteData } from '@tanstack/react-query';

export interface ListPage<Item> {
  items: Item[];
  /** Undefined after the last page. */
  cursor: string | undefined;
}

/** Maximum empty pages in a row. A list with few matches among many entries has empty pages. */
const MAX_EMPTY = 20;

/** Returns a page of a list, and the start of the next one. */
export async function takePage<Item>(
  ask: (cursor: string | undefined) => Promise<{ data?: Item[]; response: Response }>,
  from: string | undefined,
): Promise<ListPage<Item>> {
  let cursor = from;
  for (let tries = 0; ; tries++) {
    const { data: items = [], response } = await ask(cursor);
    cursor = response.headers.get('x-next-cursor') ?? undefined;
    if (items.length > 0 || cursor === undefined || tries >= MAX_EMPTY) return { items, cursor };
  }
}

/** Options of useInfiniteQuery for a list that is loaded by cursor. */
export const BY_CURSOR = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ cursor }: ListPage<unknown>) => cursor,
};

export function itemsOf<Item>({ pages }: InfiniteData<ListPage<Item>>): Item[] {
  return pages.flatMap(({ items }) => items);
}
