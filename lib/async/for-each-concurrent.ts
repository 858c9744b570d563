/** Works on items in their order, so many in parallel. Ends with the first failure; work in progress continues unobserved. */
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
