import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { readServiceFile } from '../../infra/local/service-file.ts';
import { BROUGHT } from '../../lib/adapters/lambda/brought-limits.ts';
import { s3Objects } from '../../lib/adapters/s3/objects.ts';
import { signGet } from '../../lib/adapters/s3/sign-get.ts';

const FILE = resolve(import.meta.dirname, '../../serverless.yml');

function networkOf(stage: string): Record<string, string> {
  const { resources } = readServiceFile(FILE, stage);
  const types = Object.entries(resources).map(([id, { Type }]) => [id, Type]);
  return Object.fromEntries(types.filter(([, type]) => /^AWS::(EC2::|EFS::MountTarget)/.test(type ?? '')));
}

describe('stage with a given NETWORK, as in infra/stages/prod.example.yml', () => {
  it('creates only the resources that functions and the file system need there, and the command network', () => {
    const own = networkOf('dev');
    const given = networkOf('prod.example');
    const rest = Object.fromEntries(Object.entries(given).filter(([id]) => !id.startsWith('Commands')));
    expect(new Set(Object.values(rest))).toEqual(
      new Set(['AWS::EC2::SecurityGroup', 'AWS::EFS::MountTarget']),
    );
    expect(own).toMatchObject(given);
  });

  it('puts functions and the file system into the given subnets', () => {
    const { resources } = readServiceFile(FILE, 'prod.example');
    const subnets = ['MountTargetA', 'MountTargetB'].map((id) => resources[id]?.Properties.SubnetId);
    expect(subnets).toEqual(['subnet-0123456789abcdef0', 'subnet-0fedcba9876543210']);
  });

  it('has the same effect with any variables of the shell', () => {
    const before = networkOf('prod.example');
    process.env.NETWORK = 'own';
    process.env.VPC_SUBNET_A = 'subnet-of-the-shell';
    try {
      expect(networkOf('prod.example')).toEqual(before);
      expect(JSON.stringify(readServiceFile(FILE, 'prod.example').resources)).not.toContain('of-the-shell');
    } finally {
      delete process.env.NETWORK;
      delete process.env.VPC_SUBNET_A;
    }
  });
});

describe('is the only function in its network, which has no route to other networks', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the raw file
  const file = yaml.load(readFileSync(FILE, 'utf8')) as any;
  const { resources } = readServiceFile(FILE);
  const properties = (id: string) => resources[id]?.Properties;
  const ofCommands = Object.keys(resources).filter((id) => id.startsWith('Commands'));

  it('is alone in its own network, which has no route to other networks', () => {
    const none = file.functions.commands.vpc;
    expect(none.subnetIds).toEqual([{ Ref: 'CommandsSubnetA' }, { Ref: 'CommandsSubnetB' }]);
    expect(none.securityGroupIds).toEqual([{ 'Fn::GetAtt': ['CommandsSecurityGroup', 'GroupId'] }]);
    const inside = Object.entries(resources).filter(
      ([, { Properties }]) => Properties?.VpcId?.Ref === 'CommandsVpc',
    );
    expect(inside.every(([id]) => id.startsWith('Commands'))).toBe(true);
    const types = ofCommands.map((id) => resources[id]?.Type);
    for (const way of ['AWS::EC2::Route', 'AWS::EC2::NatGateway', 'AWS::EC2::VPCGatewayAttachment'])
      expect(types).not.toContain(way);
    expect(properties('CommandsSecurityGroup').SecurityGroupIngress).toBeUndefined();
  });

  it('can access the command objects only in one bucket', () => {
    expect(properties('CommandsS3Endpoint').PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: '*',
        Action: ['s3:GetObject', 's3:PutObject'],
        Resource: { 'Fn::Sub': '$' + '{Bucket.Arn}/commands/*' },
      },
    ]);
  });

  it('can resolve only the name of the bucket', () => {
    const [allow, block, ...more] = properties('CommandsDnsRules').FirewallRules;
    expect(more).toEqual([]);
    expect(allow).toMatchObject({ Action: 'ALLOW', FirewallDomainListId: { Ref: 'CommandsAllowedDomains' } });
    // Otherwise, the aliases of the bucket's name would have to be on the list.
    expect(allow.FirewallDomainRedirectionAction).toBe('TRUST_REDIRECTION_DOMAIN');
    expect(block).toMatchObject({ Action: 'BLOCK', FirewallDomainListId: { Ref: 'CommandsOtherDomains' } });
    expect(allow.Priority).toBeLessThan(block.Priority);
    expect(properties('CommandsOtherDomains').Domains).toEqual(['*']);
    expect(properties('CommandsDnsFirewall')).toMatchObject({
      FirewallRuleGroupId: { Ref: 'CommandsDnsRules' },
      VpcId: { Ref: 'CommandsVpc' },
    });
  });

  it('accesses presigned URLs by the name of the bucket', async () => {
    const [{ 'Fn::Sub': domain }] = properties('CommandsAllowedDomains').Domains;
    const values: Record<string, string> = {
      Bucket: 'data-bucket',
      'AWS::Region': 'eu-central-1',
      'AWS::URLSuffix': 'amazonaws.com',
    };
    const name = domain.replace(/\$\{([\w:]+)\}/g, (_: string, reference: string) => values[reference]);
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const client = new S3Client({ region: 'eu-central-1', credentials });
    const objects = s3Objects(client, 'data-bucket');
    const put = await objects.presignPut('commands/a', { expiresInSeconds: 60, size: 1 });
    const get = await signGet(client, 'data-bucket')('commands/a', 60);
    expect([put.url, get].map((url) => new URL(url).hostname)).toEqual([name, name]);
    client.destroy();
  });

  it('has no mount, no variable of the service, and no credentials', () => {
    const { commands } = file.functions;
    expect(commands.fileSystemConfig).toBeUndefined();
    expect(Object.keys(commands.environment)).toEqual(['AWS_LAMBDA_EXEC_WRAPPER']);
    expect(commands.environment.AWS_LAMBDA_EXEC_WRAPPER).toBe(`/var/task/${commands.package.patterns[0]}`);
    expect(statSync(join(FILE, '..', commands.package.patterns[0])).mode & 0o111).toBe(0o111);
  });

  it('has an environment for each workspace', () => {
    expect(properties('CommandsLambdaFunction').TenancyConfig).toEqual({ TenantIsolationMode: 'PER_TENANT' });
  });

  it('has space for twice the largest transfer', () => {
    expect(file.functions.commands.ephemeralStorageSize * 1024 ** 2).toBeGreaterThanOrEqual(
      2 * BROUGHT.bytes + 2 * BROUGHT.changedBytes,
    );
  });
});
