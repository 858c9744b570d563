import { DescribeTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { describe, expect, it, jest } from '@jest/globals';
import { changeStack, deleteStack, findStack, physicalIds } from '../../infra/stack/cloudformation.ts';
import { connectDynamodb } from '../aws/table.ts';
import { readStack } from '../lanes/packaged-service.ts';
import { target } from './stack.ts';

jest.setTimeout(60_000);

const dynamodb = connectDynamodb('MINISTACK_URL');

/** Returns the data in the account, whichever stack created it. */
async function dataOf(name: string): Promise<string[]> {
  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand({}));
  const { Buckets = [] } = await target.s3.send(new ListBucketsCommand({}));
  const all = [...TableNames, ...Buckets.map(({ Name = '' }) => Name)];
  return all.filter((id) => id.toLowerCase().startsWith(name));
}

async function isProtected(name: string): Promise<boolean | undefined> {
  const TableName = (await physicalIds(target.cloudFormation, name)).get('Table');
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  return Table?.DeletionProtectionEnabled;
}

function deployData(name: string, HoldsData: string, Broken = {}) {
  const template = readStack('data');
  const Resources = { ...template.Resources, ...Broken };
  const change = { name, template: { ...template, Resources }, parameters: { HoldsData }, every: 0.2 };
  return changeStack(target.cloudFormation, change);
}

/** Cannot be created, and depends on all the data. */
const BROKEN = {
  Broken: { Type: 'AWS::None::Such', DependsOn: ['Table', 'Bucket', 'FileSystem'], Properties: {} },
};

describe('data stack whose first creation fails', () => {
  const name = 'workspace-research-first-data';

  it('leaves neither table nor bucket behind, and the next attempt creates them', async () => {
    await expect(deployData(name, 'false', BROKEN)).rejects.toThrow('Broken');
    expect((await findStack(target.cloudFormation, name))?.StackStatus).toBe('ROLLBACK_COMPLETE');
    expect(await dataOf(name)).toEqual([]);
    await deployData(name, 'false');
    expect(await dataOf(name)).toHaveLength(2);
  });

  it('protects its table from the second deployment on', async () => {
    expect(await isProtected(name)).toBe(false);
    await deployData(name, 'true');
    expect(await isProtected(name)).toBe(true);
  });

  it('keeps existing data if a later update fails, and if the stack is deleted', async () => {
    await expect(deployData(name, 'true', BROKEN)).rejects.toThrow('Broken');
    expect(await dataOf(name)).toHaveLength(2);
    await deleteStack(target.cloudFormation, name, 0.2);
    expect(await dataOf(name)).toHaveLength(2);
  });
});
