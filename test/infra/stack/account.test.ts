import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from '@jest/globals';
import { checkAccount } from '../../../infra/stack/account.ts';

const FUNCTIONS = {
  Resources: {
    Vpc: { Type: 'AWS::EC2::VPC' },
    CommandsVpc: { Type: 'AWS::EC2::VPC' },
    Address: { Type: 'AWS::EC2::EIP' },
  },
};

interface Account {
  vpcs?: string;
  executions?: string;
  /** Logical IDs of the deployed stack; undefined if there is no stack. */
  held?: string[];
  denied?: string;
}

/** Checks an account with five VPCs and five addresses. */
async function check({ vpcs = '1', executions = '1000', held, denied = 'nothing' }: Account) {
  const told: string[] = [];
  const send = async ({ constructor: { name } }: { constructor: { name: string } }) => {
    if (held === undefined) throw new Error('Stack with id stage does not exist');
    if (name === 'DescribeStacksCommand') return { Stacks: [{ StackStatus: 'UPDATE_COMPLETE' }] };
    return {
      StackResourceSummaries: held.map((LogicalResourceId) => ({
        ...{ LogicalResourceId, PhysicalResourceId: 'id', ResourceStatus: 'CREATE_COMPLETE' },
      })),
    };
  };
  const answers: Record<string, string> = {
    sts: '111122223333',
    lambda: executions,
    'service-quotas': '5.0',
    'describe-vpcs': vpcs,
    'describe-addresses': '4',
  };
  const ask = async ([service = '', operation = '']: string[]) => {
    if ([service, operation].includes(denied))
      throw new Error('aws: failed\n\nAn error occurred (AccessDenied)\n');
    return answers[operation] ?? answers[service] ?? '';
  };
  const cloudFormation = Object.assign(new CloudFormationClient({ region: 'eu-west-1' }), { send });
  const work = checkAccount(
    { cloudFormation, name: 'stage', tell: (line) => void told.push(line), ask },
    FUNCTIONS,
  );
  const refusal = await work.then(
    () => undefined,
    ({ message }: Error) => message,
  );
  return { told, refusal };
}

describe('checkAccount', () => {
  it('returns the limits of an account and the needs of a new stage', async () => {
    expect(await check({})).toEqual({
      refusal: undefined,
      told: [
        'account 111122223333',
        'Concurrent executions: 1000',
        'VPCs per Region: 1 of 5 used, 2 needed',
        'EC2-VPC Elastic IPs: 4 of 5 used, 1 needed',
      ],
    });
  });

  it('refuses a third stage with its own network, and names the quota to raise', async () => {
    const { refusal } = await check({ vpcs: '5' });
    expect(refusal).toBe(
      'The account has too little for this stage. Raise "VPCs per Region" (vpc, L-F678F1CE) to at least 7 under Service Quotas, which may take days. Nothing was changed.',
    );
  });

  it('counts the resources that the stage already has', async () => {
    expect(await check({ vpcs: '5', held: ['Vpc', 'CommandsVpc', 'Address'] })).toMatchObject({
      refusal: undefined,
    });
    expect(await check({ vpcs: '5', held: ['Vpc', 'Address'] })).toMatchObject({
      refusal: expect.stringContaining('6'),
    });
  });

  it('recommends more concurrent executions for a new account, but deploys with ten', async () => {
    const { told, refusal } = await check({ executions: '10' });
    expect(refusal).toBeUndefined();
    expect(told[1]).toMatch(/^Concurrent executions: 10\. .*Ask for 1,000/);
  });

  it('reports missing permissions, and continues', async () => {
    const { told, refusal } = await check({ denied: 'service-quotas', vpcs: '5' });
    expect(refusal).toBeUndefined();
    expect(told).toContain("VPCs per Region couldn't be checked: An error occurred (AccessDenied)");
  });
});
