import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { routeTable } from '../../../infra/local/route-table.ts';
import { readServiceFile } from '../../../infra/local/service-file.ts';
import { ROUTE_GROUPS } from '../../../infra/openapi.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const definition = readServiceFile(join(root, 'serverless.yml'));
const match = routeTable(definition.routes);
const groups = Object.entries(ROUTE_GROUPS).flatMap(([name, routes]) =>
  routes.map(({ path, access }) => ({ name, path, access })),
);

async function readText(text: string) {
  const file = join(await tempFolder(), 'serverless.yml');
  await writeFile(file, text);
  return readServiceFile(file);
}

describe('serverless.yml', () => {
  it('routes each path of a route group to its function, by its own resource or a shared one', () => {
    for (const { path, name } of groups) {
      const { resource, function: reached } = match(path)?.route ?? {};
      expect([path, reached]).toEqual([path, name]);
      if (resource !== path) expect(resource).toMatch(/\/\{[^/]+\}$/);
    }
  });

  it('deploys each resource once, and no unused resource', () => {
    const needed = new Set(groups.map(({ path }) => match(path)?.route.resource));
    expect(definition.routes.map(({ resource }) => resource).sort()).toEqual([...needed].sort());
  });

  it('has no greedy resource next to a resource with a parameter, because API Gateway accepts only one of them', () => {
    const open = definition.routes.flatMap(({ resource }) => {
      const parts = resource.split('/');
      const at = parts.flatMap((part, index) => (part.startsWith('{') ? [index] : []));
      return at.map((index) => [parts.slice(0, index).join('/'), parts[index] ?? ''] as const);
    });
    const names = Map.groupBy(open, ([parent]) => parent);
    for (const [parent, all] of names)
      expect([parent, new Set(all.map(([, name]) => name)).size]).toEqual([parent, 1]);
  });

  it("leaves every method to the router, and puts the authorizer before all routes that aren't public", () => {
    const open = new Set(
      groups.flatMap(({ path, access }) => (access === 'public' ? [match(path)?.route.resource] : [])),
    );
    for (const { resource, method, authorizer, cors } of definition.routes) {
      expect([resource, method, cors]).toEqual([
        resource,
        'ANY',
        { origin: '*', headers: expect.arrayContaining(['idempotency-key']) },
      ]);
      const expected = open.has(resource)
        ? undefined
        : { function: 'authorizer', ttlSeconds: 0, identityHeader: 'Authorization' };
      expect([resource, authorizer]).toEqual([resource, expected]);
    }
  });

  it('names only existing functions', () => {
    for (const { module } of definition.functions)
      expect([module, existsSync(join(root, `${module}.ts`))]).toEqual([module, true]);
  });

  it("gives every queue a worker and a dead-letter queue, and six times the worker's timeout", () => {
    const queues = definition.queues.filter(({ name }) => !name.endsWith('dead-letters'));
    expect(queues.filter(({ fifo }) => fifo).map(({ name }) => name)).toEqual(['commit', 'maintain', 'bot']);
    for (const queue of queues) {
      expect(queue).toMatchObject({ maxReceiveCount: 8, deadLetterQueue: `${queue.name}-dead-letters` });
      const worker = definition.functions.find(({ name }) => name === queue.worker?.function);
      // A failed message blocks its chat until it is visible again.
      const times = queue.name === 'bot' ? 1 : 6;
      expect(queue.visibilityTimeoutSeconds).toBe(times * (worker?.timeoutSeconds ?? 0));
    }
  });

  it('runs the scheduler every minute and treats multipart as binary', () => {
    expect(definition.schedules).toEqual([{ function: 'scheduler', everyMs: 60_000 }]);
    expect(definition.binaryMediaTypes).toContain('multipart/form-data');
  });
});

describe('readServiceFile', () => {
  it("uses the Framework's defaults for missing values", async () => {
    const { functions, routes, queues, schedules } = await readText(`
provider: { timeout: 6 }
functions:
  one: { handler: functions/one/handler.handler, events: [{ http: { method: get, path: /one } }] }
  two: { handler: functions/two/handler.handler, events: [{ sqs: { arn: { 'Fn::GetAtt': [JobsQueue, Arn] } } }] }
resources: { Resources: { JobsQueue: { Type: 'AWS::SQS::Queue' } } }
`);
    expect(functions[0]).toEqual({ name: 'one', module: 'functions/one/handler', timeoutSeconds: 6 });
    expect(routes).toMatchObject([{ resource: '/one', method: 'GET', streaming: false, timeoutMs: 29_000 }]);
    expect(queues).toMatchObject([
      {
        name: 'jobs',
        fifo: false,
        visibilityTimeoutSeconds: 30,
        worker: { function: 'two', batchSize: 10, maximumConcurrency: 10 },
      },
    ]);
    expect(schedules).toEqual([]);
  });

  it("resolves nested variables, and keeps CloudFormation's variables", async () => {
    const { resources } = await readText(`
custom: { kind: own, names: { own: mine } }
provider: {}
functions: {}
resources: { Resources: { A: { Type: T, Properties: { Name: '\${self:custom.names.\${self:custom.kind}}-\${A.Arn}-\${AWS::Region}' } } } }
`);
    expect(resources.A?.Properties).toEqual({ Name: `mine-\${A.Arn}-\${AWS::Region}` });
  });

  it.each([
    ['a variable', ['provider: { timeout: "', '{ssm:/x}" }\nfunctions: {}'].join('$'), 'ssm'],
    [
      'a schedule',
      [
        'provider: {}',
        'functions: { a: { handler: a.handler } }',
        "resources: { Resources: { S: { Type: 'AWS::Scheduler::Schedule', Properties: { ScheduleExpression: 'cron(0 * * * ? *)',",
        " Target: { Arn: { 'Fn::GetAtt': [ALambdaFunction, Arn] } } } } } }",
      ].join('\n'),
      'cron',
    ],
  ])('reports unsupported syntax: %s', async (_what, text, named) => {
    await expect(readText(text)).rejects.toThrow(named);
  });
});
