import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../infra/local/service-file.ts';
import {
  packagedFunctions,
  readArtifacts,
  readStack,
  resourcesOf,
  STACKS,
} from '../lanes/packaged-service.ts';
import { readZip } from '../lanes/zip.ts';
import { apiDocument, integrationsOf, preflights, templateRoutes } from './template-routes.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const functions = packagedFunctions();
const routes = templateRoutes();

/** CloudFormation allows 500. If this fails, move a group of routes or functions into a separate stack. */
const MAX_RESOURCES = 250;

const CLOSED = {
  BlockPublicAcls: true,
  BlockPublicPolicy: true,
  IgnorePublicAcls: true,
  RestrictPublicBuckets: true,
};

interface GetAtt {
  'Fn::GetAtt': [string, string];
}

interface FunctionProperties {
  TenancyConfig?: object;
  Role: GetAtt;
  FunctionName: string;
  VpcConfig?: { SecurityGroupIds: unknown[]; SubnetIds: unknown[] };
  FileSystemConfigs?: unknown[];
  ReservedConcurrentExecutions?: number;
}

interface QueueProperties {
  VisibilityTimeout?: number;
  MessageRetentionPeriod?: number;
  RedrivePolicy?: { deadLetterTargetArn: GetAtt; maxReceiveCount: number };
}

interface Policy {
  PolicyDocument: { Statement: { Effect: string; Action: string | string[] }[] };
}

function propertiesOf<Properties>(type: string, logicalId: string): Properties {
  const found = resourcesOf<Properties>(type).find(([id]) => id === logicalId);
  if (found === undefined) throw new Error(`the template has no ${logicalId}`);
  return found[1].Properties;
}

describe('the routes of the packaged template', () => {
  it('are those of the local host, with the same limits and authorizer', () => {
    const local = readServiceFile(resolve(ROOT, 'serverless.yml')).routes;
    const expected = local.map(({ resource, method, function: name, authorizer, streaming, timeoutMs }) => ({
      resource,
      method,
      function: name,
      authorized: authorizer !== undefined,
      streaming,
      timeoutMs,
    }));
    expect(new Set(routes)).toEqual(new Set(expected));
    expect(routes).toHaveLength(expected.length);
  });

  it('answer preflight requests where the local host does, with the same headers', () => {
    const local = readServiceFile(resolve(ROOT, 'serverless.yml')).routes.filter(
      ({ cors }) => cors !== undefined,
    );
    const expected = local.map(({ resource, cors }) => [
      resource,
      {
        'method.response.header.Access-Control-Allow-Origin': "'*'",
        'method.response.header.Access-Control-Allow-Headers': `'${cors?.headers.join(',')}'`,
        'method.response.header.Access-Control-Allow-Methods': "'OPTIONS,DELETE,GET,HEAD,PATCH,POST,PUT'",
      },
    ]);
    expect(preflights()).toEqual(new Map(expected as [string, Record<string, string>][]));
  });

  it('require the authorizer, except for health, docs, login metadata, and webhooks that the bots verify', () => {
    const open = routes.filter(({ authorized }) => !authorized).map(({ resource }) => resource);
    expect(open.sort()).toEqual([
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/api/mcp',
      '/api/bot/ima',
      '/api/bot/ima/push',
      '/api/bot/imb',
      '/api/docs',
      '/api/docs/{proxy+}',
      '/api/health',
      '/api/openapi.json',
    ]);
  });

  it.each(functions.map(({ name }) => name))('of %s stream exactly where its handler does', (name) => {
    const handler = readFileSync(resolve(ROOT, `functions/${name}/handler.ts`), 'utf8');
    const streams = handler.includes('streaming: true');
    const own = routes.filter((route) => route.function === name);
    expect(own.filter(({ streaming }) => streaming !== streams)).toEqual([]);
  });

  it('never wait longer than the timeout of their function', () => {
    const limits = new Map(functions.map(({ name, timeoutMs }) => [name, timeoutMs]));
    expect(routes.filter((route) => route.timeoutMs > (limits.get(route.function) ?? 0))).toEqual([]);
  });

  it('are authorized again for every request', () => {
    const own = {
      type: 'request',
      authorizerResultTtlInSeconds: 0,
      identitySource: 'method.request.header.Authorization',
      authorizerCredentials: { 'Fn::GetAtt': ['InvokeRole', 'Arn'] },
    };
    expect(Object.values(apiDocument().components.securitySchemes)).toMatchObject([
      { 'x-amazon-apigateway-authorizer': own },
    ]);
  });
});

