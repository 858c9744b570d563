import { createWriteStream } from 'node:fs';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { CreateBackupCommand } from '@aws-sdk/client-dynamodb';
import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { DeleteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ZipFile } from 'yazl';
import { findStack } from '../../infra/stack/cloudformation.ts';
import { deployService, removeService, stackNames } from '../../infra/stack/deploy.ts';
import type { Package } from '../../infra/stack/package.ts';
import { connectDynamodb } from '../aws/table.ts';
import { goldenDocument } from '../lib/formats/samples.ts';
import { type FakeOpenai, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { dataUrl, png } from '../support/samples/pictures.ts';
import type { Service } from '../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { apiClient } from './api-client.ts';
import { deployablePackage, type Place } from './deployable-template.ts';
import { documentedCommands, replaceIn, runAsFileUser, runCommands } from './documented-commands.ts';
import { createFirstToken } from './first-token.ts';
import { type Deployed, deployPackage, STAGE, target, told } from './stack.ts';

jest.setTimeout(90_000);

const stacks = stackNames(target.name);
const CODE = 'WorkspacesLambdaFunction';
const HEALTH = 'SystemLambdaFunction';
let provider: FakeOpenai;
/** The root of the file system. The functions use its folder `service`. */
let fileSystem: string;
let place: Place;
let stack: Deployed;
let admin: Pick<Service, 'call'>;
let workspaceId: string;

beforeAll(async () => {
  provider = await startFakeOpenai();
  fileSystem = await tempFolder();
  await mkdir(join(fileSystem, 'service'));
  const settings = { PROVIDER_A_BASE_URL: provider.url, EMBEDDING_BASE_URL: provider.url };
  place = { mount: join(fileSystem, 'service'), settings };
  stack = await deployPackage(place);
  admin = apiClient(stack.url, await createFirstToken(stack));
  workspaceId = await createWorkspace(admin, 'notes');
  const content = '# Owls\n\nOwls hunt voles at night.\n';
  await admin.call('POST', '/api/files/write', { workspaceId, path: 'owls.md', content });
  await writeFile(join(place.mount, 'workspaces/notes/apes.docx'), goldenDocument('apes.docx'));
  expect(await syncWorkspace(admin, workspaceId)).toMatchObject({ status: 'ready', total: 2 });
});
afterAll(async () => {
  await removeService(target, { withData: true });
  await provider.stop();
});

async function setAlarm(id: string, StateValue: 'ALARM'): Promise<void> {
  const state = { AlarmName: stack.physicalId(`${id}Alarm`), StateValue, StateReason: 'drill' };
  await target.cloudWatch.send(new SetAlarmStateCommand(state));
}

/** Returns the package with different code in one function. */
async function packageWith(source: string, id = CODE): Promise<Package> {
  const whole = deployablePackage(place);
  const { Properties } = whole.templates.functions.Resources[id] ?? {};
  const [file, key] = [join(await tempFolder(), 'code.zip'), `code/drill-${Date.now()}.zip`];
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(source), `${Properties.Handler.replace(/\.handler$/, '')}.mjs`);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
  Properties.Code.S3Key = key;
  return { ...whole, artifacts: [...whole.artifacts, { key, file }] };
}

const ANSWERS_NOTHING = 'export const handler = async () => ({ statusCode: 200, body: "[]" });\n';
const ANSWERS_500 = 'export const handler = async () => ({ statusCode: 500, body: "{}" });\n';
const statusOfWorkspaces = async () => (await admin.call('GET', '/api/workspaces')).status;

async function tagsOf(name: string) {
  const { Tags = [] } = (await findStack(target.cloudFormation, name)) ?? {};
  return Object.fromEntries(Tags.map(({ Key = '', Value }) => [Key, Value]));
}

describe('stack', () => {
  it.each(Object.values(stacks))('has tags for cost allocation: %s', async (name) => {
    const deployment = `workspace-research-${STAGE}`;
    expect(await tagsOf(name)).toEqual({ service: 'workspace-research', stage: STAGE, deployment });
  });
});

