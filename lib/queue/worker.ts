import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { backgroundWorkDone } from '../async/after-response.ts';
import { isDiskFull } from '../known-error.ts';
import { log } from '../log.ts';
import type { Objects } from '../ports/objects.ts';
import type { Queue, QueueName } from '../ports/queue.ts';
import { type SpanOptions, traced } from '../telemetry/trace.ts';
import { backOffAfter, FULL_DISK_SECONDS, hiddenWhileAtWork } from './back-off.ts';
import { asHop, type Carried, takeCarried } from './hops.ts';
import { discardBody, resolveBody } from './offload.ts';
import { sendWhenRoom } from './send-when-room.ts';

/** What a message may tell its handler about its delivery. */
export interface Delivery {
  messageId: string;
  receiveCount: number;
}

export interface WorkerOptions<Schema extends z.ZodType> {
  message: Schema;
  /** Those that the worker is fed from. What fails comes back by its back-off, not when the queue's visibility is over. */
  queues: Partial<Record<QueueName, Queue>>;
  /** Where large bodies lie; without it a message that points to one goes back as one that cannot be read. */
  objects?: Objects;
  /**
   * Does the work of the messages, all or nothing: when it throws, all of them come back.
   * Standard queues hand over one message at a time; FIFO queues all of a group's messages in the batch, in order, and
   * one by one when they failed together before.
   * It may be called again with the same messages, and must then do no harm.
   */
  handle(messages: z.infer<Schema>[], deliveries: Delivery[]): Promise<void>;
  /** Messages that the worker sends itself, one while it handles the other: so many, and then the chain is ended. */
  maxHops?: number;
  /** Ends what a chain that is too long was about; without it, its message goes to the dead letters. */
  endChain?(message: z.infer<Schema>): Promise<void>;
}

/** No worker whose chains have no bound of their own comes near it. */
const MAX_HOPS = 1000;

/** From this delivery on a group's messages are handled one by one, so that a bad one does not take all along. */
const ALONE_FROM = 3;
/**
 * From this delivery on those behind a bad message go on without it. Until then they wait for it, as a FIFO queue
 * promises; but soon it is a dead letter, and they would be too.
 */
const PAST_FROM = 4;

interface Unit<Message> extends Carried {
  record: SQSRecord;
  /** Throws while the object store does not give the body: that may pass, so its whole group waits for it. */
  message(): Message;
}

/** The work on a batch. */
interface Work<Schema extends z.ZodType> extends WorkerOptions<Schema> {
  /** Messages that found the disk full. */
  waiting: Set<SQSRecord>;
}

/**
 * The Lambda handler of an SQS worker: only the messages that failed go back (ReportBatchItemFailures). Those that found the disk
 * full wait until there is room, however long that takes: they are no dead letters.
 */
export function serveQueue<Schema extends z.ZodType>(options: WorkerOptions<Schema>) {
  return async (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) => {
    const seconds = hiddenWhileAtWork(context.getRemainingTimeInMillis());
    const hiding = hide(options, event.Records, () => seconds);
    const waiting = new Set<SQSRecord>();
    const failed = (
      await Promise.all(groupsOf(event.Records).map((group) => handleGroup({ ...options, waiting }, group)))
    ).flat();
    await hiding; // else it could come after the back-off, and count
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

/** One that cannot be hidden anew comes back by its queue's visibility: late, but it comes. */
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

/** On a full disk the queue takes nothing either: the message is visible again as soon as there is room. */
async function showWhenRoom(queue: Queue | undefined, receipt: string, error: unknown): Promise<void> {
  if (!isDiskFull(error)) throw error;
  await sendWhenRoom(async () => queue?.changeVisibility(receipt, 0, { uncounted: true }));
}

/** The queues of a stack are named for the stack and the queue. */
function queueOf(queues: WorkerOptions<z.ZodType>['queues'], record: SQSRecord): Queue | undefined {
  const name = record.eventSourceARN.replace(FIFO, '');
  return Object.entries(queues).find(([queue]) => name.endsWith(queue))?.[1];
}

const FIFO = /\.fifo$/;

/** Messages that succeed or fail together: a FIFO group's, or each standard message by itself, whatever its group. */
function groupsOf(records: SQSRecord[]): SQSRecord[][] {
  const groups = Map.groupBy(records, ({ attributes, eventSourceARN, messageId }) =>
    FIFO.test(eventSourceARN) ? attributes.MessageGroupId : messageId,
  );
  return [...groups.values()];
}

/** Answers those that go back. */
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

/** One by one up to the first that fails, or past it. */
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

/** A body that is gone was handled before (lib/queue/offload.ts): this delivery is a repeated one. */
async function readUnit<Schema extends z.ZodType>(
  options: WorkerOptions<Schema>,
  record: SQSRecord,
): Promise<Unit<z.infer<Schema>> | 'unreadable' | 'handled'> {
  const { objects } = options;
  const [body] = await Promise.allSettled([objects ? resolveBody(objects, record.body) : record.body]);
  if (body.status === 'fulfilled')
    return body.value === undefined ? 'handled' : parseUnit(options, record, body.value);
  const fail = () => {
    throw body.reason;
  };
  return { record, hops: 0, message: fail };
}

/** What cannot be understood goes back alone, and in the end to the dead letters. */
function parseUnit<Schema extends z.ZodType>(
  options: WorkerOptions<Schema>,
  record: SQSRecord,
  body: string,
): Unit<z.infer<Schema>> | 'unreadable' {
  try {
    const { body: sent, ...carried } = takeCarried(body);
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
    log.error('message failed', { messageIds: records.map(({ messageId }) => messageId).join() }, error);
    if (isDiskFull(error)) for (const record of records) options.waiting.add(record);
    return false;
  }
  if (options.objects) await discardBodies(options.objects, records);
  return true;
}

/** Names the work after the queue, whose name in a stack begins with the stack's. */
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
  const tooFar = units.filter(({ hops }) => hops > maxHops);
  const fit = units.filter(({ hops }) => hops <= maxHops);
  const messages = fit.map((unit) => unit.message());
  const work = () =>
    handle(
      messages,
      fit.map(({ record }) => describeDelivery(record)),
    );
  if (fit.length > 0) await asHop(Math.max(...fit.map(({ hops }) => hops)), work);
  for (const { message, hops } of tooFar) {
    if (endChain === undefined) throw new Error(`a chain of ${hops} messages`);
    log.error('a chain of messages was ended', { hops });
    await endChain(message());
  }
}

/** What stays behind is the lifecycle's: the work is done and must not be repeated for it. */
async function discardBodies(objects: Objects, records: SQSRecord[]): Promise<void> {
  const discarded = await Promise.allSettled(records.map(({ body }) => discardBody(objects, body)));
  const failed = discarded.filter(({ status }) => status === 'rejected').length;
  if (failed > 0) log.warn('bodies of handled messages stay in the object store', { failed });
}

function describeDelivery(record: SQSRecord): Delivery {
  return { messageId: record.messageId, receiveCount: Number(record.attributes.ApproximateReceiveCount) };
}
