import { DeleteMessageCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { InvokeOptions } from '../lanes/function-process.ts';
import { packagedWorker } from '../lanes/packaged-service.ts';
import type { Deployment } from './deployment.ts';

/**
 * Passes the messages of these queues to their workers, as event source mappings do, until the queues are
 * empty.
 */
export async function drainQueues(deployment: Deployment, queueIds: string[]): Promise<void> {
  let worked: number;
  do {
    worked = 0;
    for (const queueId of queueIds) worked += await workOnce(deployment, queueId);
  } while (worked > 0);
}

/** Handles one batch, and returns the number of messages. Throws if a message failed. */
async function workOnce(deployment: Deployment, queueId: string): Promise<number> {
  const { functionName, records, remove } = await receiveBatch(deployment, queueId);
  if (records.length === 0) return 0;
  const { failed, error } = await invokeWorker(deployment, functionName, records);
  if (error !== undefined || failed.length > 0) {
    const log = (await deployment.instance(functionName)).output();
    throw new Error(`${functionName} failed ${failed.length} of ${records.length} messages:\n${log}`);
  }
  await remove();
  return records.length;
}

/** Receives the next messages of a queue for its worker. They are in flight until they are removed. */
export async function receiveBatch({ sqs, values }: Deployment, queueId: string) {
  const { functionName, batchSize } = packagedWorker(queueId);
  const QueueUrl = values[queueId];
  const received = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: batchSize,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  const messages = received.Messages ?? [];
  const remove = async () => {
    for (const { ReceiptHandle } of messages) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  };
  return { functionName, records: messages.map(toRecord), remove };
}

/** Returns the IDs of the messages that the worker reports as failed. */
export async function invokeWorker(
  deployment: Deployment,
  name: string,
  records: SQSRecord[],
  options: InvokeOptions = {},
) {
  const event: SQSEvent = { Records: records };
  const { payload, error } = await (await deployment.instance(name)).invoke(event, options);
  const failures = (payload as SQSBatchResponse | undefined)?.batchItemFailures ?? [];
  return { failed: failures.map(({ itemIdentifier }) => itemIdentifier), error };
}

function toRecord({ MessageId = '', ReceiptHandle = '', Body = '', Attributes = {} }: Message): SQSRecord {
  return sqsRecord(MessageId, Body, { ...Attributes, receiptHandle: ReceiptHandle });
}

/** Returns a message as Lambda passes it to a worker. */
export function sqsRecord(
  messageId: string,
  body: string,
  { receiptHandle = messageId, ...attributes }: Record<string, string> = {},
): SQSRecord {
  return {
    messageId,
    receiptHandle,
    body,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: 'test',
      ApproximateFirstReceiveTimestamp: '0',
      ...attributes,
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:eu-west-1:000000000000:test${attributes.MessageGroupId ? '.fifo' : ''}`,
    awsRegion: 'eu-west-1',
  };
}