describe('broken deployment', () => {
  it('is rolled back by its alarm to the previous code, with the data stack unchanged', async () => {
    const before = await findStack(target.cloudFormation, stacks.data);
    const broken = { ...(await packageWith(ANSWERS_500)), rollbackMinutes: 60 };
    const deployed = deployService(target, broken).catch((error: Error) => error);
    await eventually(statusOfWorkspaces, (status) => status === 500);
    await setAlarm('ApiErrors', 'ALARM');
    expect(await deployed).toMatchObject({
      message: expect.stringMatching(/Alarms that went off: ApiErrorsAlarm\. .*--without-rollback-alarms/),
    });
    const after = await findStack(target.cloudFormation, stacks.functions);
    expect(after?.StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
    await eventually(statusOfWorkspaces, (status) => status === 200);
    const { body: workspaces } = await admin.call('GET', '/api/workspaces');
    expect(workspaces).toContainEqual(expect.objectContaining({ id: workspaceId }));
    const data = await findStack(target.cloudFormation, stacks.data);
    expect([data?.StackStatus, data?.Outputs]).toEqual([before?.StackStatus, before?.Outputs]);
  });

  it('does not block its fix, although the alarm is still in ALARM', async () => {
    told();
    await deployService(target, await packageWith(ANSWERS_NOTHING));
    expect(told()).toContain("ApiErrorsAlarm is in ALARM already, so it can't roll this deployment back");
    expect((await admin.call('GET', '/api/workspaces')).body).toEqual([]);
  });

  it('is kept if the operator wants this, although the stack watched alarms before', async () => {
    await setAlarm('SchedulerErrors', 'ALARM');
    await deployService({ ...target, withoutRollbackAlarms: true }, await packageWith(ANSWERS_500));
    expect(await statusOfWorkspaces()).toBe(500);
    await deployPackage(place);
    expect(await statusOfWorkspaces()).toBe(200);
  });

  it('fails if the health check fails, but undoes nothing', async () => {
    await expect(deployService(target, await packageWith(ANSWERS_500, HEALTH))).rejects.toThrow(
      /^The stage is deployed, but https:.*\/api\/health isn't healthy: 500 \{\}\. Nothing was undone\./,
    );
    const functions = await findStack(target.cloudFormation, stacks.functions);
    expect(functions?.StackStatus).toBe('UPDATE_COMPLETE');
    expect(await statusOfWorkspaces()).toBe(200);
    await deployPackage(place);
  });
});

describe('stage that lost its table, its files, and its bucket', () => {
  const PAGE = 'docs/operate/backup-and-restore.md';
  const dynamodb = DynamoDBDocumentClient.from(connectDynamodb('MINISTACK_URL'));
  let attachment: string;

  async function askAndCite(): Promise<void> {
    const messages = [{ role: 'user', content: 'What do owls hunt?' }];
    const { body } = await admin.call<string>('POST', '/api/chat', { workspaceId, messages });
    expect(body).toContain('"quote":"Owls hunt voles at night."');
    expect(body).toContain('"verified":true');
  }

  async function listBucket(): Promise<string[]> {
    const Bucket = stack.physicalId('Bucket');
    const { Contents = [] } = await target.s3.send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key = '' }) => Key.split('/')[0] ?? '');
  }

  async function loseEverything(): Promise<void> {
    const TableName = stack.physicalId('Table');
    for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) {
      for (const { pk, sk } of Items) await dynamodb.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
    }
    for (const name of await readdir(place.mount))
      await rm(join(place.mount, name), { recursive: true, force: true });
    const Bucket = stack.physicalId('Bucket');
    const { Contents = [] } = await target.s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key } of Contents) await target.s3.send(new DeleteObjectCommand({ Bucket, Key }));
  }

  beforeAll(async () => {
    await askAndCite();
    const file = {
      type: 'file',
      filename: 'owl.png',
      mediaType: 'image/png',
      url: dataUrl(png(), 'image/png'),
    };
    const parts = [{ type: 'text', text: 'What is in it?' }, file];
    const messages = [{ id: 'm1', role: 'user', parts }];
    await admin.call('POST', '/api/chat', { workspaceId, id: 'with-picture', messages });
    const { body } = await admin.call<{ messages: { parts: { type: string; url?: string }[] }[] }>(
      'GET',
      '/api/conversations/with-picture',
    );
    attachment = body.messages[0]?.parts.find(({ type }) => type === 'file')?.url ?? '';
    expect(await admin.call('GET', attachment)).toMatchObject({ status: 200 });
  });

  it('is restored by the documented commands, and answers with a checked citation', async () => {
    expect(await listBucket()).toContain('extracts');
    const table = stack.physicalId('Table');
    const saved = await dynamodb.send(new CreateBackupCommand({ TableName: table, BackupName: 'drill' }));
    const backup = join(fileSystem, 'aws-backup-restore_2026-11-26');
    const aside = join(await tempFolder(), 'vault');
    await cp(place.mount, join(aside, 'service'), { recursive: true });

    await loseEverything();
    expect(await admin.call('GET', '/api/workspaces')).toMatchObject({ status: 401 });

    const restoreTable = documentedCommands(PAGE, 'AWS: restore records');
    const arn = saved.BackupDetails?.BackupArn ?? '';
    const [line = ''] = /^aws dynamodb restore-table-to-point-in-time .*$/m.exec(restoreTable) ?? [];
    // MiniStack has no point-in-time recovery, so this uses the page's other way, from a backup.
    const fromBackup = `aws dynamodb restore-table-from-backup --target-table-name $table-restored --backup-arn ${arn}`;
    const records = replaceIn(replaceIn(restoreTable, '$(made Table)', table), line, fromBackup);
    expect(await runCommands(records)).not.toContain('NOT WRITTEN');

    await cp(aside, backup, { recursive: true });
    const files = replaceIn(documentedCommands(PAGE, 'AWS: restore files'), '/mnt/efs', '.');
    await mkdir(join(place.mount, 'workspaces'));
    await runAsFileUser(files, fileSystem, [place.mount, join(backup, 'service')]);
    expect((await readdir(place.mount)).sort()).toEqual(['before-restore', 'workspaces']);

    expect(await syncWorkspace(admin, workspaceId)).toMatchObject({ status: 'ready', total: 2 });
    await askAndCite();
    expect(await listBucket()).toContain('extracts');
  });

  it('has its conversations, and has their attachments once the versions are restored', async () => {
    expect(await admin.call('GET', '/api/conversations/with-picture')).toMatchObject({
      status: 200,
      body: { messages: expect.arrayContaining([expect.objectContaining({ role: 'user' })]) },
    });
    expect(await admin.call('GET', attachment)).toMatchObject({ status: 404 });
    const attachments = documentedCommands(PAGE, 'AWS: restore attachments');
    await runCommands(replaceIn(attachments, '$(made Bucket)', stack.physicalId('Bucket')));
    expect(await admin.call('GET', attachment)).toMatchObject({ status: 200 });
  });

  it('deletes old attachments by the documented commands, and keeps the others', async () => {
    const Bucket = stack.physicalId('Bucket');
    const listed = { Bucket, Prefix: 'attachments/' };
    const kept = await target.s3.send(new ListObjectsV2Command(listed));
    const gone = { Bucket, Key: 'attachments/gone.txt' };
    await target.s3.send(new PutObjectCommand({ ...gone, Body: 'gone' }));
    await target.s3.send(new DeleteObjectCommand(gone));
    const erase = documentedCommands(PAGE, 'AWS: erase deleted attachments');
    expect(await runCommands(replaceIn(erase, '$(made Bucket)', Bucket))).not.toContain('NOT ERASED');
    const { Versions = [], DeleteMarkers = [] } = await target.s3.send(new ListObjectVersionsCommand(listed));
    expect(DeleteMarkers).toEqual([]);
    expect(Versions.map(({ Key }) => Key)).toEqual(kept.Contents?.map(({ Key }) => Key));
  });
});
