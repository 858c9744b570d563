import type { InfiniteData } from '@tanstack/react-query';

export interface Page<Item> {
  items: Item[];
  /** Where the next page begins; undefined after the last. */
  cursor: string | undefined;
}

/** A list that goes on at its `x-next-cursor`. */
export async function takePage<Item>(
  call: Promise<{ data?: Item[]; response: Response }>,
): Promise<Page<Item>> {
  const { data, response } = await call;
  return { items: data ?? [], cursor: response.headers.get('x-next-cursor') ?? undefined };
}

/** For useInfiniteQuery. */
export const BY_CURSOR = {
  initialPageParam: '',
  getNextPageParam: ({ cursor }: Page<unknown>) => cursor,
};

export function cursorQuery(cursor: string): { cursor?: string } {
  return cursor === '' ? {} : { cursor };
}

export function itemsOf<Item>(data: InfiniteData<Page<Item>> | undefined): Item[] {
  return data?.pages.flatMap(({ items }) => items) ?? [];
}
