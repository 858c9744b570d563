import { describe, expect, it } from '@jest/globals';
import { settleFunctions } from '../../../infra/stack/settle-functions.ts';
import type { Template } from '../../../infra/stack/template.ts';

const LAYER = 'arn:aws:lambda:eu-west-1:1:layer:collector:1';
const KEY = 'arn:aws:kms:eu-west-1:1:key/1';
const NONE = { collectorLayer: '', kmsKey: '' };

function makeTemplate(): Template {
  const of = (name: string, Variables: Record<string, string>) => ({
    [`${name}LambdaFunction`]: {
      Type: 'AWS::Lambda::Function',
      Properties: { Role: { 'Fn::GetAtt': [`${name}Role`, 'Arn'] }, Environment: { Variables } },
    },
    [`${name}LogGroup`]: { Type: 'AWS::Logs::LogGroup', Properties: {} },
    [`${name}Role`]: { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: [] } },
  });
  const traced = of('Chat', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' });
  return { Resources: { ...traced, ...of('Commands', {}) } };
}

describe('settleFunctions', () => {
  it('lets each function write its own log group', () => {
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

  it('brings the collector to the functions that have traces, and to no other', () => {
    const template = makeTemplate();
    settleFunctions(template, { ...NONE, collectorLayer: LAYER });
    expect(template.Resources.ChatLambdaFunction?.Properties.Layers).toEqual([LAYER]);
    expect(template.Resources.CommandsLambdaFunction?.Properties.Layers).toBeUndefined();
  });

  it('lets functions that reach table, bucket, or queues use the key, through these services only', () => {
    const template = makeTemplate();
    const Statement = [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }];
    template.Resources.Read = {
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { PolicyDocument: { Statement } },
    };
    template.Resources.ChatRole?.Properties.ManagedPolicyArns.push({ Ref: 'Read' });
    settleFunctions(template, { ...NONE, kmsKey: KEY });
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

  it('refuses a role of two functions, and a log group that is not there', () => {
    const [shared, missing] = [makeTemplate(), makeTemplate()];
    if (shared.Resources.CommandsLambdaFunction)
      shared.Resources.CommandsLambdaFunction.Properties.Role = { 'Fn::GetAtt': ['ChatRole', 'Arn'] };
    delete missing.Resources.ChatLogGroup;
    expect(() => settleFunctions(shared, NONE)).toThrow('shares ChatRole');
    expect(() => settleFunctions(missing, NONE)).toThrow('ChatLogGroup');
  });
});
