import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../infra/local/service-file.ts';

const FILE = resolve(import.meta.dirname, '../../serverless.yml');
const VARIABLES = { NETWORK: 'given', VPC_ID: 'vpc-1', VPC_SUBNET_A: 'subnet-1', VPC_SUBNET_B: 'subnet-2' };
const saved = { ...process.env };

afterEach(() => {
  process.env = { ...saved };
});

function networkOf(): Record<string, string> {
  const { resources } = readServiceFile(FILE);
  const types = Object.entries(resources).map(([id, { Type }]) => [id, Type]);
  return Object.fromEntries(types.filter(([, type]) => /^AWS::(EC2::|EFS::MountTarget)/.test(type ?? '')));
}

describe('NETWORK=given', () => {
  it('makes no network, but what the functions and the file system need in it', () => {
    process.env.NETWORK = 'own';
    const own = networkOf();
    Object.assign(process.env, VARIABLES);
    const given = networkOf();
    const types = new Set(Object.values(given));
    expect(types).toEqual(
      new Set(['AWS::EC2::SecurityGroup', 'AWS::EC2::SecurityGroupIngress', 'AWS::EFS::MountTarget']),
    );
    expect(own).toMatchObject(given);
  });

  it('puts it into the given subnets', () => {
    Object.assign(process.env, VARIABLES);
    const { resources } = readServiceFile(FILE);
    const subnets = ['MountTargetA', 'MountTargetB'].map((id) => resources[id]?.Properties.SubnetId);
    expect(subnets).toEqual(['subnet-1', 'subnet-2']);
  });
});
