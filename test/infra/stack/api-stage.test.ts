import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { readServiceFile } from '../../../infra/local/service-file.ts';
import { ROUTE_GROUPS } from '../../../infra/openapi.ts';
import { type StageSettings, settleStage } from '../../../infra/stack/api-stage.ts';
import type { TemplateResource } from '../../../infra/stack/template.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { routes, resources, functions } = readServiceFile(join(root, 'serverless.yml'));
// biome-ignore lint/suspicious/noExplicitAny: the file as it is written
const file = yaml.load(read('serverless.yml')) as any;
const { throttles, accessLog }: StageSettings & { accessLog: string } = file.custom;

describe('the routes without authentication', () => {
  const open = routes.filter(({ authorizer }) => authorizer === undefined).map(({ resource }) => resource);

  it('are throttled one by one, below the limit of the stage', () => {
    const { routes: own } = throttles;
    expect(open.filter((path) => Number(own[path]?.rate ?? 1000) > 50)).toEqual([]);
  });

  it('are the only ones that run a function without the header', () => {
    const headers = new Set(routes.map(({ authorizer }) => authorizer?.identityHeader));
    expect(headers).toEqual(new Set([undefined, 'Authorization']));
    expect(routes.filter(({ authorizer }) => authorizer && !authorizer.identityHeader)).toEqual([]);
  });

  it('are throttled only on existing paths', () => {
    const known = new Set(routes.map(({ resource }) => resource));
    expect(Object.keys(throttles.routes).filter((path) => !known.has(path))).toEqual([]);
  });
});

describe('settleStage', () => {
  const deployment: TemplateResource = {
    Type: 'AWS::ApiGateway::Deployment',
    Properties: { RestApiId: { Ref: 'Api' }, StageName: 'dev' },
  };
  const stage: TemplateResource = { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'dev' } };
  const paths = Object.fromEntries(routes.map(({ resource }) => [resource, {}]));
  const Resources = {
    ApiGatewayDeployment123: deployment,
    ApiStage: stage,
    ApiGatewayRestApi: { Type: 'AWS::ApiGateway::RestApi', Properties: { Body: { paths } } },
  };
  const all = { rate: '200', burst: '400' };
  const declared = Object.values(ROUTE_GROUPS).flat();
  settleStage({ Resources }, { throttles: { ...throttles, all } }, declared);
  const { MethodSettings } = stage.Properties;

  it('limits all routes, and single routes for their declared methods', () => {
    const limits = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 };
    expect(MethodSettings[0]).toEqual({ ResourcePath: '/*', HttpMethod: '*', ...limits });
    const ofDocs = MethodSettings.filter(({ ResourcePath }: { ResourcePath: string }) =>
      ResourcePath.startsWith('/~1api~1docs~1'),
    );
    const single = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 };
    const ResourcePath = '/~1api~1docs~1{proxy+}';
    expect(ofDocs).toEqual(['GET', 'HEAD'].map((HttpMethod) => ({ ResourcePath, HttpMethod, ...single })));
  });

  it('fits into one update of the stage, with 80 operations, two per method', () => {
    expect(MethodSettings.length * 2).toBeLessThan(80);
  });

  it('refuses a throttle that applies to no route', () => {
    const wrong = { throttles: { all, routes: { '/api/none': { rate: 1, burst: 1 } } } };
    expect(() => settleStage({ Resources }, wrong, declared)).toThrow('/api/none');
  });

  it("gives the stage this package's API deployment, and creates no other deployment", () => {
    expect(stage.Properties).toMatchObject({
      StageName: 'dev',
      DeploymentId: { Ref: 'ApiGatewayDeployment123' },
    });
    expect(deployment.Properties).toEqual({ RestApiId: { Ref: 'Api' } });
  });
});

describe('the stage in infra/gateway.yml', () => {
  it('has logs and traces, and waits for the role that writes the logs', () => {
    const log = { DestinationArn: { 'Fn::GetAtt': ['AccessLogGroup', 'Arn'] } };
    expect(resources.ApiStage).toMatchObject({
      DependsOn: 'GatewayAccount',
      Properties: { TracingEnabled: true, AccessLogSetting: log },
    });
    expect(resources).toMatchObject({ AccessLogGroup: {}, GatewayAccount: {} });
  });

  it('is created before the web ACL', () => {
    expect(resources.WebAclAssociation).toMatchObject({ DependsOn: 'ApiStage' });
  });
});

describe('the access log', () => {
  it('is JSON, and contains no request data chosen by the sender except the method', () => {
    const fields = JSON.parse(accessLog) as Record<string, string>;
    const chosen = /path$|query|header|userAgent|body|error\.message|claims/i;
    const values = Object.values(fields).filter((value) => value !== '$context.resourcePath');
    expect(values.filter((value) => chosen.test(value))).toEqual([]);
  });
});

describe('the number of parallel runs', () => {
  it('is limited at the worker, without reserved concurrency, because a new account has ten executions', () => {
    expect(file.functions['agent-worker'].events[0].sqs.maximumConcurrency).toBe(
      '$' + '{self:custom.agentRuns}',
    );
    expect(functions.filter(({ name }) => 'reservedConcurrency' in file.functions[name])).toEqual([]);
  });
});

describe('the throttling alarms', () => {
  interface Metric {
    MetricStat?: { Metric: { Dimensions: { Value: { Ref: string } }[] } };
  }
  const alarms = Object.entries(resources).filter(
    ([id]) => id.endsWith('ThrottlesAlarm') && !/^Table/.test(id),
  );

  it('watch every function exactly once', () => {
    const watched = alarms.flatMap(([, { Properties }]) => {
      const sums = ((Properties.Metrics ?? []) as Metric[]).flatMap(
        ({ MetricStat }) => MetricStat?.Metric ?? [],
      );
      return (sums.length > 0 ? sums : [Properties]).map(({ Dimensions }) => Dimensions[0].Value.Ref);
    });
    const ids = functions.map(
      ({ name }) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', 'Dash')}LambdaFunction`,
    );
    expect(watched.toSorted()).toEqual(ids.toSorted());
  });

  it('sum at most ten metrics, which is the limit of an alarm', () => {
    const sizes = alarms.map(([, { Properties }]) => (Properties.Metrics ?? []).length - 1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
  });
});
