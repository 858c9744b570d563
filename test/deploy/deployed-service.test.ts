import { SendMessageCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { deleteStack, findStack } from '../../infra/stack/cloudformation.ts';
import { removeService } from '../../infra/stack/deploy.ts';
import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import { s3Objects } from '../../lib/adapters/s3/objects.ts';
import { sqsQueue } from '../../lib/adapters/sqs/queue.ts';
import { type Sync, syncs } from '../../lib/indexing/schema.ts';
import { newSync } from '../../lib/indexing/sync.ts';
import { timestamp } from '../../lib/ports/clock.ts';
import type { Records } from '../../lib/ports/records.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { connectDynamodb } from '../aws/table.ts';
import { readStack } from '../lanes/packaged-service.ts';
import { closing, emulatorS3Client, emulatorSettings, queueArn } from '../support/emulator.ts';
import { startCloudfront } from '../support/fakes/fake-cloudfront.ts';
import { type FakeOpenai, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import type { Service } from '../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { apiClient } from './api-client.ts';
import { leftOut, type Place } from './deployable-template.ts';
import { createFirstToken } from './first-token.ts';
import { type Deployed, deployPackage, STAGE, target, told } from './stack.ts';

/** The first tick comes 60 to 70 s after the deployment. */
const TICK_WITHIN_MS = 90_000;
/** Enough for a busy host, because the first call of a function unpacks it. */
jest.setTimeout(60_000);

let provider: FakeOpenai;
let stack: Deployed;
let place: Place;
let admin: Pick<Service, 'call'>;
let records: Records;
let token: string;

beforeAll(async () => {
  provider = await startFakeOpenai();
  const settings = { PROVIDER_A_BASE_URL: provider.url, EMBEDDING_BASE_URL: provider.url };
  place = { mount: await tempFolder(), settings };
  stack = await deployPackage(place);
  tellWhatIsLeftOut();
  records = dynamodbRecords(connectDynamodb('MINISTACK_URL'), stack.physicalId('Table'));
  await syncs.create(records, silentSync());
  token = await createFirstToken(stack);
  admin = apiClient(stack.url, token);
});
afterAll(async () => {
  await removeService(target, { withData: true });
  await provider.stop();
});

describe('the deployed API', () => {
  it('returns health, the docs page, and the OpenAPI document to anyone', async () => {
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
  ])('returns 401 from the authorizer for %s', async (_, token) => {
    expect(await apiClient(stack.url, token).call('GET', '/api/workspaces')).toMatchObject({ status: 401 });
  });

  it('uses the error format of the service for requests that reach no function', async () => {
    const anyone = apiClient(stack.url);
    const shape = (code: string) => ({ 'x-error-code': code, 'x-request-id': expect.any(String) });
    expect(await anyone.call('GET', '/api/none')).toMatchObject({
      status: 404,
      body: { error: 'This route does not exist.' },
      headers: shape('route_not_found'),
    });
    const api = stack.physicalId('ApiGatewayRestApi');
    expect(await apiClient(stack.url, 'wrs_wrong').call('GET', '/api/workspaces')).toMatchObject({
      status: 401,
      headers: {
        ...shape('invalid_credential'),
        'www-authenticate': expect.stringContaining(`"https://${api}.execute-api.eu-west-1.`),
      },
    });
  });

  it('answers a preflight request of any page without a token', async () => {
    expect(await apiClient(stack.url).call('OPTIONS', '/api/workspaces')).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': expect.stringContaining('idempotency-key'),
        'access-control-allow-methods': expect.stringContaining('DELETE'),
      },
    });
  });

  it('gives a viewer only viewer permissions, and no permissions after the token is revoked', async () => {
    const input = { name: 'reader', role: 'viewer' };
    const { body: token } = await admin.call<{ id: string; secret: string }>('POST', '/api/tokens', input);
    const viewer = apiClient(stack.url, token.secret);
    expect(await viewer.call('GET', '/api/workspaces')).toMatchObject({ status: 200 });
    expect(await viewer.call('POST', '/api/workspaces', { path: 'no' })).toMatchObject({ status: 403 });
    expect(await admin.call('DELETE', `/api/tokens/${token.id}`)).toMatchObject({ status: 200 });
    expect(await viewer.call('GET', '/api/workspaces')).toMatchObject({ status: 401 });
  });
});

