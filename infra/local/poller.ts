import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { LEFT_TO_CALLS_BYTES, withDiskReserve } from '../../lib/async/disk-reserve.ts';
import { log } from '../../lib/log.ts';
import type { Queue, ReceivedMessage } from '../../lib/ports/queue.ts';
import { sendWhenSpace } from '../../lib/queue/send-when-space.ts';
import { report } from '../../lib/telemetry/events.ts';
import type { QueueWithWorker } from './service-file.ts';

const WAIT_SECONDS = 2;
/** Queues whose messages also delete data, so they are received even on a full disk. */
const FREES_ROOM = new Set(['dataset', 'commit']);

export interface PollerOptions {
  definition: QueueWithWorker;
  queue: Queue;
  /** Maximum number of concurrent batches. */
  concurrency: number;
  /** Calls the worker function. If it throws or dies, its message stays hidden. */
  invoke(event: SQSEvent): Promise<unknown>;
}

export interface Poller {
  /**
   * Stops receiving; resolves when the running batches are done, or after `graceMs`. Leaves batches that still run to
   * releaseAbandoned, because returning them here would count every stop as one of a message's five or eight receives.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Passes a queue's messages to its worker function like Lambda's event source mapping: successful ones are deleted,
 * failed ones stay hidden for the visibility timeout of the queue, or the one that the worker set
 * (lib/queue/back-off.ts).
 */
export function startPoller(options: PollerOptions): Poller {
  const inWork = new Set<ReceivedMessage[]>();
  let stopping = false;
  const receiveNext = inTurns(async () => (stopping ? [] : receive(options)));
  const loops = Array.from({ length: options.concurrency }, async () => {
    while (!stopping) {
      const messages = await receiveNext();
      if (messages.length === 0) continue;
      inWork.add(messages);
      await (stopping ? giveBack(options.queue, messages) : deliver(options, messages)).catch(
        (error: unknown) => logBroken(options, error),
      );
      inWork.delete(messages);
    }
  });
  return {
    async stop(graceMs) {
      stopping = true;
      const deadline = new Promise((resolve) => setTimeout(resolve, inWork.size === 0 ? 0 : graceMs).unref());
      await Promise.race([Promise.all(loops), deadline]);
    },
  };
}

/**
 * Runs one call at a time. An idle service polls the queue only once at a time, because each further poll
 * would cost as much as the first.
 */
function inTurns<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let turn: Promise<unknown> = Promise.resolve();
  return () => {
    const mine = turn.then(work);
    turn = mine;
    return mine;
  };
}

/** A temporarily unreadable queue is polled again. */
async function receive({ queue, definition }: PollerOptions): Promise<ReceivedMessage[]> {
  try {
    const next = () => queue.receive({ max: definition.worker?.batchSize ?? 1, waitSeconds: WAIT_SECONDS });
    return await (FREES_ROOM.has(definition.name) ? withDiskReserve(next, LEFT_TO_CALLS_BYTES) : next());
  } catch (error) {
    log.error('a queue could not be read', { queue: definition.name }, error);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return [];
  }
}

/** Only logs, because messages that couldn't be settled become visible again. */
function logBroken({ definition }: PollerOptions, error: unknown): void {
  log.error('a batch could not be settled', { queue: definition.name }, error);
}

/** Handles one batch to its end. */
export async function deliver(options: PollerOptions, messages: ReceivedMessage[]): Promise<void> {
  const { queue, definition } = options;
  const extending = definition.renewed ? keepHidden(queue, messages, definition) : undefined;
  const failed = await failedOf(options, messages);
  clearInterval(extending);
  const done = messages.filter(({ messageId }) => !failed.has(messageId));
  await sendWhenSpace(() => queue.delete(done.map(({ receipt }) => receipt)));
}

/** Returns the IDs of the failed messages: all of them if the function itself failed. */
async function failedOf(
  { invoke, definition }: PollerOptions,
  messages: ReceivedMessage[],
): Promise<Set<string>> {
  try {
    const answer = (await invoke(sqsEvent(definition, messages))) as Partial<SQSBatchResponse> | undefined;
    const failed = (answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
    const sent = new Set(messages.map(({ messageId }) => messageId));
    // A response that names a message outside the batch fails the whole batch, as on Lambda.
    return failed.every((id) => sent.has(id)) ? new Set(failed) : sent;
  } catch (error) {
    report('worker_failed', 'a worker function failed', { queue: definition.name }, error);
    return new Set(messages.map(({ messageId }) => messageId));
  }
}

function keepHidden(
  queue: Queue,
  messages: ReceivedMessage[],
  { visibilityTimeoutSeconds: visibilitySeconds }: QueueWithWorker,
): NodeJS.Timeout {
  const extend = () => {
    for (const { receipt } of messages) {
      queue
        .changeVisibility(receipt, visibilitySeconds)
        .catch((error: unknown) => log.warn('a message was not kept hidden', { reason: String(error) }));
    }
  };
  return setInterval(extend, (visibilitySeconds * 1000) / 3).unref();
}

async function giveBack(queue: Queue, messages: ReceivedMessage[]): Promise<void> {
  for (const { receipt } of messages) await queue.changeVisibility(receipt, 0);
}

function sqsEvent({ name, fifo }: QueueWithWorker, messages: ReceivedMessage[]): SQSEvent {
  const queue = fifo ? `${name}.fifo` : name;
  return { Records: messages.map((message) => sqsRecord(queue, message)) };
}

function sqsRecord(queue: string, message: ReceivedMessage): SQSRecord {
  return {
    messageId: message.messageId,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAt),
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: String(Date.now()),
      ...(message.groupId === undefined ? {} : { MessageGroupId: message.groupId }),
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:local:000000000000:${queue}`,
    awsRegion: 'local',
  };
}
