import { describe, expect, it } from '@jest/globals';
import { splitStacks } from '../../../infra/stack/split.ts';
import type { Template } from '../../../infra/stack/template.ts';

/** Written as authors of YAML write it. */
const sub = (text: string) => ({ 'Fn::Sub': text.replaceAll('<', '$' + '{').replaceAll('>', '}') });
const ids = { data: new Set(['Table']), console: new Set(['Page']), alarms: new Set(['Alarm']) };

function whole(more: Partial<Template['Resources']> = {}): Template {
  return {
    Parameters: { Mail: { Type: 'String', Default: '' }, Other: { Type: 'String', Default: '' } },
    Conditions: { Tells: { 'Fn::Equals': [{ Ref: 'Mail' }, ''] } },
    Resources: {
      Table: { Type: 'AWS::DynamoDB::Table', Properties: { Region: { Ref: 'AWS::Region' } } },
      Chat: {
        Type: 'AWS::Lambda::Function',
        DependsOn: ['Table', 'Log'],
        Properties: {
          Name: { Ref: 'Table' },
          Log: { 'Fn::GetAtt': ['Log', 'Arn'] },
          Indexes: sub('<Table.Arn>/index/<AWS::Region>'),
        },
      },
      Log: { Type: 'AWS::Logs::LogGroup' },
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: { If: ['Tells'], Of: { Ref: 'Chat' }, On: { Ref: 'Table' } },
      },
      Page: { Type: 'AWS::CloudFront::Distribution', Properties: { Before: { Ref: 'Chat' } } },
      ...more,
    } as Template['Resources'],
    Outputs: { Address: { Value: { Ref: 'Chat' } }, PageAddress: { Value: { Ref: 'Page' } } },
  };
}

describe('splitStacks', () => {
  const { data, functions, alarms } = splitStacks(whole(), ids);

  it('creates a parameter and an output for each reference between stacks', () => {
    expect(functions.Resources.Chat?.Properties).toEqual({
      Name: { Ref: 'Table' },
      Log: { 'Fn::GetAtt': ['Log', 'Arn'] },
      Indexes: sub('<TableArn>/index/<AWS::Region>'),
    });
    expect(functions.Parameters).toEqual({ Table: { Type: 'String' }, TableArn: { Type: 'String' } });
    expect(data.Outputs).toEqual({
      Table: { Value: { Ref: 'Table' } },
      TableArn: { Value: { 'Fn::GetAtt': ['Table', 'Arn'] } },
    });
    expect(alarms.Parameters).toMatchObject({ Chat: { Type: 'String' }, Table: { Type: 'String' } });
    expect(functions.Outputs).toEqual({
      Address: { Value: { Ref: 'Chat' } },
      Chat: { Value: { Ref: 'Chat' } },
    });
  });

  it('gives each stack the conditions, parameters, and dependencies that it uses', () => {
    expect(functions.Resources.Chat?.DependsOn).toEqual(['Log']);
    expect(functions.Conditions).toBeUndefined();
    expect(alarms.Conditions).toHaveProperty('Tells');
    expect(Object.keys(alarms.Parameters ?? {}).sort()).toEqual(['Chat', 'Mail', 'Table']);
    expect(data.Parameters).toBeUndefined();
  });

  it('keeps a parameter that appears only inside a string', () => {
    const Fn = { Type: 'AWS::Lambda::Function', Properties: { Url: sub('https://<Other>.example.org') } };
    const { functions: named } = splitStacks(whole({ Log: Fn }), ids);
    expect(named.Parameters).toHaveProperty('Other');
  });

  it('puts the output of a resource into the stack of the resource', () => {
    const { console: page } = splitStacks(whole(), ids);
    expect(page.Outputs).toEqual({ PageAddress: { Value: { Ref: 'Page' } } });
    expect(page.Parameters).toEqual({ Chat: { Type: 'String' } });
    expect(Object.keys(page.Resources)).toEqual(['Page']);
  });

  it('refuses data resources that refer to functions, and functions that refer to alarms', () => {
    const wrong = { Type: 'AWS::DynamoDB::Table', Properties: { By: { Ref: 'Chat' } } };
    expect(() => splitStacks(whole({ Table: wrong }), ids)).toThrow("Table (data) can't refer to Chat");
    const watcher = { Type: 'AWS::Lambda::Function', Properties: { By: { Ref: 'Alarm' } } };
    expect(() => splitStacks(whole({ Log: watcher }), ids)).toThrow("Log (functions) can't refer to Alarm");
  });
});
