import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateEventSourceMappingCommand, CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, jest } from '@jest/globals';
import { build } from 'esbuild';
import { s3Objects } from '../../lib/adapters/s3/objects.ts';
import { sqsQueue } from '../../lib/adapters/sqs/queue.ts';
import { findPython, runCommand } from '../lanes/servers/install.ts';
import { closing, createBucket, emulatorS3Client, emulatorSettings, queueArn } from '../support/emulator.ts';
import { tempFolder } from '../support/temp-folder.ts';

const settings = emulatorSettings('MINISTACK_URL');
const sqs = closing(new SQSClient(settings));
const lambda = closing(new LambdaClient(settings));
const s3 = emulatorS3Client('MINISTACK_URL');
/**
 * Longer than a worker takes to start on a busy host, because its messages would otherwise be delivered
 * twice.
 */
const VISIBILITY_SECONDS = '10';
const ROLE = 'arn:aws:iam::000000000000:role/test';
const bucket = await createBucket(s3, `cross-${randomUUID()}`);
const objects = s3Objects(s3, bucket);
/** The first tick comes 60 to 70 s after this. The queue test runs in the meantime. */
const ticks = await startSchedule();

jest.setTimeout(120_000);

describe('queue with an event source mapping to its worker', () => {
  it("retries and dead-letters a batch's failed messages, and doesn't repeat the others", async () => {
    const { queue, deadLetters, seen } = await startWorker({ maxReceiveCount: 3 });
    const names = ['good-1', 'poison-1', 'good-2', 'poison-2', 'good-3'];
    await queue.send(names.map((name) => ({ body: { name } })));
    await until(async () => (await deadLetters.depth()).waiting === 2);
    expect(countBy(await seen())).toEqual({
      'good-1 0': 1,
      'good-2 0': 1,
      'good-3 0': 1,
      'poison-1 0': 3,
      'poison-2 0': 3,
    });
    expect(await queue.depth()).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
  });

  it('dead-letters a message with an unknown format', async () => {
    const { queue, deadLetters, seen } = await startWorker({ maxReceiveCount: 1 });
    await queue.send([{ body: { wrong: true } }, { body: { name: 'good' } }]);
    await until(async () => (await deadLetters.depth()).waiting === 1);
    expect(await seen()).toEqual(['good 0']);
  });

  it('delivers a body of 3 MB, and deletes it from the bucket afterwards', async () => {
    const { queue, seen } = await startWorker({ maxReceiveCount: 3 });
    await queue.send([{ body: { name: 'large', padding: 'x'.repeat(3_000_000) } }]);
    await until(async () => (await seen()).includes('large 3000000'));
    await until(async () => (await listKeys()).length === 0);
    await until(async () => (await queue.depth()).inFlight === 0);
  });
});

describe('schedule for every minute', () => {
  it('calls its function', async () => {
    await until(async () => (await ticks()).length > 0);
    const times = (await ticks()).map(Number);
    for (const [index, time] of times.slice(1).entries())
      expect(time - (times[index] ?? 0)).toBeGreaterThan(50_000);
  });
});

/** A queue with a dead-letter queue and test/aws/functions/worker.ts, which gets batches of ten. */
async function startWorker({ maxReceiveCount }: { maxReceiveCount: number }) {
  const createQueue = async (Attributes: Record<string, string>) =>
    (await sqs.send(new CreateQueueCommand({ QueueName: randomUUID(), Attributes }))).QueueUrl ?? '';
  const deadUrl = await createQueue({});
  const redrive = { deadLetterTargetArn: await queueArn(sqs, deadUrl), maxReceiveCount };
  const url = await createQueue({
    VisibilityTimeout: VISIBILITY_SECONDS,
    RedrivePolicy: JSON.stringify(redrive),
  });
  const { name, seen } = await createFunction('worker');
  await lambda.send(
    new CreateEventSourceMappingCommand({
      FunctionName: name,
      EventSourceArn: await queueArn(sqs, url),
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    }),
  );
  return { queue: sqsQueue(sqs, url, objects), deadLetters: sqsQueue(sqs, deadUrl, objects), seen };
}

async function startSchedule(): Promise<() => Promise<string[]>> {
  const { arn, seen } = await createFunction('tick');
  const scheduler = closing(new SchedulerClient(settings));
  await scheduler.send(
    new CreateScheduleCommand({
      Name: randomUUID(),
      ScheduleExpression: 'rate(1 minute)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: arn, RoleArn: ROLE },
    }),
  );
  return seen;
}

/** A function of test/aws/functions, bundled like the packaged ones. `seen` returns what it recorded. */
async function createFunction(source: 'worker' | 'tick') {
  const folder = await tempFolder();
  const name = `${source}-${randomUUID()}`;
  const seenFile = join(folder, 'seen');
  const { FunctionArn: arn } = await lambda.send(
    new CreateFunctionCommand({
      FunctionName: name,
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Role: ROLE,
      Timeout: 10,
      Code: { ZipFile: await bundle(source, folder) },
      Environment: { Variables: functionEnvironment(seenFile) },
    }),
  );
  const seen = async () => (await readFile(seenFile, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return { name, arn, seen };
}

function functionEnvironment(seenFile: string): Record<string, string> {
  const { accessKeyId, secretAccessKey } = settings.credentials;
  return {
    SEEN_FILE: seenFile,
    BUCKET: bucket,
    AWS_ENDPOINT_URL: settings.endpoint,
    AWS_REGION: settings.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

async function bundle(source: string, folder: string): Promise<Uint8Array> {
  await build({
    entryPoints: [resolve(import.meta.dirname, `functions/${source}.ts`)],
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  await runCommand(await findPython('3.12'), ['-m', 'zipfile', '-c', 'function.zip', 'index.mjs'], {
    cwd: folder,
  });
  return readFile(join(folder, 'function.zip'));
}

async function listKeys(): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
  return Contents.flatMap(({ Key }) => Key ?? []);
}

async function until(holds: () => Promise<boolean>, withinMs = 90_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('it did not come about in time');
    await sleep(200);
  }
}

function countBy(lines: string[]): Record<string, number> {
  const groups = Map.groupBy(lines, (line) => line);
  return Object.fromEntries([...groups].map(([line, all]) => [line, all.length]));
}
