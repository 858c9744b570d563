import { describe, expect, it } from '@jest/globals';
import { invokeByRole } from '../../../infra/stack/invoke-role.ts';
import type { Template } from '../../../infra/stack/template.ts';

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

function makeTemplate(): Template {
  const method = (Type: string, DependsOn?: string[]) => ({
    Type: 'AWS::ApiGateway::Method',
    Properties: { Integration: { Type } },
    ...(DependsOn && { DependsOn }),
  });
  return {
    Resources: {
      InvokeRole: { Type: 'AWS::IAM::Role', Properties: {} },
      ChatPermission: {
        Type: 'AWS::Lambda::Permission',
        Properties: { FunctionName: arnOf('ChatLambdaFunction') },
      },
      Authorizer: { Type: 'AWS::ApiGateway::Authorizer', Properties: {} },
      ChatAny: method('AWS_PROXY', ['Authorizer', 'ChatPermission']),
      ChatOptions: method('MOCK'),
    },
  };
}

describe('invokeByRole', () => {
  it('calls functions and the authorizer as a role that may call those that had a permission, and no other', () => {
    const template = makeTemplate();
    invokeByRole(template);
    const { InvokeRole, ChatPermission, Authorizer, ChatAny, ChatOptions } = template.Resources;
    const [{ PolicyDocument }] = InvokeRole?.Properties.Policies ?? [];
    expect(PolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: [arnOf('ChatLambdaFunction')] },
    ]);
    expect(ChatPermission).toBeUndefined();
    expect(Authorizer?.Properties.AuthorizerCredentials).toEqual(arnOf('InvokeRole'));
    expect(ChatAny).toMatchObject({
      Properties: { Integration: { Credentials: arnOf('InvokeRole') } },
      DependsOn: ['Authorizer'],
    });
    expect(ChatOptions?.Properties.Integration).toEqual({ Type: 'MOCK' });
  });

  it('refuses a template without that role', () => {
    const { InvokeRole: _, ...Resources } = makeTemplate().Resources;
    expect(() => invokeByRole({ Resources })).toThrow('InvokeRole');
  });
});