describe('workspace in the deployed service', () => {
  let workspaceId: string;
  beforeAll(async () => {
    workspaceId = await createWorkspace(admin, 'notes');
  });

  it('accepts files, and a sync through the queues and both workers makes them searchable', async () => {
    const files = { 'apes.md': '# Apes\n\nApes eat bananas every day.\n', 'owls.md': 'Owls hunt voles.\n' };
    for (const [path, content] of Object.entries(files)) {
      const written = await admin.call('POST', '/api/files/write', { workspaceId, path, content });
      expect(written).toMatchObject({ status: 200 });
    }
    expect(await syncWorkspace(admin, workspaceId)).toMatchObject({ status: 'ready', total: 2 });
    const { body } = await admin.call('GET', `/api/workspaces/${workspaceId}/search?q=voles`);
    expect(body).toContainEqual(expect.objectContaining({ path: 'owls.md', text: 'Owls hunt voles.' }));
  });

  it('returns an answer with a checked citation', async () => {
    const messages = [{ role: 'user', content: 'What do apes eat?' }];
    const { body } = await admin.call<string>('POST', '/api/chat', { workspaceId, messages });
    expect(body).toContain('"quote":"Apes eat bananas every day."');
    expect(body).toContain('"verified":true');
  });

  it('accepts a large upload through the bucket, its notification, and the upload worker', async () => {
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

/**
 * There is no emulator of CloudFront, so test/support/fakes/fake-cloudfront.ts does what the template
 * specifies.
 */
describe('deployed console', () => {
  let url: string;
  beforeAll(async () => {
    const { endpoint } = emulatorSettings('MINISTACK_URL');
    url = await startCloudfront(readStack('console').Resources, {
      page: (path) => `${endpoint}/${stack.physicalId('ConsoleBucket')}${path}`,
      api: (path) => stack.url + path.replace(`/${STAGE}`, ''),
    });
  });

  it('is one page at every URL, with only the files that it references', async () => {
    const page = await fetch(`${url}/w/1/files/a.md`);
    const text = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const [, script = ''] = /src="([^"]+\.js)"/.exec(text) ?? [];
    const file = await fetch(new URL(script, `${url}/`));
    expect([file.status, file.headers.get('cache-control')]).toEqual([
      200,
      expect.stringContaining('immutable'),
    ]);
    expect((await fetch(`${url}/assets/none.js`)).status).toBe(404);
  });

  it('has the API, its errors, and its streams at the same origin', async () => {
    expect(await apiClient(url).call('GET', '/api/health')).toMatchObject({ status: 200 });
    expect(await apiClient(url).call('GET', '/api/workspaces')).toMatchObject({ status: 401 });
    const client = apiClient(url, token);
    const workspaceId = await createWorkspace(client, 'by-console');
    const body = { workspaceId, messages: [{ role: 'user', content: 'Is anything there?' }] };
    const { status, body: events } = await client.call<string>('POST', '/api/chat', body);
    expect([status, events]).toEqual([200, expect.stringMatching(/^id: 1\ndata: .*data: \[DONE\]\n\n$/s)]);
  });
});

describe('message that no worker can handle', () => {
  it("is retried after the worker's backoff, not after hours, and moves to the dead-letter queue", async () => {
    const sqs = closing(new SQSClient(emulatorSettings('MINISTACK_URL')));
    const objects = s3Objects(emulatorS3Client('MINISTACK_URL'), stack.physicalId('Bucket'));
    const QueueUrl = stack.physicalId('UploadQueue');
    // Two of eight receives are enough, with delays of 2 and 10 s. The visibility timeout is still an hour
    // and a half.
    const deadLetterTargetArn = await queueArn(sqs, stack.physicalId('UploadDeadLetters'));
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 });
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'not JSON' }));
    const deadLetters = sqsQueue(sqs, stack.physicalId('UploadDeadLetters'), objects);
    await eventually(
      () => deadLetters.depth(),
      ({ waiting }) => waiting === 1,
      60_000,
    );
  });
});

describe('schedule', () => {
  it(
    'ticks within a minute, and marks a sync without a heartbeat as failed',
    async () => {
      const sync = () => syncs.get(records, { workspaceId: 'silent' });
      await eventually(sync, (found) => found?.status === 'failed', TICK_WITHIN_MS);
    },
    TICK_WITHIN_MS + 5000,
  );
});

function tellWhatIsLeftOut(): void {
  const types = leftOut();
  const byType = Object.entries(Object.groupBy(Object.keys(types), (id) => types[id] ?? ''));
  const lines = byType.map(([type, ids = []]) => `  ${type}: ${ids.join(', ')}`);
  process.stderr.write(`left out, for MiniStack's CloudFormation does not know them:\n${lines.join('\n')}\n`);
}

describe('deployment', () => {
  it('uploads and changes nothing if nothing changed', async () => {
    told();
    await deployPackage(place);
    expect(told()).toEqual([
      `${target.name}-data is unchanged`,
      '0 of 36 zips uploaded, 0.0 MB',
      `${target.name} is unchanged`,
      `${target.name}-alarms is unchanged`,
      `${target.name}-console is unchanged`,
      expect.stringMatching(/^0 of \d+ console files uploaded: https:/),
      expect.stringMatching(
        /^https:\/\/\w+\.execute-api\.eu-west-1\..*\/test\/api\/health: \{"status":"ok","version"/,
      ),
    ]);
  });

  it('keeps the data when it is removed, so that a later deployment uses them again', async () => {
    const { body: before } = await admin.call('GET', '/api/workspaces');
    await removeService(target);
    expect(await findStack(target.cloudFormation, target.name)).toBeUndefined();
    await expect(deleteStack(target.cloudFormation, `${target.name}-data`, 1)).rejects.toThrow(
      'TerminationProtection',
    );
    stack = await deployPackage(place);
    admin = apiClient(stack.url, token);
    expect((await admin.call('GET', '/api/workspaces')).body).toEqual(before);
  });
});

/** A sync whose worker died two hours ago. */
function silentSync(): Sync {
  const then = Date.now() - 2 * 60 * 60 * 1000;
  const silent = newSync({ clock: { now: () => then }, space: 'none' }, 'silent');
  // Its probe arrived, and no heartbeat has come since.
  const probe = { sentAt: timestamp({ now: () => then }, 1), returnedAt: timestamp({ now: () => then }, 2) };
  return { ...silent, status: 'indexing', probe };
}
