import { describe, expect, it } from '@jest/globals';
import { inlinePolicies } from '../../../infra/stack/inline-policies.ts';
import type { Template } from '../../../infra/stack/template.ts';

const AWS_OWN = 'arn:aws:iam::aws:policy/SomePolicy';

function makeTemplate(statements: number): Template {
  const Statement = Array.from({ length: statements }, (_, n) => ({
    Effect: 'Allow',
    Action: [`s3:Get${n}`],
  }));
  const role = { ManagedPolicyArns: [{ Ref: 'Read' }, AWS_OWN], Policies: [{ PolicyName: 'log' }] };
  return {
    Resources: {
      Read: { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: { Statement } } },
      ChatRole: { Type: 'AWS::IAM::Role', Properties: role },
      NotesRole: { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: [{ Ref: 'Read' }] } },
    },
  };
}

describe('inlinePolicies', () => {
  it('moves policies into their roles, and leaves no separate policy', () => {
    const template = makeTemplate(1);
    const read = {
      PolicyName: 'Read',
      PolicyDocument: { Statement: [{ Effect: 'Allow', Action: ['s3:Get0'] }] },
    };
    inlinePolicies(template);
    expect(template.Resources).toEqual({
      ChatRole: {
        Type: 'AWS::IAM::Role',
        Properties: { ManagedPolicyArns: [AWS_OWN], Policies: [{ PolicyName: 'log' }, read] },
      },
      NotesRole: { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: [], Policies: [read] } },
    });
  });

  it('refuses a role whose policies exceed the IAM limit', () => {
    expect(() => inlinePolicies(makeTemplate(300))).toThrow('ChatRole has more policies');
  });
});
