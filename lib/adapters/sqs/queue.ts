import { randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { log } from '../../log.ts';
import { checkMessage } from '../../ports/message-limits.ts';
import type { Objects } from '../../ports/objects.ts';
import type { OutgoingMessage, Queue, QueueDepth, ReceivedMessage } from '../../ports/queue.ts';
import { discardBody, offloadBody, offloadedTo, resolveBody } from '../../queue/offload.ts';
import { BATCH_ENTRIES, settleBatch } from './batch.ts';

/**
 * Maximum total bytes of all bodies in one request. Since 2025, SQS allows 1 MiB, but it bills per 64 KB
 * rather than per request, so its old limit, which every emulator has, costs nothing.
 */
const BATCH_BYTES = 250_000;
const MAX_WAIT_SECONDS = 20;
/** Separates a receipt from the location of its message's body. SQS's receipts are base64. */
const POINTS_TO = ' ';

interface SqsAddress {
  client: SQSClient;
  queueUrl: string;
  objects: Objects;
}

/**
 * An SQS queue; FIFO if its URL ends in `.fifo`. `objects` stores a body that is too large until its message
 * is deleted. If a FIFO queue drops a repetition after that, the bucket's lifecycle removes its body.
 */
export function sqsQueue(client: SQSClient, queueUrl: string, objects: Objects): Queue {
  const at = { client, queueUrl, objects };
  const fifo = queueUrl.endsWith('.fifo');
  return {
    async send(messages) {
      for (const message of messages) checkMessage(message, fifo);
      const rounds = fifo ? roundsOf(messages) : [messages];
      for (const round of rounds) await sendRound(at, round, fifo);
    },
    async receive({ max, waitSeconds = 0 }) {
      const until = performance.now() + waitSeconds * 1000;
      for (;;) {
        const left = Math.round((until - performance.now()) / 1000);
        const seconds = Math.max(0, Math.min(left, MAX_WAIT_SECONDS));
        const messages = await receiveOnce(at, Math.max(1, Math.min(max, BATCH_ENTRIES)), seconds);
        if (messages.length > 0 || seconds >= left) return messages;
      }
    },
    async delete(receipts) {
      for (let from = 0; from < receipts.length; from += BATCH_ENTRIES)
        await deleteBatch(at, receipts.slice(from, from + BATCH_ENTRIES));
    },
    async changeVisibility(receipt, seconds) {
      const ReceiptHandle = handleOf(receipt);
      const change = { QueueUrl: queueUrl, ReceiptHandle, VisibilityTimeout: seconds };
      await client.send(new ChangeMessageVisibilityCommand(change)).catch(ignoreStale);
    },
    depth: () => measureDepth(at),
  };
}

/**
 * Returns rounds with one message per group. With two in one request, the first could be refused and the
 * second accepted, which would break the group's order forever.
 */
function roundsOf(messages: OutgoingMessage[]): OutgoingMessage[][] {
  const groups = [...Map.groupBy(messages, ({ groupId }) => groupId).values()];
  const longest = Math.max(0, ...groups.map((group) => group.length));
  return Array.from({ length: longest }, (_, index) => groups.flatMap((group) => group[index] ?? []));
}

/** Sends requests within BATCH_BYTES of at most ten entries each. */
async function sendRound(at: SqsAddress, messages: OutgoingMessage[], fifo: boolean): Promise<void> {
  let batch: SendMessageBatchRequestEntry[] = [];
  let bytes = 0;
  for (const message of messages) {
    const entry = await sendEntry(at, message, fifo);
    const size = Buffer.byteLength(entry.MessageBody ?? '');
    if (batch.length === BATCH_ENTRIES || bytes + size > BATCH_BYTES) {
      await sendBatch(at, batch);
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) await sendBatch(at, batch);
}

async function sendEntry({ objects, queueUrl }: SqsAddress, message: OutgoingMessage, fifo: boolean) {
  const { body, groupId, deduplicationId = randomUUID(), delaySeconds } = message;
  const identity = `${queueUrl} ${deduplicationId}`;
  const MessageBody = await offloadBody(objects, JSON.stringify(body), identity);
  const order = fifo ? { MessageDeduplicationId: deduplicationId } : { DelaySeconds: delaySeconds };
  return { Id: randomUUID(), MessageBody, MessageGroupId: groupId, ...order };
}

function sendBatch({ client, queueUrl }: SqsAddress, batch: SendMessageBatchRequestEntry[]): Promise<void> {
  return settleBatch(batch, async (Entries) => {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    return Failed;
  });
}

async function receiveOnce(at: SqsAddress, max: number, seconds: number): Promise<ReceivedMessage[]> {
  const { Messages = [] } = await at.client.send(
    new ReceiveMessageCommand({
      QueueUrl: at.queueUrl,
      MaxNumberOfMessages: max,
      WaitTimeSeconds: seconds,
      MessageSystemAttributeNames: ['ApproximateReceiveCount', 'SentTimestamp', 'MessageGroupId'],
    }),
  );
  const received = await Promise.all(Messages.map((message) => readMessage(at, message)));
  return received.filter((message) => message !== undefined);
}

/**
 * Reads a message. Undefined if it was handled before (it is then deleted), or if its body can't be read now.
 */
async function readMessage(at: SqsAddress, message: Message): Promise<ReceivedMessage | undefined> {
  const { MessageId = '', Body = '', Attributes = {} } = message;
  const receipt = receiptOf(message);
  try {
    const sentAt = Number(Attributes.SentTimestamp);
    const body = await resolveBody(at.objects, Body, sentAt);
    if (body === undefined) return void (await deleteBatch(at, [receipt]));
    return {
      messageId: MessageId,
      receipt,
      body,
      groupId: Attributes.MessageGroupId,
      receiveCount: Number(Attributes.ApproximateReceiveCount),
      sentAt,
    };
  } catch (error) {
    log.error('the body of a message could not be read: it comes back', { messageId: MessageId }, error);
    return undefined;
  }
}

/** Returns SQS's receipt handle, followed by the location of the body, so that any process can delete both. */
function receiptOf({ ReceiptHandle = '', Body = '' }: Message): string {
  return offloadedTo(Body) === undefined ? ReceiptHandle : ReceiptHandle + POINTS_TO + Body;
}

function handleOf(receipt: string): string {
  return receipt.split(POINTS_TO, 1)[0] ?? '';
}

async function deleteBatch(at: SqsAddress, receipts: string[]): Promise<void> {
  const entries = receipts.map((receipt, index) => ({ Id: String(index), ReceiptHandle: handleOf(receipt) }));
  const stale = new Set<string | undefined>();
  await settleBatch(entries, async (Entries) => {
    const command = new DeleteMessageBatchCommand({ QueueUrl: at.queueUrl, Entries });
    const { Failed = [] } = await at.client.send(command);
    for (const { Id, Code, Message: text } of Failed) if (isStale(Code, text)) stale.add(Id);
    return Failed.filter(({ Id }) => !stale.has(Id));
  });
  const deleted = receipts.filter((_, index) => !stale.has(String(index)));
  await Promise.all(deleted.map((receipt) => discardBody(at.objects, pointerOf(receipt))));
}

function pointerOf(receipt: string): string {
  return receipt.slice(handleOf(receipt).length + POINTS_TO.length);
}

/** Returns whether a receipt is no longer the latest. By the port's contract, that is harmless. */
function isStale(code = '', text = ''): boolean {
  if (code === 'ReceiptHandleIsInvalid' || code === 'MessageNotInflight') return true;
  return code.startsWith('InvalidParameterValue') && text.includes('ReceiptHandle');
}

function ignoreStale(error: Error): void {
  if (!isStale(error.name, error.message)) throw error;
}

async function measureDepth({ client, queueUrl }: SqsAddress): Promise<QueueDepth> {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return {
    waiting: Number(Attributes.ApproximateNumberOfMessages),
    inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
    delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed),
  };
}
