import type { DynamoDBDocumentClient, TranslateConfig } from '@aws-sdk/lib-dynamodb';
import type { RecordKey, RecordValue, StoredRecord } from '../../ports/records.ts';

/** The service's only table, as defined in infra/data.yml. */
export interface Table {
  client: DynamoDBDocumentClient;
  name: string;
  /** Returns seconds since the epoch, like `expiresAt`. */
  now(): number;
}

/**
 * A record as an item. Its value is a single map, so that its fields can be changed one by one and never
 * collide with the keys.
 */
export interface Item {
  pk: string;
  sk: string;
  gsi1pk?: string | undefined;
  gsi1sk?: string | undefined;
  expiresAt?: number | undefined;
  value: RecordValue;
}

export const INDEX_NAME = 'gsi1';

/** JSON has only doubles, and the shortest decimal form of a double is read as the same double. */
export const translation: TranslateConfig = {
  marshallOptions: { removeUndefinedValues: true, allowImpreciseNumbers: true },
  unmarshallOptions: { wrapNumbers: Number },
};

export function toKey({ partition, sort }: RecordKey): Pick<Item, 'pk' | 'sk'> {
  return { pk: partition, sk: sort };
}

export function toItem({ key, index, expiresAt }: StoredRecord, json: string): Item {
  return {
    ...toKey(key),
    gsi1pk: index?.partition,
    gsi1sk: index?.sort,
    expiresAt,
    value: parseForItem(json) as RecordValue,
  };
}

export function toRecord(item: Item): StoredRecord {
  const { pk, sk, gsi1pk, gsi1sk = '', expiresAt, value } = item;
  return {
    key: { partition: pk, sort: sk },
    index: gsi1pk === undefined ? undefined : { partition: gsi1pk, sort: gsi1sk },
    expiresAt,
    value,
  };
}

/** Returns whether an item counts as absent. DynamoDB deletes expired items up to two days late. */
export function isGone({ expiresAt }: Item, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/**
 * Returns plain JSON, so that the table never stores values that JSON drops. Lone surrogates, which UTF-8
 * can't encode, become U+FFFD.
 */
export function parseForItem(json: string): unknown {
  if (!/\\ud[89a-f]/.test(json)) return JSON.parse(json);
  return JSON.parse(json, (_key, value) => (typeof value === 'string' ? value.toWellFormed() : value));
}
