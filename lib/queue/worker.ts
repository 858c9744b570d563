import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { backgroundWorkDone } from '../async/after-response.ts';
import { isDiskFull } from '../known-error.ts';
import { log } from '../log.ts';
import type { Objects } from '../ports/objects.ts';
import type { Queue, QueueName } from '../ports/queue.ts';
import { type SpanOptions, traced } from '../telemetry/trace.ts';
import { backOffAfter, FULL_DISK_SECONDS, hiddenWhileAtWork } from './back-off.ts';
import { asHop, type Carried, isRunaway, takeCarried } from './hops.ts';
import { discardBody, resolveBody } from './offload.ts';
import { sendWhenSpace } from './send-when-space.ts';

/** Delivery data of a message, for its handler. */
export interface Delivery {
  messageId: string;
  receiveCount: number;
}

export interface WorkerOptions<Schema extends z.ZodType> {
  message: Schema;
  /**
   * The queues that feed the worker. A failed message is retried with backoff, rather than after the queue's
   * visibility timeout.
   */
  queues: Partial<Record<QueueName, Queue>>;
  /** The store for large bodies. Without it, a message that points to one counts as unreadable. */
  objects?: Objects;
  /**
   * Handles the messages, all or nothing: if it throws, all are retried. Standard queues pass one message at
   * a time. FIFO queues pass all messages of a group in the batch, in order, and individually after they have
   * failed together. It may be called again with the same messages, so it must be idempotent.
   */
  handle(messages: z.infer<Schema>[], deliveries: Delivery[]): Promise<void>;
  /**
   * Maximum length of a chain of messages that the worker sends to itself. A chain that loops without work ends much
   * earlier (`isRunaway()`).
   */
  maxHops?: number;
  /** Ends the work of a chain that is too long. Without it, the message goes to the dead-letter queue. */
  endChain?(message: z.infer<Schema>): Promise<void>;
}

/** The default maximum, because chains of other workers are far shorter. */
const MAX_HOPS = 1000;

/**
 * The number of the delivery from which on the messages of a group are handled individually, so that a
 * failing one doesn't fail the others.
 */
const ALONE_FROM = 3;
/**
 * The number of the delivery from which on messages no longer wait for a failing one before them. Until then
 * they wait, as a FIFO queue guarantees, but with the failing one they would soon be dead-lettered too.
 */
const PAST_FROM = 4;

interface Unit<Message> extends Carried {
  record: SQSRecord;
  /**
   * Returns the message. Throws while the object store doesn't return the body. That may be transient, so the
   * whole group waits, and the attempt counts.
   */
  message(): Message;
}

/** The work on a batch. */
interface Work<Schema extends z.ZodType> extends WorkerOptions<Schema> {
  /** Messages that failed because the disk is full. */
  waiting: Set<SQSRecord>;
}

/**
 * Returns the Lambda handler of an SQS worker. Only failed messages return to the queue
 * (ReportBatchItemFailures). Messages that failed because the disk is full wait for space, however long that
 * takes, and don't become dead letters.
 */
export function serveQueue<Schema extends z.ZodType>(options: WorkerOptions<Schema>) {
  return async (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) => {
    const seconds = hiddenWhileAtWork(context.getRemainingTimeInMillis());
    const hiding = hide(options, event.Records, () => seconds);
    const waiting = new Set<SQSRecord>();
    const failed = (
      await Promise.all(groupsOf(event.Records).map((group) => handleGroup({ ...options, waiting }, group)))
    ).flat();
    await hiding; // otherwise, it could arrive after the backoff, and count
    await hide(
      options,
      failed,
      (record) =>
        waiting.has(record) ? FULL_DISK_SECONDS : backOffAfter(describeDelivery(record).receiveCount),
      waiting,
    );
    await backgroundWorkDone();
    const batchItemFailures = failed.map((record) => ({ itemIdentifier: record.messageId }));
    return { batchItemFailures } satisfies SQSBatchResponse;
  };
}

