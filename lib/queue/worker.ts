import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { log } from '../log.ts';

/** What a message may tell its handler about its delivery. */
export interface Delivery {
  messageId: string;
  receiveCount: number;
}

export interface WorkerOptions<Schema extends z.ZodType> {
  message: Schema;
  /**
   * Does the work of the messages, all or nothing: when it throws, all of them come back.
   * Standard queues hand over one message at a time; FIFO queues all of a group's messages in the batch, in order.
   * It may be called again with the same messages, and must then do no harm.
   */
  handle(messages: z.infer<Schema>[], deliveries: Delivery[]): Promise<void>;
}

/** The Lambda handler of an SQS worker: only the messages that failed go back (ReportBatchItemFailures). */
export function serveQueue<Schema extends z.ZodType>(options: WorkerOptions<Schema>) {
  return async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const failed = await Promise.all(units(event.Records).map((unit) => handleUnit(options, unit)));
    return { batchItemFailures: failed.flat().map((record) => ({ itemIdentifier: record.messageId })) };
  };
}

/** Messages that succeed or fail together: a FIFO group's, or each standard message by itself. */
function units(records: SQSRecord[]): SQSRecord[][] {
  const groups = Map.groupBy(records, (record) => record.attributes.MessageGroupId ?? record.messageId);
  return [...groups.values()];
}

async function handleUnit<Schema extends z.ZodType>(
  { message, handle }: WorkerOptions<Schema>,
  unit: SQSRecord[],
): Promise<SQSRecord[]> {
  try {
    const messages = unit.map((record) => message.parse(JSON.parse(record.body)));
    await handle(messages, unit.map(describeDelivery));
    return [];
  } catch (error) {
    log.error('message failed', { messageIds: unit.map((record) => record.messageId).join() }, error);
    return unit;
  }
}

function describeDelivery(record: SQSRecord): Delivery {
  return { messageId: record.messageId, receiveCount: Number(record.attributes.ApproximateReceiveCount) };
}
