import { globSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../infra/local/service-file.ts';
import { readStage } from '../../infra/stack/stage.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/0123-abcd';

/** The resources of a stage with these lines in its file. */
async function resourcesWith(options: Record<string, string>) {
  const folder = await tempFolder();
  await mkdir(join(folder, 'infra/stages'), { recursive: true });
  for (const file of ['serverless.yml', ...globSync('infra/*.yml', { cwd: root })])
    await cp(join(root, file), join(folder, file));
  const all = { AWS_REGION: 'eu-west-1', NETWORK: 'own', ...options };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  await writeFile(join(folder, 'infra/stages/one.yml'), lines.join('\n'));
  readStage(folder, 'one');
  return readServiceFile(join(folder, 'serverless.yml'), 'one').resources;
}

const cidrs = (resources: Awaited<ReturnType<typeof resourcesWith>>, prefix: string) =>
  Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
    /^AWS::EC2::(VPC|Subnet)$/.test(Type) && id.startsWith('Commands') === (prefix === 'Commands')
      ? [Properties.CidrBlock]
      : [],
  );

describe('stage options', () => {
  it('keep the networks by default, because other numbers would replace them', async () => {
    const resources = await resourcesWith({});
    expect(cidrs(resources, '')).toEqual(['10.20.0.0/16', '10.20.0.0/24', '10.20.1.0/24', '10.20.2.0/24']);
    expect(cidrs(resources, 'Commands')).toEqual(['10.21.0.0/16', '10.21.1.0/24', '10.21.2.0/24']);
  });

  it('change the address ranges of the networks', async () => {
    const resources = await resourcesWith({ NETWORK_PREFIX: '172.16', COMMANDS_NETWORK_PREFIX: '10.99' });
    expect(cidrs(resources, '')[1]).toBe('172.16.0.0/24');
    expect(cidrs(resources, 'Commands')[2]).toBe('10.99.2.0/24');
  });

  it('choose the zones of both networks', async () => {
    const resources = await resourcesWith({ ZONE_A: 'eu-west-1b', ZONE_B: 'eu-west-1c' });
    const zoneOf = (id: string) => resources[id]?.Properties.AvailabilityZone['Fn::If'];
    for (const id of ['PublicSubnet', 'PrivateSubnetA', 'CommandsSubnetA'])
      expect(zoneOf(id)).toEqual([
        'ChoosesZones',
        { Ref: 'ZoneA' },
        { 'Fn::Select': [0, expect.anything()] },
      ]);
    for (const id of ['PrivateSubnetB', 'CommandsSubnetB'])
      expect(zoneOf(id)).toEqual([
        'ChoosesZones',
        { Ref: 'ZoneB' },
        { 'Fn::Select': [1, expect.anything()] },
      ]);
  });

  it.each([
    ['daily', 'ENABLED'],
    ['none', 'DISABLED'],
  ])('enable or disable the daily backup of the file system: %s', async (FILES_BACKUP, Status) => {
    const { FileSystem } = await resourcesWith({ FILES_BACKUP });
    expect(FileSystem?.Properties.BackupPolicy).toEqual({ Status });
  });

  it('name the vault of BUCKET_BACKUP after the stage, and keep it only once the stack exists', async () => {
    const { BucketBackupVault } = await resourcesWith({ BUCKET_BACKUP: 'daily' });
    expect(BucketBackupVault).toMatchObject({
      Condition: 'BacksUpBucket',
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { BackupVaultName: { 'Fn::Join': ['-', ['wrs-one', expect.anything()]] } },
    });
  });

  it('keep EventBridge enabled in the bucket as AWS Backup sets it, with and without uploads', async () => {
    const { Bucket } = await resourcesWith({ BUCKET_BACKUP: 'daily' });
    const [condition, withUploads, without] = Bucket?.Properties.NotificationConfiguration['Fn::If'] ?? [];
    const on = { EventBridgeEnabled: true };
    const none = { Ref: 'AWS::NoValue' };
    expect(condition).toBe('TellsOfUploads');
    expect(withUploads.EventBridgeConfiguration).toEqual({ 'Fn::If': ['BacksUpBucket', on, none] });
    expect(without).toEqual({ 'Fn::If': ['BacksUpBucket', { EventBridgeConfiguration: on }, none] });
  });

  it("encrypt table, bucket, file system, and every queue with the administrator's key", async () => {
    const resources = await resourcesWith({ KMS_KEY_ARN: KEY });
    const ref = { Ref: 'KmsKeyArn' };
    const none = { Ref: 'AWS::NoValue' };
    expect(resources.Table?.Properties.SSESpecification['Fn::If']).toEqual([
      'HasKey',
      { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: ref },
      none,
    ]);
    const encryption = resources.Bucket?.Properties.BucketEncryption;
    expect(encryption?.ServerSideEncryptionConfiguration[0]['Fn::If']).toMatchObject([
      'HasKey',
      { ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: ref } },
      { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
    ]);
    const own = ['FileSystemHasKey', { Ref: 'FileSystemKeyArn' }, none];
    expect(resources.FileSystem?.Properties.KmsKeyId['Fn::If']).toEqual(own);
    const queues = Object.values(resources).filter(({ Type }) => Type === 'AWS::SQS::Queue');
    expect(queues.length).toBeGreaterThan(10);
    for (const { Properties } of queues)
      expect(Properties.KmsMasterKeyId['Fn::If']).toEqual(['HasKey', ref, none]);
  });
});