describe('the API stage', () => {
  it('limits calls per second, with a lower limit for routes without authentication', () => {
    const { MethodSettings } = propertiesOf<{
      MethodSettings: { ResourcePath: string; ThrottlingRateLimit: number }[];
    }>('AWS::ApiGateway::Stage', 'ApiStage');
    const rates = new Map(
      MethodSettings.map(({ ResourcePath, ThrottlingRateLimit }) => [ResourcePath, ThrottlingRateLimit]),
    );
    expect(rates.get('/*')).toBe(200);
    expect(rates.get('/~1api~1health')).toBe(20);
  });

  it('uses the API deployment of this package, which waits for the API that it deploys', () => {
    const [[id, deployment] = []] = resourcesOf('AWS::ApiGateway::Deployment');
    const stage = propertiesOf<object>('AWS::ApiGateway::Stage', 'ApiStage');
    expect(stage).toMatchObject({ StageName: 'test', DeploymentId: { Ref: id } });
    expect(deployment?.Properties).toEqual({ RestApiId: { Ref: 'ApiGatewayRestApi' } });
    const types = Object.values(readStack('functions').Resources).map(({ Type }) => Type);
    expect([...new Set(types)].filter((type) => type.startsWith('AWS::ApiGateway::')).sort()).toEqual(
      ['Account', 'Deployment', 'RestApi', 'Stage'].map((type) => `AWS::ApiGateway::${type}`),
    );
  });
});

describe('API Gateway', () => {
  it('calls the functions of its routes and the authorizer, with a role that may call no other function', () => {
    const role = propertiesOf<{ Policies: { PolicyDocument: { Statement: { Resource: GetAtt[] }[] } }[] }>(
      'AWS::IAM::Role',
      'InvokeRole',
    );
    const statements = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const called = statements.flatMap(({ Resource }) => Resource.map((arn) => arn['Fn::GetAtt'][0]));
    const behind = new Set(['authorizer', ...routes.map((route) => route.function)]);
    const ids = functions.filter(({ name }) => behind.has(name)).map(({ logicalId }) => logicalId);
    expect(called.sort()).toEqual(ids.sort());
    expect(resourcesOf('AWS::Lambda::Permission')).toEqual([]);
    const credentials = integrationsOf(apiDocument()).filter(({ type }) => type === 'aws_proxy');
    for (const own of credentials) expect(own.credentials).toEqual({ 'Fn::GetAtt': ['InvokeRole', 'Arn'] });
  });
});

describe('an error response of API Gateway', () => {
  it.each([
    'MISSING_AUTHENTICATION_TOKEN',
    'UNAUTHORIZED',
    'ACCESS_DENIED',
    'WAF_FILTERED',
    'AUTHORIZER_FAILURE',
    'REQUEST_TOO_LARGE',
    'THROTTLED',
    'INTEGRATION_TIMEOUT',
    'DEFAULT_4XX',
    'DEFAULT_5XX',
  ])('has the error format of the service: %s', (type) => {
    const own = apiDocument()['x-amazon-apigateway-gateway-responses'][type];
    expect(own).toMatchObject({
      responseTemplates: { 'application/json': expect.stringMatching(/^\{"error":.+\}$/) },
      responseParameters: {
        'gatewayresponse.header.cache-control': "'no-store'",
        'gatewayresponse.header.x-error-code': expect.stringMatching(/^'[a-z_]+'$/),
      },
    });
  });
});

