import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  PutBucketNotificationConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type QueueAttributeName,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { dynamodbClient } from '../../lib/adapters/dynamodb/client.ts';
import { s3Client } from '../../lib/adapters/s3/client.ts';
import { sqsClient } from '../../lib/adapters/sqs/client.ts';
import { awaitAws, endpointOf } from './await-aws.ts';
import type { QueueWithWorker, ServiceDefinition } from './service-file.ts';

/** Seconds. The host renews this while it works on a message, so a killed host's messages reappear after it. */
const VISIBILITY_SECONDS = 15;
/** Hosts of one stage share all queues and data; hosts of two stages share nothing. */
const NAME = `workspace-research-${process.env.STAGE || 'local'}`;

/**
 * Points this process and its threads at an AWS emulator, and creates the table, bucket, and queues there as
 * serverless.yml defines them, unless they exist. AWS_ENDPOINT_URL_DYNAMODB and similar variables may name another
 * emulator for one service. Waits until all services respond, and reports the wait with `say`. Returns the definition
 * adapted to the emulator.
 */
export async function useAws(
  endpoint: string,
  definition: ServiceDefinition,
  say: (line: string) => void,
): Promise<ServiceDefinition> {
  for (const [name, value] of Object.entries(environment(endpoint))) process.env[name] ||= value;
  await awaitAws(say);
  const [queueUrls] = await Promise.all([
    creating('queues', 'SQS', () => createQueues(sqsClient(), definition.queues)),
    creating(`table ${NAME}`, 'DYNAMODB', () =>
      createTable(dynamodbClient(), NAME, definition.resources.Table?.Properties),
    ),
    creating(`bucket ${NAME}`, 'S3', () => createBucket(s3Client())),
  ]);
  for (const [name, url] of queueUrls) {
    process.env[`QUEUE_URL_${name.toUpperCase().replaceAll('-', '_')}`] = url;
  }
  await notifyOfUploads(queueUrls.get('upload') ?? '');
  const queues = definition.queues.map((queue) => ({
    ...queue,
    visibilityTimeoutSeconds: VISIBILITY_SECONDS,
    renewed: true,
  }));
  return { ...definition, queues };
}

/** Reports a failed creation with the URL and the setting that may have caused it. */
async function creating<Result>(what: string, service: string, work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: Error) => {
    const where = endpointOf(`AWS_ENDPOINT_URL_${service}`);
    const detail = `The ${what} can't be created at ${where}: ${error.message} (${error.name}).`;
    throw new Error(`${detail} ${adviseOn(error)}`, { cause: error });
  });
}

function adviseOn({ name }: Error): string {
  const { STAGE: stage = 'local', AWS_REGION: region } = process.env;
  if (name === 'InvalidLocationConstraint')
    return `AWS_REGION=${region} is not a region. Unset it, or set us-east-1.`;
  if (name === 'InvalidBucketName')
    return `STAGE=${stage} is part of its name. Use lower-case letters, digits, and hyphens.`;
  if (name === 'BucketAlreadyExists') return 'Another account owns the name. Set another STAGE.';
  return 'Check that the emulator is up and its disk is writable, then start again.';
}

function environment(endpoint: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required', // LocalStack rejects multipart uploads with checksums
    TABLE_NAME: NAME,
    BUCKET_NAME: NAME,
    SECRETS_PREFIX: `${NAME}/`,
  };
}

/** Creates a table with the same properties as the stack's table, except that it may be deleted. */
export async function createTable(
  client: DynamoDBClient,
  TableName: string,
  // biome-ignore lint/suspicious/noExplicitAny: the properties as CloudFormation has them in YAML.
  properties: any,
): Promise<void> {
  const { PointInTimeRecoverySpecification, TimeToLiveSpecification, DeletionProtectionEnabled, ...input } =
    properties;
  try {
    await client.send(new CreateTableCommand({ ...(input as CreateTableCommandInput), TableName }));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

async function createBucket(client: S3Client): Promise<void> {
  await client.send(new CreateBucketCommand({ Bucket: NAME })).catch((error: unknown) => {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  });
}

/** Returns queue URLs by name; a queue's dead-letter queue must exist before it. */
async function createQueues(client: SQSClient, queues: QueueWithWorker[]): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  const [deadLetters, others] = [queues.filter(buries), queues.filter((queue) => !buries(queue))];
  for (const queue of [...deadLetters, ...others]) {
    urls.set(queue.name, await createQueue(client, queue, urls.get(queue.deadLetterQueue ?? '')));
  }
  return urls;
}

function buries({ deadLetterQueue }: QueueWithWorker): boolean {
  return deadLetterQueue === undefined;
}

/** The same as in infra/queues.yml. */
const FIFO = {
  FifoQueue: 'true',
  DeduplicationScope: 'messageGroup',
  FifoThroughputLimit: 'perMessageGroupId',
};

async function createQueue(client: SQSClient, queue: QueueWithWorker, deadLetters?: string): Promise<string> {
  const made = await client.send(
    new CreateQueueCommand({
      QueueName: `${NAME}-${queue.name}${queue.fifo ? '.fifo' : ''}`,
      Attributes: queue.fifo ? FIFO : {},
    }),
  );
  const QueueUrl = made.QueueUrl ?? '';
  const Attributes: Partial<Record<QueueAttributeName, string>> = {
    VisibilityTimeout: String(VISIBILITY_SECONDS),
  };
  if (deadLetters !== undefined) {
    const deadLetterTargetArn = await arnOf(client, deadLetters);
    Attributes.RedrivePolicy = JSON.stringify({
      deadLetterTargetArn,
      maxReceiveCount: queue.maxReceiveCount,
    });
  }
  await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  return QueueUrl;
}

async function arnOf(client: SQSClient, QueueUrl: string): Promise<string> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  return Attributes?.QueueArn ?? '';
}

/** The same as in infra/data.yml. */
async function notifyOfUploads(queueUrl: string): Promise<void> {
  await s3Client().send(
    new PutBucketNotificationConfigurationCommand({
      Bucket: NAME,
      NotificationConfiguration: {
        QueueConfigurations: [
          {
            Events: ['s3:ObjectCreated:*'],
            QueueArn: await arnOf(sqsClient(), queueUrl),
            Filter: { Key: { FilterRules: [{ Name: 'prefix', Value: 'uploads/' }] } },
          },
        ],
      },
    }),
  );
}
