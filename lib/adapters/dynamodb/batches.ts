import { BatchGetCommand, BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { Incomplete, jitteredDelay, retry } from '../../async/retry.ts';
import type { Item, Table } from './table.ts';

const MAX_READS = 100;
const MAX_WRITES = 25;
const AT_ONCE = 4;
/**
 * Maximum rounds in a row in which DynamoDB accepted nothing. With the waits between them, they take about
 * six seconds.
 */
const MAX_FRUITLESS_ROUNDS = 9;
const FIRST_WAIT_MS = 25;

type Key = Pick<Item, 'pk' | 'sk'>;
type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** Returns the existing items, in no particular order. The keys must be distinct. */
export async function readItems(table: Table, keys: Key[]): Promise<Item[]> {
  const items: Item[] = [];
  await inBatches(keys, MAX_READS, async (batch) => {
    const command = new BatchGetCommand({
      RequestItems: { [table.name]: { Keys: batch, ConsistentRead: true } },
    });
    const { Responses, UnprocessedKeys } = await table.client.send(command);
    items.push(...((Responses?.[table.name] ?? []) as Item[]));
    return (UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
  });
  return items;
}

/** Writes items, which must be distinct. */
export async function writeItems(table: Table, writes: WriteRequest[]): Promise<void> {
  await inBatches(writes, MAX_WRITES, async (batch) => {
    const command = new BatchWriteCommand({ RequestItems: { [table.name]: batch } });
    const { UnprocessedItems } = await table.client.send(command);
    return UnprocessedItems?.[table.name] ?? [];
  });
}

/** Splits the work into batches and runs a few at a time; `work` returns the parts that it couldn't do. */
async function inBatches<Part>(
  parts: Part[],
  size: number,
  work: (batch: Part[]) => Promise<Part[]>,
): Promise<void> {
  const batches: Part[][] = [];
  for (let start = 0; start < parts.length; start += size) batches.push(parts.slice(start, start + size));
  await forEachConcurrent(batches, AT_ONCE, (batch) => finish(batch, work));
}

/**
 * Repeats a batch until it's done. DynamoDB leaves a part undone if the table is throttled or the response
 * would exceed 16 MB.
 */
async function finish<Part>(batch: Part[], work: (batch: Part[]) => Promise<Part[]>): Promise<void> {
  let left = batch;
  let fruitless = 0;
  const workOnRest = async () => {
    const before = left.length;
    left = await work(left);
    fruitless = left.length < before ? 0 : fruitless + 1;
    if (left.length > 0) throw new Incomplete('DynamoDB throttled a batch and did not accept it.');
  };
  await retry(workOnRest, {
    waitAfter: (error) =>
      error instanceof Incomplete && fruitless < MAX_FRUITLESS_ROUNDS
        ? jitteredDelay(Math.max(fruitless, 1), FIRST_WAIT_MS)
        : undefined,
  });
}
