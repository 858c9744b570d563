/**
 * Processes the items in order, a limited number at once. Rejects with the first failure, while the other running work
 * continues unobserved.
 */
export async function forEachConcurrent<Item>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = Iterator.from(items);
  const lane = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: most }, lane));
}
