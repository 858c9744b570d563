import { describe, expect, it } from '@jest/globals';
import { evaluate, resolvePolicy, type Statement } from './iam-policy.ts';

const request = { action: 's3:GetObject', resource: 'arn:aws:s3:::b/one' };
const allow = (fields: Partial<Statement> = {}): Statement => ({
  Effect: 'Allow',
  Action: 's3:GetObject',
  Resource: 'arn:aws:s3:::b/*',
  ...fields,
});
const on = (Condition: Statement['Condition'], context = {}) =>
  evaluate([allow({ Condition })], { ...request, context });

describe('policy evaluator', () => {
  it('allows actions that one statement allows and no statement denies', () => {
    expect(evaluate([allow()], request)).toBe('allowed');
    expect(evaluate([allow(), { ...allow(), Effect: 'Deny' }], request)).toBe('denied');
    expect(evaluate([], request)).toBe('implicit');
    expect(evaluate([allow({ Action: ['s3:PutObject'] })], request)).toBe('implicit');
    expect(evaluate([allow({ Resource: 'arn:aws:s3:::c/*' })], request)).toBe('implicit');
  });

  it.each([
    ['StringEquals', 'allowed', 'implicit', 'implicit'],
    ['StringLike', 'allowed', 'implicit', 'implicit'],
    ['StringNotEquals', 'implicit', 'allowed', 'allowed'],
    ['StringNotLike', 'implicit', 'allowed', 'allowed'],
    ['ForAllValues:StringEquals', 'allowed', 'implicit', 'allowed'],
    ['ForAnyValue:StringEquals', 'allowed', 'implicit', 'implicit'],
  ])('evaluates %s with its value, another value, and no value', (operator, same, other, missing) => {
    const condition = { [operator]: { k: ['a', 'b'] } };
    expect(on(condition, { k: 'a' })).toBe(same);
    expect(on(condition, { k: 'c' })).toBe(other);
    expect(on(condition)).toBe(missing);
  });

  it('distinguishes ForAllValues and ForAnyValue', () => {
    expect(on({ 'ForAllValues:StringEquals': { k: 'a' } }, { k: ['a', 'c'] })).toBe('implicit');
    expect(on({ 'ForAnyValue:StringEquals': { k: 'a' } }, { k: ['a', 'c'] })).toBe('allowed');
  });

  it('rejects unsupported elements', () => {
    expect(() => on({ NumericEquals: { k: '1' } }, { k: '1' })).toThrow('NumericEquals');
    expect(() => on({ StringEquals: { k: 'a' } }, { k: ['a', 'b'] })).toThrow('several');
    expect(() => evaluate([allow({ Principal: { Service: 's3.amazonaws.com' } })], request)).toThrow('s3');
  });

  it('resolves references, of the single template and of the split ones', () => {
    const arn = 'arn:aws:test:eu-west-1:111122223333:any/Table';
    const sub = { 'Fn::Sub': '${' + 'Table.Arn}/index/*' };
    expect(resolvePolicy([{ 'Fn::GetAtt': ['Table', 'Arn'] }, { Ref: 'TableArn' }, sub])).toEqual([
      arn,
      arn,
      `${arn}/index/*`,
    ]);
  });
});
