import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { whenDone } from './temp-folder.ts';

type Emulator = 'DYNAMODB_URL' | 'LOCALSTACK_URL' | 'MINISTACK_URL';

/** Returns the URL of the emulator that the lane (test/lanes/aws.ts) started. */
export function emulatorAddress(emulator: Emulator): string {
  const address = process.env[emulator];
  if (!address) throw new Error(`${emulator} is not set: run these tests with \`npm run test:aws\``);
  return address;
}

/** Returns the settings of an SDK client for it. */
export function emulatorSettings(emulator: Emulator) {
  const endpoint = emulatorAddress(emulator);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return { endpoint, region: 'eu-west-1', credentials, maxAttempts: 3 };
}

/** Closes the client's connections after the test file, because they would keep the process alive. */
export function closing<Client extends { destroy(): void }>(client: Client): Client {
  whenDone(async () => client.destroy());
  return client;
}

/**
 * Disables the SDK's own checksums on LocalStack, which rejects CompleteMultipartUpload if its parts carry them. MiniStack
 * accepts them.
 */
export function emulatorS3Client(emulator: Emulator): S3Client {
  const requestChecksumCalculation = emulator === 'LOCALSTACK_URL' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED';
  return closing(new S3Client({ ...emulatorSettings(emulator), requestChecksumCalculation }));
}

/** Keeps old versions, as a stage's bucket does. */
export async function createBucket(client: S3Client, name: string): Promise<string> {
  await client.send(new CreateBucketCommand({ Bucket: name }));
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await client.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }));
  return name;
}

export async function queueArn(client: SQSClient, QueueUrl: string): Promise<string> {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
  return (await client.send(command)).Attributes?.QueueArn ?? '';
}
