/** The first items, as many as fit into so many bytes as JSON: what is kept together is one record. */
export function withinBytes<Item>(items: Item[], most: number): Item[] {
  let left = most;
  return items.filter((item) => {
    left -= Buffer.byteLength(JSON.stringify(item));
    return left >= 0;
  });
}
