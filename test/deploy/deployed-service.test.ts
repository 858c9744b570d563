import { resolve } from 'node:path';
import { SendMessageCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import { s3Objects } from '../../lib/adapters/s3/objects.ts';
import { sqsQueue } from '../../lib/adapters/sqs/queue.ts';
import { type Sync, syncs } from '../../lib/indexing/schema.ts';
import type { Records } from '../../lib/ports/records.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { connectDynamodb } from '../aws/table.ts';
import { closing, emulatorS3Client, emulatorSettings } from '../support/emulator.ts';
import { type FakeOpenai, startFakeOpenai } from '../support/fake-openai.ts';
import { runProgram } from '../support/run-program.ts';
import type { Service } from '../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../support/sync.ts';
import { apiClient } from './api-client.ts';
import { deployStack, type Stack } from './stack.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The first tick comes 60 to 70 s after the deployment. */
const TICK_WITHIN_MS = 90_000;
/** What a busy machine needs: the first call of a function unpacks it. */
jest.setTimeout(60_000);

let provider: FakeOpenai;
let stack: Stack;
let admin: Pick<Service, 'call'>;
let records: Records;

beforeAll(async () => {
  provider = await startFakeOpenai();
  stack = await deployStack({ PROVIDER_A_BASE_URL: provider.url, EMBEDDING_BASE_URL: provider.url });
  tellWhatIsLeftOut(stack);
  records = dynamodbRecords(connectDynamodb('MINISTACK_URL'), stack.physicalId('Table'));
  await syncs.create(records, silentSync());
  admin = apiClient(stack.url, await createFirstToken());
});
afterAll(() => provider.stop());

/** MiniStack words its own refusals itself; template.test.ts and the local host's tests hold ours to their shape. */
describe('the deployed API', () => {
  it('answers health, the page of the docs and its OpenAPI document to anyone', async () => {
    const anyone = apiClient(stack.url);
    const { version } = packageFile;
    expect(await anyone.call('GET', '/api/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', version },
    });
    expect(await anyone.call('GET', '/api/docs')).toMatchObject({ status: 200 });
    const { body } = await anyone.call('GET', '/api/openapi.json');
    expect(body).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), info: { version } });
  });

  it.each([
    ['no token', undefined],
    ['a wrong token', 'wrs_wrong'],
  ])('answers 401 for %s: the authorizer decides', async (_, token) => {
    expect(await apiClient(stack.url, token).call('GET', '/api/workspaces')).toMatchObject({ status: 401 });
  });

  it('gives a viewer what a viewer may do, and nothing after the token is revoked', async () => {
    const input = { name: 'reader', role: 'viewer' };
    const { body: token } = await admin.call<{ id: string; secret: string }>('POST', '/api/tokens', input);
    const viewer = apiClient(stack.url, token.secret);
    expect(await viewer.call('GET', '/api/workspaces')).toMatchObject({ status: 200 });
    expect(await viewer.call('POST', '/api/workspaces', { path: 'no' })).toMatchObject({ status: 403 });
    expect(await admin.call('DELETE', `/api/tokens/${token.id}`)).toMatchObject({ status: 200 });
    expect(await viewer.call('GET', '/api/workspaces')).toMatchObject({ status: 401 });
  });
});

