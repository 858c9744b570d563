import { DescribeFileSystemsCommand } from '@aws-sdk/client-efs';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { ListSecretsCommand } from '@aws-sdk/client-secrets-manager';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { expect, it } from '@jest/globals';
import { efsClient } from '../../lib/adapters/efs/client.ts';
import { s3Client } from '../../lib/adapters/s3/client.ts';
import { secretsManagerClient } from '../../lib/adapters/secrets-manager/client.ts';
import { sqsClient } from '../../lib/adapters/sqs/client.ts';
import { closing, emulatorSettings } from '../support/emulator.ts';

const { endpoint, region, credentials } = emulatorSettings('MINISTACK_URL');
Object.assign(process.env, {
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});

it.each([
  ['sqsClient', sqsClient, () => closing(sqsClient()).send(new ListQueuesCommand())],
  ['s3Client', s3Client, () => closing(s3Client()).send(new ListBucketsCommand())],
  [
    'secretsManagerClient',
    secretsManagerClient,
    () => closing(secretsManagerClient()).send(new ListSecretsCommand()),
  ],
  ['efsClient', efsClient, () => closing(efsClient()).send(new DescribeFileSystemsCommand())],
])('%s is an AWS client that finds its endpoint in the environment', async (_name, client, ask) => {
  expect(client()).toBe(client());
  expect((await ask()).$metadata.httpStatusCode).toBe(200);
});
