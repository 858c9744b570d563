import { describe, expect, it } from '@jest/globals';
import { invokeByRole } from '../../../infra/stack/invoke-role.ts';
import type { Template } from '../../../infra/stack/template.ts';

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

function makeTemplate(): Template {
  return {
    Resources: {
      InvokeRole: { Type: 'AWS::IAM::Role', Properties: {} },
      ChatPermission: {
        Type: 'AWS::Lambda::Permission',
        Properties: { FunctionName: arnOf('ChatLambdaFunction') },
      },
    },
  };
}

describe('invokeByRole', () => {
  it('creates a role that may call exactly the functions that had a permission', () => {
    const template = makeTemplate();
    invokeByRole(template);
    const { InvokeRole, ChatPermission } = template.Resources;
    const [{ PolicyDocument }] = InvokeRole?.Properties.Policies ?? [];
    expect(PolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: [arnOf('ChatLambdaFunction')] },
    ]);
    expect(ChatPermission).toBeUndefined();
  });

  it('refuses a template without the role', () => {
    const { InvokeRole: _, ...Resources } = makeTemplate().Resources;
    expect(() => invokeByRole({ Resources })).toThrow('InvokeRole');
  });
});
