import type { NativeAttributeValue } from '@aws-sdk/lib-dynamodb';
import type { Expectation, FieldExpectation, RecordChange } from '../../ports/records.ts';
import { parseForItem } from './table.ts';

/**
 * Placeholders for the names and values of one request, because names may be reserved words or contain dots.
 */
export interface Placeholders {
  name(name: string): string;
  /** Returns the path of a field of the record's value. */
  field(name: string): string;
  value(value: NativeAttributeValue): string;
  /** Names and values for the request. */
  readonly attributes: {
    ExpressionAttributeNames: Record<string, string>;
    ExpressionAttributeValues?: Record<string, NativeAttributeValue>;
  };
}

export function makePlaceholders(): Placeholders {
  const names = new Map<string, string>();
  const values: NativeAttributeValue[] = [];
  const name = (text: string) => {
    const placeholder = names.get(text) ?? `#${names.size}`;
    names.set(text, placeholder);
    return placeholder;
  };
  return {
    name,
    field: (text) => `${name('value')}.${name(text)}`,
    value: (value) => `:${values.push(value) - 1}`,
    get attributes() {
      const ExpressionAttributeNames = Object.fromEntries([...names].map(([text, by]) => [by, text]));
      if (values.length === 0) return { ExpressionAttributeNames };
      const entries = values.map((value, index) => [`:${index}`, value]);
      return { ExpressionAttributeNames, ExpressionAttributeValues: Object.fromEntries(entries) };
    },
  };
}

/** Returns the condition that an item hasn't expired. Use it only for an item that exists. */
export function unexpired(to: Placeholders, now: number): string {
  const expiresAt = to.name('expiresAt');
  return `(attribute_not_exists(${expiresAt}) OR ${expiresAt} > ${to.value(now)})`;
}

/** Returns the condition for a write. An expired item counts as absent until DynamoDB deletes it. */
export function conditionOf(to: Placeholders, expect: Expectation, now: number): string {
  if (expect === 'absent') {
    return `attribute_not_exists(${to.name('pk')}) OR ${to.name('expiresAt')} <= ${to.value(now)}`;
  }
  const fields = Object.entries(expect === 'present' ? {} : expect);
  const holds = fields.map(([field, wanted]) => fieldHolds(to, field, wanted));
  return [`attribute_exists(${to.name('pk')})`, unexpired(to, now), ...holds].join(' AND ');
}

/**
 * Returns the condition on a field. Comparing values of different types (by equality or `<`) gives false,
 * never an error.
 */
function fieldHolds(to: Placeholders, field: string, wanted: FieldExpectation[string]): string {
  if (wanted === undefined) return `attribute_not_exists(${to.field(field)})`;
  if (wanted === null || typeof wanted !== 'object') return `${to.field(field)} = ${to.value(wanted)}`;
  return `${to.field(field)} < ${to.value(wanted.lessThan)}`;
}

/** Returns the update expression; undefined if there is nothing to change. */
export function changeOf(to: Placeholders, change: RecordChange): string | undefined {
  const { index, expiresAt } = change;
  const fields = Object.entries(change.set ?? {});
  const set = fields
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${to.field(field)} = ${to.value(parseForItem(JSON.stringify(value)))}`);
  // DynamoDB's own ADD doesn't support fields of a map.
  for (const [field, amount] of Object.entries(change.add ?? {})) {
    const path = to.field(field);
    set.push(`${path} = if_not_exists(${path}, ${to.value(0)}) + ${to.value(amount)}`);
  }
  const undefinedFields = fields.filter(([, value]) => value === undefined).map(([field]) => field);
  const remove = [...new Set([...(change.remove ?? []), ...undefinedFields])].map(to.field);
  if (index === null) remove.push(to.name('gsi1pk'), to.name('gsi1sk'));
  if (index) {
    set.push(`${to.name('gsi1pk')} = ${to.value(index.partition)}`);
    set.push(`${to.name('gsi1sk')} = ${to.value(index.sort)}`);
  }
  if (expiresAt !== undefined) set.push(`${to.name('expiresAt')} = ${to.value(expiresAt)}`);
  const clauses = [clause('SET', set), clause('REMOVE', remove)].filter((text) => text !== '');
  return clauses.length === 0 ? undefined : clauses.join(' ');
}

function clause(verb: string, actions: string[]): string {
  return actions.length === 0 ? '' : `${verb} ${actions.join(', ')}`;
}
