/** Returns the most recently changed items, pinned or not. */
export function newestOf<Item extends { updatedAt: string }>(items: readonly Item[], count: number): Item[] {
  return items.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt)).slice(0, count);
}
