import { describe, expect, it } from '@jest/globals';
import { settleFunctions } from '../../../infra/stack/settle-functions.ts';
import type { Template } from '../../../infra/stack/template.ts';

const KEY = 'arn:aws:kms:eu-west-1:1:key/1';
const NONE = { kmsKey: '' };

function makeTemplate(): Template {
  const of = (name: string) => ({
    [`${name}LambdaFunction`]: {
      Type: 'AWS::Lambda::Function',
      Properties: { Role: { 'Fn::GetAtt': [`${name}Role`, 'Arn'] } },
    },
    [`${name}LogGroup`]: { Type: 'AWS::Logs::LogGroup', Properties: {} },
    [`${name}Role`]: { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: [] } },
  });
  return { Resources: { ...of('Chat'), ...of('Commands') } };
}

describe('settleFunctions', () => {
  it('allows each function to write its own log group', () => {
    const template = makeTemplate();
    settleFunctions(template, NONE);
    for (const name of ['Chat', 'Commands']) {
      const [policy, ...others] = template.Resources[`${name}Role`]?.Properties.Policies ?? [];
      expect(others).toEqual([]);
      expect(policy.PolicyDocument.Statement).toEqual([
        {
          Effect: 'Allow',
          Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          Resource: { 'Fn::GetAtt': [`${name}LogGroup`, 'Arn'] },
        },
      ]);
    }
  });

  it('allows functions that use the table, bucket, or queues to use the key, only through these services', () => {
    const template = makeTemplate();
    const Statement = [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }];
    template.Resources.Read = {
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { PolicyDocument: { Statement } },
    };
    template.Resources.ChatRole?.Properties.ManagedPolicyArns.push({ Ref: 'Read' });
    settleFunctions(template, { kmsKey: KEY });
    const policiesOf = (role: string): { PolicyName: string }[] =>
      template.Resources[role]?.Properties.Policies;
    expect(policiesOf('CommandsRole').map(({ PolicyName }) => PolicyName)).toEqual(['log']);
    expect(policiesOf('ChatRole')).toMatchObject([
      {},
      {
        PolicyName: 'key',
        PolicyDocument: {
          Statement: [
            {
              Effect: 'Allow',
              Action: expect.arrayContaining(['kms:Decrypt', 'kms:GenerateDataKey']),
              Resource: KEY,
              Condition: { StringEquals: { 'kms:ViaService': [{}, {}, {}] } },
            },
          ],
        },
      },
    ]);
  });

  it("refuses a role that two functions share, and a log group that doesn't exist", () => {
    const [shared, missing] = [makeTemplate(), makeTemplate()];
    if (shared.Resources.CommandsLambdaFunction)
      shared.Resources.CommandsLambdaFunction.Properties.Role = { 'Fn::GetAtt': ['ChatRole', 'Arn'] };
    delete missing.Resources.ChatLogGroup;
    expect(() => settleFunctions(shared, NONE)).toThrow('shares ChatRole');
    expect(() => settleFunctions(missing, NONE)).toThrow('ChatLogGroup');
  });
});
