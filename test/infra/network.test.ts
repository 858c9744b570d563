import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { readServiceFile } from '../../infra/local/service-file.ts';
import { BROUGHT } from '../../lib/adapters/lambda/brought-limits.ts';

const FILE = resolve(import.meta.dirname, '../../serverless.yml');

function networkOf(stage: string): Record<string, string> {
  const { resources } = readServiceFile(FILE, stage);
  const types = Object.entries(resources).map(([id, { Type }]) => [id, Type]);
  return Object.fromEntries(types.filter(([, type]) => /^AWS::(EC2::|EFS::MountTarget)/.test(type ?? '')));
}

describe('NETWORK: given, as in infra/stages/prod.example.yml', () => {
  it('makes no network, but what the functions and the file system need in it, and that of the commands', () => {
    const own = networkOf('dev');
    const given = networkOf('prod.example');
    const rest = Object.fromEntries(Object.entries(given).filter(([id]) => !id.startsWith('Commands')));
    expect(new Set(Object.values(rest))).toEqual(
      new Set(['AWS::EC2::SecurityGroup', 'AWS::EFS::MountTarget']),
    );
    expect(own).toMatchObject(given);
  });

  it('puts it into the given subnets', () => {
    const { resources } = readServiceFile(FILE, 'prod.example');
    const subnets = ['MountTargetA', 'MountTargetB'].map((id) => resources[id]?.Properties.SubnetId);
    expect(subnets).toEqual(['subnet-0123456789abcdef0', 'subnet-0fedcba9876543210']);
  });

  it('counts whatever the shell has set', () => {
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

describe('the function that runs commands', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the file as it is written
  const file = yaml.load(readFileSync(FILE, 'utf8')) as any;
  const { resources } = readServiceFile(FILE);
  const properties = (id: string) => resources[id]?.Properties;
  const ofCommands = Object.keys(resources).filter((id) => id.startsWith('Commands'));

  it('is in a network of its own, in which nothing else is and which leads nowhere', () => {
    const { none } = file.custom.commandVpcs;
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

  it('reaches the objects of commands in the one bucket, and no other', () => {
    expect(properties('CommandsS3Endpoint').PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: '*',
        Action: ['s3:GetObject', 's3:PutObject'],
        Resource: { 'Fn::Sub': '$' + '{Bucket.Arn}/commands/*' },
      },
    ]);
  });

  it('has no mount, no variable of the service and no credentials', () => {
    const { commands } = file.functions;
    expect(commands.fileSystemConfig).toBeUndefined();
    expect(Object.keys(commands.environment)).toEqual([
      'AWS_LAMBDA_EXEC_WRAPPER',
      'ALLOW_UNSANDBOXED_COMMANDS',
    ]);
    expect(commands.environment.AWS_LAMBDA_EXEC_WRAPPER).toBe(`/var/task/${commands.package.patterns[0]}`);
    expect(statSync(join(FILE, '..', commands.package.patterns[0])).mode & 0o111).toBe(0o111);
  });

  it('has an environment for each workspace, unless the stage says by name that commands may run without', () => {
    expect(properties('CommandsLambdaFunction').TenancyConfig).toEqual({ TenantIsolationMode: 'PER_TENANT' });
    const { false: isolated, true: shared } = file.custom.commandTenancy;
    expect(shared.config).toEqual({ Ref: 'AWS::NoValue' });
    // What cannot be changed is replaced, and a function that is replaced needs another name.
    expect(isolated.function).not.toBe(shared.function);
    for (const way of ['terminal', 'agent'])
      expect(file.custom[way].ALLOW_UNSANDBOXED_COMMANDS).toBe(
        file.functions.commands.environment.ALLOW_UNSANDBOXED_COMMANDS,
      );
  });

  it('has room for what may be brought, and as much again', () => {
    expect(file.functions.commands.ephemeralStorageSize * 1024 ** 2).toBeGreaterThanOrEqual(
      2 * BROUGHT.bytes + 2 * BROUGHT.changedBytes,
    );
  });
});
