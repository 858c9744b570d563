/** Returns the value of a name in a table. Undefined for names that every object has, such as `constructor`. */
export function ownValue<Value>(
  table: Readonly<Partial<Record<string, Value>>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
