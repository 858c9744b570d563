import { endsOnlyAPart } from './limits.ts';

/**
 * Works on all items, a limited number at a time, and waits for all, so that no work continues after this
 * throws. After an error that affects only one part, that part is undefined.
 */
export async function workOnAll<Item, Value>(
  items: Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Value>,
): Promise<(Value | undefined)[]> {
  const values: (Value | undefined)[] = new Array(items.length).fill(undefined);
  const failures: unknown[] = [];
  let next = 0;
  async function workOn(): Promise<void> {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        values[index] = await work(items[index] as Item, index);
      } catch (error) {
        if (!endsOnlyAPart(error)) failures.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOn));
  if (failures.length > 0) throw failures[0];
  return values;
}
