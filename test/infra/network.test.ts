import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../infra/local/service-file.ts';

const FILE = resolve(import.meta.dirname, '../../serverless.yml');

function networkOf(stage: string): Record<string, string> {
  const { resources } = readServiceFile(FILE, stage);
  const types = Object.entries(resources).map(([id, { Type }]) => [id, Type]);
  return Object.fromEntries(types.filter(([, type]) => /^AWS::(EC2::|EFS::MountTarget)/.test(type ?? '')));
}

describe('NETWORK: given, as in infra/stages/prod.example.yml', () => {
  it('makes no network, but what the functions and the file system need in it', () => {
    const own = networkOf('dev');
    const given = networkOf('prod.example');
    const types = new Set(Object.values(given));
    expect(types).toEqual(
      new Set(['AWS::EC2::SecurityGroup', 'AWS::EC2::SecurityGroupIngress', 'AWS::EFS::MountTarget']),
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