/**
 * Hides a message for its backoff. If that fails, it reappears at the end of the queue's visibility timeout: late, but
 * not lost.
 */
async function hide<Schema extends z.ZodType>(
  { queues }: WorkerOptions<Schema>,
  records: SQSRecord[],
  secondsOf: (record: SQSRecord) => number,
  uncounted = new Set<SQSRecord>(),
): Promise<void> {
  const hidings = records.map((record) => {
    const queue = queueOf(queues, record);
    const [receipt, isWaiting] = [record.receiptHandle, uncounted.has(record)];
    const hiding = queue?.changeVisibility(receipt, secondsOf(record), { uncounted: isWaiting });
    return isWaiting ? hiding?.catch((error: unknown) => showWhenRoom(queue, receipt, error)) : hiding;
  });
  for (const hiding of await Promise.allSettled(hidings)) {
    if (hiding.status === 'rejected') log.warn('a message was not hidden', { reason: String(hiding.reason) });
  }
}

/** Makes a message visible as soon as there is space, because a full disk also affects the queue. */
async function showWhenRoom(queue: Queue | undefined, receipt: string, error: unknown): Promise<void> {
  if (!isDiskFull(error)) throw error;
  await sendWhenSpace(async () => queue?.changeVisibility(receipt, 0, { uncounted: true }));
}

/** Returns the queue of a record. A stack names its queues after itself and the queue. */
function queueOf(queues: WorkerOptions<z.ZodType>['queues'], record: SQSRecord): Queue | undefined {
  const name = record.eventSourceARN.replace(FIFO, '');
  return Object.entries(queues).find(([queue]) => name.endsWith(queue))?.[1];
}

const FIFO = /\.fifo$/;

/** Groups messages that succeed or fail together: those of a FIFO group, or each standard message alone, whatever its group. */
function groupsOf(records: SQSRecord[]): SQSRecord[][] {
  const groups = Map.groupBy(records, ({ attributes, eventSourceARN, messageId }) =>
    FIFO.test(eventSourceARN) ? attributes.MessageGroupId : messageId,
  );
  return [...groups.values()];
}

/** Handles a group; returns the messages that go back to the queue. */
async function handleGroup<Schema extends z.ZodType>(
  options: Work<Schema>,
  records: SQSRecord[],
): Promise<SQSRecord[]> {
  const readings = await Promise.all(records.map((record) => readUnit(options, record)));
  const units = readings.filter((reading) => typeof reading === 'object');
  const failed = records.filter((_, index) => readings[index] === 'unreadable');
  const receives = Math.max(...records.map((record) => describeDelivery(record).receiveCount));
  if (receives >= ALONE_FROM)
    return [...failed, ...(await handleEach(options, units, receives >= PAST_FROM))];
  const done = await handleTogether(options, units);
  return done ? failed : [...failed, ...units.map(({ record }) => record)];
}

/** Handles messages individually, until the first failure or to the end. */
async function handleEach<Schema extends z.ZodType>(
  options: Work<Schema>,
  units: Unit<z.infer<Schema>>[],
  past: boolean,
): Promise<SQSRecord[]> {
  const failed: SQSRecord[] = [];
  for (const unit of units) {
    const waits = failed.length > 0 && !past;
    if (waits && failed.some((record) => options.waiting.has(record))) options.waiting.add(unit.record);
    if (waits || !(await handleTogether(options, [unit]))) failed.push(unit.record);
  }
  return failed;
}

/**
 * Reads a message. If its body was deleted, it has already been handled (lib/queue/offload.ts), and this is a
 * repeated delivery. If the body is missing, it may still appear.
 */
async function readUnit<Schema extends z.ZodType>(
  options: WorkerOptions<Schema>,
  record: SQSRecord,
): Promise<Unit<z.infer<Schema>> | 'unreadable' | 'handled'> {
  const { objects } = options;
  const sentAt = sentAtOf(record);
  const [body] = await Promise.allSettled([
    objects ? resolveBody(objects, record.body, sentAt) : record.body,
  ]);
  if (body.status === 'fulfilled')
    return body.value === undefined ? 'handled' : parseUnit(options, record, body.value);
  const fail = () => {
    throw body.reason;
  };
  return { record, hops: 0, since: sentAt, message: fail };
}

