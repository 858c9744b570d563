import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { expect, it } from '@jest/globals';
import { findFreePort } from '../../infra/free-port.ts';
import { startDynamodbLocal } from '../lanes/servers/dynamodb-local.ts';
import { startPersistentMinistack } from '../lanes/servers/ministack.ts';
import type { Server } from '../lanes/servers/process.ts';
import { closing, emulatorAddress, emulatorSettings } from '../support/emulator.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, syncWorkspace } from '../support/sync.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';
import { newStage } from './host.ts';

const { STAGE } = newStage();

it('host on AWS adapters waits for DynamoDB Local, which keeps its records through a restart', async () => {
  const [port, dbPath] = [await findFreePort(), await tempFolder()];
  const start = async () => ended(await startDynamodbLocal({ port, dbPath }));
  const dynamodb = ['--dynamodb', `http://localhost:${port}`];
  const starting = startService({ STAGE: `${STAGE}-a` }, [
    '--aws',
    emulatorAddress('LOCALSTACK_URL'),
    ...dynamodb,
  ]);
  await untilAsked(port);
  const first = await start();
  const service = await starting;
  // LocalStack may still be loading its own services.
  expect(service.output()).toMatch(
    `Waiting up to 60 s for AWS services: DynamoDB at http://127.0.0.1:${port}`,
  );
  expect(service.output()).toContain('All AWS services respond.');
  const workspaceId = await indexApes(service);
  await first.stop();
  await start();
  expect(await findApes(service, workspaceId)).toBe('apes.md');
});

it('host on AWS adapters keeps everything in MiniStack alone through its restart', async () => {
  const [port, data] = [await findFreePort(), await tempFolder()];
  const start = async () => ended(await startPersistentMinistack(port, data));
  const server = await start();
  const service = await startService({ STAGE: `${STAGE}-b` }, ['--aws', server.url]);
  const workspaceId = await indexApes(service);
  const { s3, secrets, Bucket } = connect(server.url);
  await s3.send(new PutObjectCommand({ Bucket, Key: 'kept', Body: 'an object' }));
  await secrets.send(new CreateSecretCommand({ Name: 'kept', SecretString: 'a secret' }));
  await server.stop();
  await start();
  expect(await findApes(service, workspaceId)).toBe('apes.md');
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'kept' }));
  expect(await Body?.transformToString()).toBe('an object');
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: 'kept' }));
  expect(SecretString).toBe('a secret');
});

it('host on AWS adapters immediately reports that DynamoDB is disabled in LocalStack, or that S3 rejects a region', async () => {
  const localstack = emulatorAddress('LOCALSTACK_URL');
  await expect(startService({ STAGE: `${STAGE}-c` }, ['--aws', localstack])).rejects.toThrow(
    `DynamoDB at ${localstack}: disabled there (Service 'dynamodb' is not enabled.`,
  );
  const dynamodb = ['--dynamodb', emulatorAddress('DYNAMODB_URL')];
  await expect(
    startService({ STAGE: `${STAGE}-c`, AWS_REGION: 'nonsense' }, ['--aws', localstack, ...dynamodb]),
  ).rejects.toThrow(`can't be created at ${localstack}: The specified location-constraint is not valid`);
});

function connect(endpoint: string) {
  const settings = { ...emulatorSettings('MINISTACK_URL'), endpoint, region: 'us-east-1' };
  const s3 = closing(new S3Client(settings));
  return {
    s3,
    secrets: closing(new SecretsManagerClient(settings)),
    Bucket: `workspace-research-${STAGE}-b`,
  };
}

/** Stops the server after the test file at the latest. */
function ended(server: Server): Server {
  whenDone(server.stop);
  return server;
}

/** Resolves at the first connection to the port, which is then free again. */
async function untilAsked(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.destroy();
  server.close();
  await once(server, 'close');
}

async function indexApes(service: Service): Promise<string> {
  const workspaceId = await createWorkspace(service, 'notes');
  await writeFile(join(service.root, 'notes/apes.md'), '# Apes\n\nApes eat bananas every day.\n');
  expect(await syncWorkspace(service, workspaceId)).toMatchObject({ status: 'ready', newCount: 1 });
  expect(await findApes(service, workspaceId)).toBe('apes.md');
  return workspaceId;
}

async function findApes(service: Service, workspaceId: string): Promise<string | undefined> {
  const { body } = await service.call<{ path: string }[]>(
    'GET',
    `/api/workspaces/${workspaceId}/search?q=bananas`,
  );
  return body[0]?.path;
}