describe('a workspace in the deployed service', () => {
  let workspaceId: string;
  beforeAll(async () => {
    workspaceId = await createWorkspace(admin, 'notes');
  });

  it('takes files, which a sync through the queues and both workers makes searchable', async () => {
    const files = { 'apes.md': '# Apes\n\nApes eat bananas every day.\n', 'owls.md': 'Owls hunt voles.\n' };
    for (const [path, content] of Object.entries(files)) {
      const written = await admin.call('POST', '/api/files/write', { workspaceId, path, content });
      expect(written).toMatchObject({ status: 200 });
    }
    expect(await syncWorkspace(admin, workspaceId)).toMatchObject({ status: 'ready', total: 2 });
    const { body } = await admin.call('GET', `/api/workspaces/${workspaceId}/search?q=voles`);
    expect(body).toContainEqual(expect.objectContaining({ path: 'owls.md', text: 'Owls hunt voles.' }));
  });

  it('answers a question with a checked citation', async () => {
    const messages = [{ role: 'user', content: 'What do apes eat?' }];
    const { body } = await admin.call<string>('POST', '/api/chat', { workspaceId, messages });
    expect(body).toContain('"quote":"Apes eat bananas every day."');
    expect(body).toContain('"verified":true');
  });

  it('takes a large upload through the bucket, its notification and the upload worker', async () => {
    const bytes = Buffer.alloc(6_000_000, 'large file ');
    const target = { workspaceId, path: 'large.txt', size: bytes.length };
    const { body: started } = await admin.call<{ uploadId: string; url: string }>(
      'POST',
      '/api/files/uploads',
      target,
    );
    expect(await fetch(started.url, { method: 'PUT', body: bytes })).toMatchObject({ status: 200 });
    const status = () => admin.call<{ status: string }>('GET', `/api/files/uploads/${started.uploadId}`);
    await eventually(status, ({ body }) => body.status === 'done');
    const browsed = await admin.call('GET', `/api/files/browse?workspaceId=${workspaceId}&path=`);
    expect(browsed.body).toContainEqual(expect.objectContaining({ path: 'large.txt', size: bytes.length }));
  });
});

describe('a message that no worker can handle', () => {
  it('ends in the dead letters of its queue after five receives', async () => {
    const sqs = closing(new SQSClient(emulatorSettings('MINISTACK_URL')));
    const objects = s3Objects(emulatorS3Client('MINISTACK_URL'), stack.physicalId('Bucket'));
    const QueueUrl = stack.physicalId('UploadQueue');
    // The template's is hours: six times the worker's time limit.
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '1' } }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'not JSON' }));
    const deadLetters = sqsQueue(sqs, stack.physicalId('UploadDeadLetters'), objects);
    await eventually(
      () => deadLetters.depth(),
      ({ waiting }) => waiting === 1,
      30_000,
    );
  });
});

describe('the schedule', () => {
  it(
    'ticks within a minute: a sync without a sign of life is marked as failed',
    async () => {
      const sync = () => syncs.get(records, { workspaceId: 'silent' });
      await eventually(sync, (found) => found?.status === 'failed', TICK_WITHIN_MS);
    },
    TICK_WITHIN_MS + 5000,
  );
});

function tellWhatIsLeftOut({ leftOut }: Stack): void {
  const byType = Object.entries(Object.groupBy(Object.keys(leftOut), (id) => leftOut[id] ?? ''));
  const lines = byType.map(([type, ids = []]) => `  ${type}: ${ids.join(', ')}`);
  process.stderr.write(`left out, for MiniStack's CloudFormation does not know them:\n${lines.join('\n')}\n`);
}

/** As an operator makes it, with the names of what was deployed (infra/deployment.md). */
async function createFirstToken(): Promise<string> {
  const { endpoint, region, credentials } = emulatorSettings('MINISTACK_URL');
  const env = {
    PATH: process.env.PATH,
    TABLE_NAME: stack.physicalId('Table'),
    BUCKET_NAME: stack.physicalId('Bucket'),
    SECRETS_PREFIX: 'workspace-research/lane/',
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  const args = ['infra/token.ts', 'create', '--name', 'first', '--role', 'admin'];
  const { code, stdout, stderr } = await runProgram(process.execPath, args, { env, cwd: ROOT });
  if (code !== 0) throw new Error(`npm run token failed:\n${stderr}`);
  return stdout.trim();
}

/** Of a worker that died two hours ago. */
function silentSync(): Sync {
  const then = new Date(Date.now() - 2 * 60 * 60 * 1000).toISOString();
  return {
    workspaceId: 'silent',
    syncId: 'silent',
    status: 'indexing',
    space: 'none',
    planId: null,
    batches: 0,
    doneBatches: [],
    splitBatches: [],
    total: 0,
    newCount: 0,
    updatedCount: 0,
    unchangedCount: 0,
    removedCount: 0,
    failedCount: 0,
    textsEmbedded: 0,
    textsUnderWay: [],
    skippedCount: 0,
    lackingCount: 0,
    errors: [],
    startedAt: then,
    finishedAt: null,
    heartbeatAt: then,
  };
}
