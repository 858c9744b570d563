import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../../infra/local/service-file.ts';
import { ROUTE_GROUPS } from '../../../infra/openapi.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const definition = readServiceFile(join(root, 'serverless.yml'));
const resources = definition.routes.map(({ resource }) => resource);

async function readText(text: string) {
  const file = join(await tempFolder(), 'serverless.yml');
  await writeFile(file, text);
  return readServiceFile(file);
}

describe('serverless.yml', () => {
  it('deploys each resource of the route groups once, and nothing else', () => {
    const paths = new Set(Object.values(ROUTE_GROUPS).flatMap((routes) => routes.map(({ path }) => path)));
    expect([...resources].sort()).toEqual([...paths].sort());
  });

  it('leaves every method to the router, and puts the authorizer before all routes that are not public', () => {
    const access = new Map(
      Object.values(ROUTE_GROUPS).flatMap((routes) => routes.map(({ path, access }) => [path, access])),
    );
    for (const { resource, method, authorizer, cors } of definition.routes) {
      expect([resource, method, cors]).toEqual([
        resource,
        'ANY',
        { origins: ['*'], headers: expect.arrayContaining(['idempotency-key']) },
      ]);
      const expected =
        access.get(resource) === 'public'
          ? undefined
          : { function: 'authorizer', ttlSeconds: 0, identityHeader: 'Authorization' };
      expect([resource, authorizer]).toEqual([resource, expected]);
    }
  });

  it('names functions that exist', () => {
    for (const { module } of definition.functions)
      expect([module, existsSync(join(root, `${module}.ts`))]).toEqual([module, true]);
  });

  it('gives every queue a worker and dead letters, and six times the worker’s time', () => {
    const queues = definition.queues.filter(({ name }) => !name.endsWith('dead-letters'));
    expect(queues.filter(({ fifo }) => fifo).map(({ name }) => name)).toEqual(['commit', 'maintain', 'bot']);
    for (const queue of queues) {
      const maxReceiveCount = queue.fifo ? 5 : 8;
      expect(queue).toMatchObject({ maxReceiveCount, deadLetterQueue: `${queue.name}-dead-letters` });
      const worker = definition.functions.find(({ name }) => name === queue.worker?.function);
      // A message that failed holds up its chat until it is seen again.
      const times = queue.name === 'bot' ? 1 : 6;
      expect(queue.visibilityTimeoutSeconds).toBe(times * (worker?.timeoutSeconds ?? 0));
    }
  });

  it('runs the scheduler every minute and takes multipart as binary', () => {
    expect(definition.schedules).toEqual([{ function: 'scheduler', everyMs: 60_000 }]);
    expect(definition.binaryMediaTypes).toContain('multipart/form-data');
  });
});

describe('readServiceFile', () => {
  it('takes the framework’s defaults where the file says nothing', async () => {
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

  it('resolves variables inside variables, and leaves those of CloudFormation', async () => {
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
  ])('names %s that it does not understand', async (_what, text, named) => {
    await expect(readText(text)).rejects.toThrow(named);
  });
});