describe('the functions of the packaged template', () => {
  const properties = resourcesOf<FunctionProperties>('AWS::Lambda::Function').map(
    ([, resource]) => resource.Properties,
  );

  it('have one role each', () => {
    const roles = properties.map(({ Role }) => Role['Fn::GetAtt'][0]);
    expect(new Set(roles).size).toBe(functions.length);
  });

  it('are in the VPC only if they use the mount, reach the cluster, or run commands', () => {
    const split = properties.filter(
      (own) => (own.VpcConfig === undefined) !== (own.FileSystemConfigs === undefined),
    );
    expect(split.map(({ FunctionName }) => FunctionName).sort()).toEqual([
      expect.stringMatching(/-cluster$/),
      expect.stringMatching(/-workspace-commands$/),
    ]);
  });

  it('send traces, except for the one that runs commands', () => {
    const untraced = resourcesOf<{ FunctionName: string; TracingConfig: { Mode: string } }>(
      'AWS::Lambda::Function',
    ).filter(([, { Properties }]) => Properties.TracingConfig.Mode !== 'Active');
    expect(untraced.map(([, { Properties }]) => Properties.FunctionName)).toEqual([
      expect.stringMatching(/-workspace-commands$/),
    ]);
    const role = JSON.stringify(readStack('functions').Resources.CommandsRole?.Properties);
    expect(role).not.toContain('xray');
  });

  it('run commands in one environment per workspace', () => {
    const isolated = properties.filter(({ TenancyConfig }) => TenancyConfig !== undefined);
    expect(isolated).toMatchObject([
      {
        FunctionName: expect.stringMatching(/-workspace-commands$/),
        TenancyConfig: { TenantIsolationMode: 'PER_TENANT' },
      },
    ]);
  });

  it('write to their own log groups, which have a retention period', () => {
    const groups = resourcesOf<{ LogGroupName: string; RetentionInDays: number }>('AWS::Logs::LogGroup');
    const names = groups.map(([, { Properties }]) => Properties.LogGroupName);
    const own = properties.map(({ FunctionName }) => `/aws/lambda/${FunctionName}`);
    const [gateway] = names.filter((name) => name.startsWith('/aws/api-gateway/'));
    expect(names.sort()).toEqual([gateway, ...own].sort());
    for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBe(30);
  });

  it('may write only to their own log group', () => {
    const logs = Object.entries(readStack('functions').Resources).flatMap(([id, { Properties = {} }]) => {
      const own: Policy[] = [Properties, ...(Properties.Policies ?? [])].filter(
        ({ PolicyDocument }) => PolicyDocument,
      );
      const statements = own.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
      return statements
        .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('logs:')))
        .map((statement) => [id, statement]);
    });
    const expected = resourcesOf<FunctionProperties>('AWS::Lambda::Function').map(([id, { Properties }]) => {
      const Resource = { 'Fn::GetAtt': [id.replace('LambdaFunction', 'LogGroup'), 'Arn'] };
      const Action = ['logs:CreateLogStream', 'logs:PutLogEvents'];
      return [Properties.Role['Fn::GetAtt'][0], { Effect: 'Allow', Action, Resource }];
    });
    expect(Object.fromEntries(logs)).toEqual(Object.fromEntries(expected));
    expect(logs).toHaveLength(expected.length);
  });

  it('include the layer with the native LanceDB library only if they load it', () => {
    const layered = functions.filter((own) => own.layered);
    const { NAPI_RS_NATIVE_LIBRARY_PATH: variable = '' } = layered[0]?.variables ?? {};
    expect(variable).toBe('/opt/native/lancedb.node');
    expect(layered).toEqual(functions.filter(({ variables }) => 'NAPI_RS_NATIVE_LIBRARY_PATH' in variables));
    const zipped = readZip(readArtifacts().find(({ key }) => key.includes('native-layer'))?.file ?? '');
    expect(zipped.map(({ path, mode }) => [path, mode])).toEqual([
      ['native/lancedb.node', 0o755],
      ['native/rg', 0o755],
    ]);
  });

  it('reserve no concurrency, which a new account lacks, because their queues limit the workers', () => {
    const reserved = properties.filter(({ ReservedConcurrentExecutions: most }) => most !== undefined);
    expect(reserved).toEqual([]);
    interface Mapping {
      FunctionName: GetAtt;
      ScalingConfig?: { MaximumConcurrency: number };
    }
    const mappings = resourcesOf<Mapping>('AWS::Lambda::EventSourceMapping').map(([, own]) => own.Properties);
    const limits = new Map(
      mappings.map((own) => [own.FunctionName['Fn::GetAtt'][0], own.ScalingConfig?.MaximumConcurrency]),
    );
    expect([...limits.values()]).not.toContain(undefined);
    expect(limits.get('CommitDashworkerLambdaFunction')).toBe(8);
    expect(limits.get('AgentDashworkerLambdaFunction')).toBe(50);
  });

  it('use handlers that are in the package', () => {
    const missing = functions.filter(({ zip, handler }) => {
      const file = handler.replace(/\.handler$/, '.mjs');
      return !existsSync(zip) || !readZip(zip).some(({ path }) => path === file);
    });
    expect(missing).toEqual([]);
  });
});

describe('the policies of the packaged template', () => {
  it('allow no action with a wildcard', () => {
    const managed = resourcesOf<Policy>('AWS::IAM::ManagedPolicy').map(([, { Properties }]) => Properties);
    const inline = resourcesOf<{ Policies?: Policy[] }>('AWS::IAM::Role').flatMap(
      ([, { Properties }]) => Properties.Policies ?? [],
    );
    const statements = [...managed, ...inline].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action);
    expect(allowed.length).toBeGreaterThan(20);
    expect(allowed.filter((action) => action.includes('*'))).toEqual([]);
  });
});

