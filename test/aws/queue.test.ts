import { randomUUID } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { s3Objects } from '../../lib/adapters/s3/objects.ts';
import { sqsQueue } from '../../lib/adapters/sqs/queue.ts';
import { describeQueue, type QueueWish } from '../contract/queue.contract.ts';
import { closing, createBucket, emulatorS3Client, emulatorSettings, queueArn } from '../support/emulator.ts';

const { sqs, s3, bucket, open } = await connect('LOCALSTACK_URL');
const ministack = await connect('MINISTACK_URL');

describeQueue('SQS on LocalStack', open, { oldReceiptsWork: true });
describeQueue('SQS on MiniStack', ministack.open, { repetitionsMustBeEqual: true });

/**
 * The call that docs/operate/dead-letters.md tells the operator to make. LocalStack doesn't count the
 * receives from zero, and drops a message whose deduplication ID it saw in the last five minutes. Purging the
 * empty queue makes it forget the IDs.
 */
describe.each([
  ['standard', false],
  ['FIFO', true],
])('dead letters of a %s queue on LocalStack', (_kind, fifo) => {
  it('are moved back by one call, complete and in their groups', async () => {
    const { url, queue, deadLetters, deadUrl } = await open({
      ...{ fifo, visibilityTimeoutSeconds: 30, maxReceiveCount: 1 },
    });
    await queue.send([{ body: { a: 1 }, groupId: 'workspace' }]);
    const [message] = await queue.receive({ max: 1, waitSeconds: 5 });
    await queue.changeVisibility(message?.receipt ?? '', 0);
    expect(await queue.receive({ max: 1, waitSeconds: 1 })).toEqual([]);
    expect((await deadLetters.depth()).waiting).toBe(1);
    if (fifo) await sqs.send(new PurgeQueueCommand({ QueueUrl: url }));
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: await queueArn(sqs, deadUrl) }));
    const [again] = await queue.receive({ max: 1, waitSeconds: 20 });
    expect(again).toMatchObject({ body: message?.body, groupId: 'workspace' });
    expect((await deadLetters.depth()).waiting).toBe(0);
  });
});

describe('sqsQueue with a large body', () => {
  const standard = { fifo: false, visibilityTimeoutSeconds: 30 };
  const text = 'ж'.repeat(1_500_000); // 3 MB
  const stored = async () => (await s3.send(new ListObjectsV2Command({ Bucket: bucket }))).KeyCount;

  it('stores it in the object store until the message is deleted', async () => {
    const { queue } = await open(standard);
    const before = (await stored()) ?? 0;
    await queue.send([{ body: { text } }, { body: 'small' }]);
    expect(await stored()).toBe(before + 1);
    const [first, second] = [await queue.receive({ max: 1 }), await queue.receive({ max: 1 })];
    const messages = [...first, ...second];
    expect(messages.map(({ body }) => JSON.parse(body) as unknown)).toContainEqual({ text });
    await queue.delete(messages.map(({ receipt }) => receipt));
    expect(await stored()).toBe(before);
    expect(await queue.depth()).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
  });

  it('changes its visibility and dead-letters it like a small message', async () => {
    const { queue, deadLetters } = await open({ ...standard, maxReceiveCount: 1 });
    await queue.send([{ body: { text } }]);
    const [message] = await queue.receive({ max: 1 });
    await queue.changeVisibility(message?.receipt ?? '', 0);
    expect(await queue.receive({ max: 1, waitSeconds: 1 })).toEqual([]);
    const [letter] = await deadLetters.receive({ max: 1 });
    expect(JSON.parse(letter?.body ?? '')).toEqual({ text });
  });

  it('drops a repeated delivery of a message whose body was deleted after its handling', async () => {
    const { queue, url, objects } = await open(standard);
    await queue.send([{ body: { text } }]);
    const [message] = await queue.receive({ max: 1 });
    const MessageBody = message?.receipt.split(' ')[1];
    await queue.delete([message?.receipt ?? '']);
    expect(await objects.isDeleted(JSON.parse(MessageBody ?? '').offloadedTo)).toBe(true);
    await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody }));
    expect(await queue.receive({ max: 1 })).toEqual([]);
    expect(await queue.depth()).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
  });

  it('keeps a message whose body is missing but was not deleted', async () => {
    const { queue, url } = await open(standard);
    const MessageBody = JSON.stringify({ offloadedTo: `queue/${'0'.repeat(64)}` });
    await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody }));
    expect(await queue.receive({ max: 1 })).toEqual([]);
    expect((await queue.depth()).inFlight).toBe(1);
  });

  it.each([
    ['LocalStack', open],
    ['MiniStack', ministack.open],
  ])('sends it once under one deduplication ID on %s', async (_name, openOn) => {
    const { queue } = await openOn({ ...standard, fifo: true });
    const message = { body: { text }, groupId: 'g', deduplicationId: 'once' };
    await queue.send([message]);
    await queue.send([message]);
    expect((await queue.depth()).waiting).toBe(1);
    expect(JSON.parse((await queue.receive({ max: 10 }))[0]?.body ?? '')).toEqual({ text });
  });
});

/** Queues of an emulator, with the bucket for their large bodies. */
async function connect(emulator: 'LOCALSTACK_URL' | 'MINISTACK_URL') {
  const sqs = closing(new SQSClient(emulatorSettings(emulator)));
  const s3 = emulatorS3Client(emulator);
  const bucket = await createBucket(s3, `queue-${randomUUID()}`);
  const objects = s3Objects(s3, bucket);
  const createQueue = async (attributes: Record<string, string>, fifo: boolean) => {
    const QueueName = randomUUID() + (fifo ? '.fifo' : '');
    const byGroup = {
      FifoQueue: 'true',
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    };
    const Attributes = { ...attributes, ...(fifo && byGroup) };
    return (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? '';
  };
  const open = async ({ fifo, visibilityTimeoutSeconds, maxReceiveCount }: QueueWish) => {
    const deadUrl = await createQueue({}, fifo);
    const redrive = { deadLetterTargetArn: await queueArn(sqs, deadUrl), maxReceiveCount };
    const VisibilityTimeout = String(visibilityTimeoutSeconds);
    const url = await createQueue(
      { VisibilityTimeout, ...(maxReceiveCount && { RedrivePolicy: JSON.stringify(redrive) }) },
      fifo,
    );
    return {
      url,
      objects,
      queue: sqsQueue(sqs, url, objects),
      deadUrl,
      deadLetters: sqsQueue(sqs, deadUrl, objects),
    };
  };
  return { sqs, s3, bucket, open };
}