function sentAtOf({ attributes }: SQSRecord): number {
  return Number(attributes.SentTimestamp);
}

/**
 * Parses a message. An unparsable message returns to the queue alone, and finally goes to the dead-letter
 * queue.
 */
function parseUnit<Schema extends z.ZodType>(
  options: WorkerOptions<Schema>,
  record: SQSRecord,
  body: string,
): Unit<z.infer<Schema>> | 'unreadable' {
  try {
    const { body: sent, ...carried } = takeCarried(body, sentAtOf(record));
    const message = options.message.parse(sent);
    return { record, ...carried, message: () => message };
  } catch (error) {
    log.error('message cannot be read', { messageId: record.messageId }, error);
    return 'unreadable';
  }
}

async function handleTogether<Schema extends z.ZodType>(
  options: Work<Schema>,
  units: Unit<z.infer<Schema>>[],
): Promise<boolean> {
  if (units.length === 0) return true;
  const records = units.map(({ record }) => record);
  try {
    await traced(nameOfWork(records), spanOf(units), () => handleUnits(options, units));
  } catch (error) {
    const isFull = isDiskFull(error); // only an operator can free space
    const messageIds = records.map(({ messageId }) => messageId).join();
    log[isFull ? 'error' : 'warn']('message failed', { messageIds }, error);
    if (isFull) for (const record of records) options.waiting.add(record);
    return false;
  }
  if (options.objects) await discardBodies(options.objects, records);
  return true;
}

/** Names the work after the queue, whose name in a stack starts with the stack's name. */
function nameOfWork([record]: SQSRecord[]): string {
  return `handle ${record?.eventSourceARN.split(/[:-]/).at(-1)?.replace(FIFO, '')}`;
}

function spanOf(units: Unit<unknown>[]): SpanOptions {
  const parents = [...new Set(units.flatMap(({ traceparent }) => traceparent ?? []))];
  const receives = Math.max(...units.map(({ record }) => describeDelivery(record).receiveCount));
  return { kind: 'consumer', parents, fields: { messages: units.length, receives } };
}

async function handleUnits<Schema extends z.ZodType>(
  { handle, maxHops = MAX_HOPS, endChain }: WorkerOptions<Schema>,
  units: Unit<z.infer<Schema>>[],
): Promise<void> {
  const isTooFar = (unit: Unit<unknown>) => unit.hops > maxHops || isRunaway(unit, sentAtOf(unit.record));
  const tooFar = units.filter(isTooFar);
  const fit = units.filter((unit) => !isTooFar(unit));
  const messages = fit.map((unit) => unit.message());
  const work = () =>
    handle(
      messages,
      fit.map(({ record }) => describeDelivery(record)),
    );
  const [longest] = fit.toSorted((one, other) => other.hops - one.hops);
  if (longest !== undefined) await asHop(longest, work);
  for (const { message, hops } of tooFar) {
    if (endChain === undefined) throw new Error(`a chain of ${hops} messages`);
    log.error('a chain of messages was ended', { hops });
    await endChain(message());
  }
}

/**
 * Deletes the bodies. A failure is only logged: the lifecycle removes remaining bodies, and finished work
 * must not be repeated because of them.
 */
async function discardBodies(objects: Objects, records: SQSRecord[]): Promise<void> {
  const discarded = await Promise.allSettled(records.map(({ body }) => discardBody(objects, body)));
  const failed = discarded.filter(({ status }) => status === 'rejected').length;
  if (failed > 0) log.warn('bodies of handled messages stay in the object store', { failed });
}

function describeDelivery(record: SQSRecord): Delivery {
  return { messageId: record.messageId, receiveCount: Number(record.attributes.ApproximateReceiveCount) };
}
