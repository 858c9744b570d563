/**
 * Returns the first items that fit into this many bytes as JSON, because items that are stored together are one record.
 */
export function withinBytes<Item>(items: Item[], most: number): Item[] {
  let left = most;
  return items.filter((item) => {
    left -= Buffer.byteLength(JSON.stringify(item));
    return left >= 0;
  });
}
