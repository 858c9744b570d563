import type { Records } from '../ports/records.ts';
import { people } from './schema.ts';

const MAX_KEY_BYTES = 1024;

/** Returns the known names of these callers. */
async function namesOf(records: Records, ids: Iterable<string | undefined>): Promise<Map<string, string>> {
  const keys = [...new Set(ids)].filter((id) => id !== undefined).filter(isKey);
  const found =
    keys.length === 0
      ? []
      : await people.getMany(
          records,
          keys.map((id) => ({ id })),
        );
  return new Map(found.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

function isKey(id: string): boolean {
  return id !== '' && Buffer.byteLength(id) <= MAX_KEY_BYTES;
}

/**
 * Returns the items, each with the name of the caller that its ID belongs to, if known. Only for responses
 * that show the IDs anyway.
 */
export async function withNames<Item extends object, Field extends string>(
  records: Records,
  items: Item[],
  field: Field,
  idOf: (item: Item) => string | undefined,
): Promise<(Item & { [Name in Field]?: string })[]> {
  const names = await namesOf(records, items.map(idOf));
  return items.map((item) => {
    const name = names.get(idOf(item) ?? '');
    return name === undefined ? item : { ...item, [field]: name };
  }) as (Item & { [Name in Field]?: string })[];
}
