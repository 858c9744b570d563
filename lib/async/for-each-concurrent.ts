/** Works on items in their order, so many at once. Ends with the first failure; what is under way then goes on by itself. */
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