describe('the queues of the packaged template', () => {
  const mappings = resourcesOf<{
    EventSourceArn: GetAtt;
    FunctionName: GetAtt;
    FunctionResponseTypes: string[];
  }>('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);

  it.each([
    ['IndexQueue', 8],
    ['TouchQueue', 8],
    ['CommitQueue', 8],
    ['MaintainQueue', 8],
    ['UploadQueue', 8],
  ])(
    '%s hides a message for six times its worker’s timeout, and moves it to the dead-letter queue after %i receives',
    (queueId, receives) => {
      const { VisibilityTimeout = 30, RedrivePolicy } = propertiesOf<QueueProperties>(
        'AWS::SQS::Queue',
        queueId,
      );
      const [mapping, ...more] = mappings.filter(
        ({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0] === queueId,
      );
      const worker = functions.find(({ logicalId }) => logicalId === mapping?.FunctionName['Fn::GetAtt'][0]);
      expect(more).toEqual([]);
      expect(mapping?.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(VisibilityTimeout * 1000).toBeGreaterThanOrEqual(
        6 * (worker?.timeoutMs ?? Number.POSITIVE_INFINITY),
      );
      expect(RedrivePolicy?.maxReceiveCount).toBe(receives);
      const deadLetters = RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0] ?? '';
      const buried = propertiesOf<QueueProperties>('AWS::SQS::Queue', deadLetters);
      expect(buried).toMatchObject({ MessageRetentionPeriod: 14 * 24 * 60 * 60 });
    },
  );
});

describe('the stacks', () => {
  it('are well below the limit of 500 resources each', () => {
    const counts = STACKS.map((name) => Object.keys(readStack(name).Resources).length);
    expect(Math.max(...counts)).toBeLessThan(MAX_RESOURCES);
  });

  it('have in the data stack only the resources that must outlive functions', () => {
    const { Resources, Outputs } = readStack('data');
    const backup = ['BucketBackupPlan', 'BucketBackupRole', 'BucketBackupSelection', 'BucketBackupVault'];
    expect(Object.keys(Resources).sort()).toEqual([
      'Bucket',
      ...backup,
      'BucketPolicy',
      'FileSystem',
      'GatewayLogRole',
      'Table',
    ]);
    const parameters = Object.entries(readStack('functions').Parameters ?? {}) as [string, object][];
    // The other parameters are the stage's, or the ID of its own API.
    const handed = parameters.flatMap(([name, own]) => ('Default' in own || name === 'ApiId' ? [] : [name]));
    expect(Object.keys(Outputs ?? {})).toEqual(expect.arrayContaining(handed));
  });

  it('pass on every parameter from the stage file or from the stacks before', () => {
    const outputs = { ApiId: {}, ...readStack('data').Outputs, ...readStack('functions').Outputs };
    for (const name of STACKS) {
      const parameters = Object.entries(readStack(name).Parameters ?? {}) as [string, { Default?: string }][];
      const open = parameters.filter(([key, { Default }]) => Default === undefined && !(key in outputs));
      expect([name, open]).toEqual([name, []]);
    }
  });

  it('name each zip by the hash of its contents, and upload little after a change of one function', () => {
    const artifacts = readArtifacts();
    for (const { key } of artifacts) expect(key).toMatch(/^code\/[a-z-]+-[0-9a-f]{32}\.zip$/);
    const largest = Math.max(...functions.map(({ zippedBytes }) => zippedBytes));
    expect(largest).toBeLessThan(8_000_000);
  });
});

describe('the storage of the packaged template', () => {
  it('includes a table that deletes by expiresAt and has point-in-time recovery', () => {
    expect(propertiesOf('AWS::DynamoDB::Table', 'Table')).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: { 'Fn::If': ['IsInUse', true, false] },
    });
  });

  it('includes a bucket that deletes old uploads and messages', () => {
    const bucket = propertiesOf<{ LifecycleConfiguration: { Rules: { Id: string; Status: string }[] } }>(
      'AWS::S3::Bucket',
      'Bucket',
    );
    const rules = bucket.LifecycleConfiguration.Rules.filter(({ Status }) => Status === 'Enabled');
    expect(rules.map(({ Id }) => Id)).toEqual(expect.arrayContaining(['parts', 'queue', 'uploads']));
  });

  it('outlives the stack, unless its creation fails', () => {
    const kept = ['AWS::DynamoDB::Table', 'AWS::EFS::FileSystem'].flatMap((type) => resourcesOf(type));
    kept.push(...resourcesOf('AWS::S3::Bucket').filter(([id]) => id === 'Bucket'));
    expect(kept).toHaveLength(3);
    for (const [, resource] of kept)
      expect(resource).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
  });
});

describe('the buckets of the packaged template', () => {
  it.each(resourcesOf('AWS::S3::Bucket').map(([id]) => id))('block public access to %s', (id) => {
    expect(propertiesOf('AWS::S3::Bucket', id)).toMatchObject({ PublicAccessBlockConfiguration: CLOSED });
  });
});

describe('the schedule of the packaged template', () => {
  it('runs every minute, without retries by Scheduler or Lambda', () => {
    expect(propertiesOf('AWS::Scheduler::Schedule', 'MinuteTick')).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      Target: { RetryPolicy: { MaximumRetryAttempts: 0 } },
    });
    const invocations = resourcesOf('AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties);
    expect(invocations).toMatchObject([{ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 }]);
  });
});
