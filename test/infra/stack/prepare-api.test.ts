import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from '@jest/globals';
import type { Target } from '../../../infra/stack/deploy.ts';
import { prepareApi } from '../../../infra/stack/prepare-api.ts';
import type { Template, TemplateResource } from '../../../infra/stack/template.ts';

const NAME = 'workspace-research-dev';
const API = { Ref: 'Api' };

interface ChangeSet {
  ChangeSetType: string;
  TemplateBody: string;
  Parameters: object[];
  RollbackConfiguration?: object;
}

/** A stack whose change sets are executed at once. */
function fakeTarget(Resources: Template['Resources']) {
  const changes: ChangeSet[] = [];
  let deployed: Template = { Parameters: { Table: { Type: 'String' } }, Resources };
  const describe = () => ({
    StackStatus: 'UPDATE_COMPLETE',
    Parameters: [{ ParameterKey: 'Table', ParameterValue: 'table-1' }],
  });
  const answers: Record<string, (input: ChangeSet) => object> = {
    GetTemplateCommand: () => ({ TemplateBody: JSON.stringify(deployed) }),
    DescribeStacksCommand: () => ({ Stacks: [describe()] }),
    CreateChangeSetCommand: (input) => ({ Number: changes.push(input) }),
    DescribeChangeSetCommand: () => ({ Status: 'CREATE_COMPLETE' }),
    ExecuteChangeSetCommand: () => {
      deployed = JSON.parse(changes.at(-1)?.TemplateBody ?? '');
      return {};
    },
  };
  const send = async (command: { input: ChangeSet }) => answers[command.constructor.name]?.(command.input);
  const cloudFormation = Object.assign(new CloudFormationClient({ region: 'eu-west-1' }), { send });
  const target: Target = {
    cloudFormation,
    s3: {} as never,
    cloudWatch: {} as never,
    name: NAME,
    tell: () => {},
    every: 0.01,
  };
  const prepare = (next: Template['Resources']) =>
    prepareApi(target, { next: { Resources: next }, put: async () => 'unused' });
  return { prepare, changes, deployed: () => deployed.Resources };
}

function path(
  PathPart: string,
  ParentId: object = { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
): TemplateResource {
  return { Type: 'AWS::ApiGateway::Resource', Properties: { ParentId, PathPart, RestApiId: API } };
}

function method(ResourceId: string): TemplateResource {
  const Properties = { HttpMethod: 'ANY', ResourceId: { Ref: ResourceId }, RestApiId: API };
  return { Type: 'AWS::ApiGateway::Method', Properties };
}

function apiDeployment(properties: object, DependsOn: string[] = []): TemplateResource {
  return { Type: 'AWS::ApiGateway::Deployment', Properties: { RestApiId: API, ...properties }, DependsOn };
}

describe('a path that the next release replaces', () => {
  const old = {
    Docs: path('docs'),
    DocsMethod: method('Docs'),
    Asset: path('{asset}', { Ref: 'Docs' }),
    AssetMethod: method('Asset'),
    Deeper: path('more', { Ref: 'Asset' }),
    DeeperMethod: method('Deeper'),
    Deployment1: apiDeployment({}, ['DocsMethod', 'AssetMethod', 'DeeperMethod']),
  };

  it.each([
    ['another variable', path('{proxy+}', { Ref: 'Docs' })],
    ['the same part', path('{asset}', { Ref: 'Docs' })],
  ])('goes first, with what is below it, for %s under another logical id', async (_what, next) => {
    const { prepare, changes, deployed } = fakeTarget(old);
    await prepare({ Docs: path('docs'), Next: next });
    expect(changes.map(({ ChangeSetType }) => ChangeSetType)).toEqual(['UPDATE']);
    expect(deployed()).toEqual({
      Docs: old.Docs,
      DocsMethod: old.DocsMethod,
      Deployment1: apiDeployment({}, ['DocsMethod']),
    });
  });

  it('goes without the alarms of the last update, which would refuse it when they are gone or in ALARM', async () => {
    const { prepare, changes } = fakeTarget(old);
    await prepare({ Docs: path('docs'), Asset: path('{proxy+}', { Ref: 'Docs' }) });
    expect(changes).toMatchObject([
      { RollbackConfiguration: { RollbackTriggers: [], MonitoringTimeInMinutes: 0 } },
    ]);
  });

  it('goes first if its logical id stays: CloudFormation would create the other before', async () => {
    const { prepare, deployed } = fakeTarget(old);
    await prepare({ Docs: path('docs'), Asset: path('{proxy+}', { Ref: 'Docs' }) });
    expect(Object.keys(deployed())).toEqual(['Docs', 'DocsMethod', 'Deployment1']);
  });

  it('stays where nothing takes its place', async () => {
    const { prepare, changes } = fakeTarget(old);
    await prepare({ Docs: path('docs'), Asset: path('{asset}', { Ref: 'Docs' }), Other: path('other') });
    await prepare({ Docs: path('docs'), Other: path('{proxy+}') });
    expect(changes).toEqual([]);
  });
});
