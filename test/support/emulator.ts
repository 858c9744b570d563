import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { whenDone } from './temp-folder.ts';

type Emulator = 'DYNAMODB_URL' | 'LOCALSTACK_URL' | 'MINISTACK_URL';

/** The address of the emulator that the lane (test/lanes/aws.ts) has started. */
export function emulatorAddress(emulator: Emulator): string {
  const address = process.env[emulator];
  if (!address) throw new Error(`${emulator} is not set: run these tests with \`npm run test:aws\``);
  return address;
}

/** How an SDK client reaches it. */
export function emulatorSettings(emulator: Emulator) {
  const endpoint = emulatorAddress(emulator);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return { endpoint, region: 'eu-west-1', credentials, maxAttempts: 3 };
}

/** Ends the client's connections after the test file: they would hold the process. */
export function closing<Client extends { destroy(): void }>(client: Client): Client {
  whenDone(async () => client.destroy());
  return client;
}

/**
 * Leaves out the SDK's own checksums on LocalStack: it refuses CompleteMultipartUpload when its parts carry them.
 * MiniStack takes them.
 */
export function emulatorS3Client(emulator: Emulator): S3Client {
  const requestChecksumCalculation = emulator === 'LOCALSTACK_URL' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED';
  return closing(new S3Client({ ...emulatorSettings(emulator), requestChecksumCalculation }));
}

export async function createBucket(client: S3Client, name: string): Promise<string> {
  await client.send(new CreateBucketCommand({ Bucket: name }));
  return name;
}

export async function queueArn(client: SQSClient, QueueUrl: string): Promise<string> {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
  return (await client.send(command)).Attributes?.QueueArn ?? '';
}
