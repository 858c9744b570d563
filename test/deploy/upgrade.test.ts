import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CreateChangeSetCommand } from '@aws-sdk/client-cloudformation';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { adoptData } from '../../infra/stack/adopt.ts';
import { changeStack, findStack, physicalIds } from '../../infra/stack/cloudformation.ts';
import { putTemplate, sendArtifacts } from '../../infra/stack/code-bucket.ts';
import { removeService, type Target } from '../../infra/stack/deploy.ts';
import type { Template } from '../../infra/stack/template.ts';
import { packagedFunctions, readArtifacts, readEarlierStack } from '../lanes/packaged-service.ts';
import { createBucket } from '../support/emulator.ts';
import type { Service } from '../support/service.ts';
import { createWorkspace } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { apiClient } from './api-client.ts';
import { deployableTemplate, type Place } from './deployable-template.ts';
import { createFirstToken } from './first-token.ts';
import { type Deployed, deployKilledEverywhere, deployPackage, findDeployed, target, told } from './stack.ts';

jest.setTimeout(60_000);

let place: Place;
let before: Deployed;
let admin: Pick<Service, 'call'>;
let workspaceId: string;

beforeAll(async () => {
  place = { mount: await tempFolder(), settings: {} };
  await deployOneStack();
  before = await findDeployed();
  admin = apiClient(before.url, await createFirstToken(before));
  workspaceId = await createWorkspace(admin, 'notes');
  await admin.call('POST', '/api/files/write', { workspaceId, path: 'a.md', content: 'Kept.\n' });
  await target.s3.send(
    new PutObjectCommand({ Bucket: before.physicalId('Bucket'), Key: 'extracts/a', Body: 'kept' }),
  );
});
afterAll(() => removeService(target));

/** Settings of the current code that 1.0 didn't have. */
const LATER_QUEUES = { QUEUE_URL_TOUCH: { Ref: 'IndexQueue' }, QUEUE_URL_MAINTAIN: { Ref: 'CommitQueue' } };

const TAKEN_AS_BYTES = { BinaryMediaTypes: ['multipart/form-data', 'application/zip'] };

/** The template that release 1.0 packaged, with the code of today: what is asked here is what becomes of its data. */
async function deployOneStack(): Promise<void> {
  const file = join(import.meta.dirname, 'release-1.0.0.json.gz');
  const template = deployableTemplate(
    JSON.parse(gunzipSync(readFileSync(file)).toString()) as Template,
    place,
  );
  const S3Bucket = await createBucket(target.s3, `release-${randomUUID()}`);
  await sendArtifacts(target.s3, S3Bucket, readArtifacts());
  for (const { logicalId, key: S3Key } of packagedFunctions()) {
    const old = template.Resources[logicalId];
    if (old === undefined) continue;
    old.Properties.Code = { S3Bucket, S3Key };
    Object.assign(old.Properties.Environment.Variables, LATER_QUEUES);
  }
  // CloudFormation changes what an API takes as bytes where it stands; MiniStack makes another API, at another address.
  Object.assign(template.Resources.ApiGatewayRestApi?.Properties, TAKEN_AS_BYTES);
  const put = (body: string) => putTemplate(target.s3, S3Bucket, body);
  await changeStack(target.cloudFormation, { name: target.name, template, put, every: 0.3 });
}

/** A program that is killed before the data has its new stack. */
function killedBeforeImport(): Target {
  const cloudFormation = Object.create(target.cloudFormation);
  cloudFormation.send = (command: { input?: { ChangeSetType?: string } }) => {
    const imports = command instanceof CreateChangeSetCommand && command.input.ChangeSetType === 'IMPORT';
    if (imports) throw new Error('killed');
    return target.cloudFormation.send(command as never);
  };
  return { ...target, cloudFormation };
}

async function expectDataServed(): Promise<void> {
  expect((await admin.call('GET', '/api/workspaces')).body).toMatchObject([{ id: workspaceId }]);
  const { body } = await admin.call('GET', `/api/files/read?workspaceId=${workspaceId}&path=a.md`);
  expect(body).toMatchObject({ content: 'Kept.\n' });
  const Bucket = before.physicalId('Bucket');
  const { Body } = await target.s3.send(new GetObjectCommand({ Bucket, Key: 'extracts/a' }));
  expect(await Body?.transformToString()).toBe('kept');
}

describe('the one stack of release 1.0', () => {
  it('is not deployed over: its data would be left behind', async () => {
    await expect(deployPackage(place)).rejects.toThrow('npm run adopt');
    await expect(removeService(target)).rejects.toThrow('npm run adopt');
    expect(await findStack(target.cloudFormation, `${target.name}-data`)).toBeUndefined();
  });

  it('lets go of its data without touching it, and continues with it, when the adoption is killed half way', async () => {
    await expect(adoptData(killedBeforeImport())).rejects.toThrow('killed');
    await expect(deployPackage(place)).rejects.toThrow('npm run adopt again');
    const held = await physicalIds(target.cloudFormation, target.name);
    expect([...held.keys()].filter((id) => ['Table', 'Bucket', 'FileSystem'].includes(id))).toEqual([]);
    await expectDataServed();
  });

  it('hands it to a stack of its own when the adoption is run again, and once more does nothing', async () => {
    await adoptData(target);
    await adoptData(target);
    const held = await physicalIds(target.cloudFormation, `${target.name}-data`);
    const ids = ['Table', 'Bucket', 'FileSystem'];
    expect(Object.fromEntries(held)).toEqual(
      Object.fromEntries(ids.map((id) => [id, before.physicalId(id)])),
    );
    await expectDataServed();
  });

  it('then becomes the functions of the three, at the same address, with the same data, however often it is killed', async () => {
    told();
    expect(await deployKilledEverywhere(place)).toBeGreaterThan(5);
    const after = await findDeployed();
    const lines = told();
    // The bucket tells its queue of uploads all the while: its stack is changed once, with that queue's name.
    expect(lines.filter((line) => line === `${target.name}-data is deployed`)).toHaveLength(1);
    // The stage is that of 1.0, and a path of its API made room for one that API Gateway doesn't allow beside it.
    expect(lines.filter((line) => line === `${target.name} now contains its API stage`)).toHaveLength(1);
    expect(
      lines.filter((line) => line === `${target.name} has room for the new paths of its API`),
    ).toHaveLength(1);
    expect(after.url).toBe(before.url);
    for (const id of ['Table', 'Bucket', 'FileSystem', 'IndexQueue']) {
      expect(after.physicalId(id)).toBe(before.physicalId(id));
    }
    await expectDataServed();
  });

  it('is deployed from another packaging after that', async () => {
    await deployPackage(place, { read: readEarlierStack });
    await expectDataServed();
  });
});

describe('a stage that was deployed to lose its data with its stack', () => {
  it('is not adopted', async () => {
    const name = 'workspace-research-short';
    const kept = { DeletionPolicy: 'Retain' };
    const Resources = {
      ServerlessDeploymentBucket: { Type: 'AWS::S3::Bucket' },
      Table: {
        Type: 'AWS::DynamoDB::Table',
        DeletionPolicy: 'Delete',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        },
      },
      Bucket: { Type: 'AWS::S3::Bucket', ...kept },
      FileSystem: { Type: 'AWS::EFS::FileSystem', ...kept },
    };
    await changeStack(target.cloudFormation, { name, template: { Resources }, every: 0.3 });
    await expect(adoptData({ ...target, name })).rejects.toThrow('would delete Table');
    expect((await physicalIds(target.cloudFormation, name)).has('Table')).toBe(true);
  });
});
