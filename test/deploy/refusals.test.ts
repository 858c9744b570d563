import { randomUUID } from 'node:crypto';
import {
  CloudFormationClient,
  CreateChangeSetCommand,
  DescribeStackEventsCommand,
} from '@aws-sdk/client-cloudformation';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { changeStack, deleteStack, findStack } from '../../infra/stack/cloudformation.ts';
import { putTemplate } from '../../infra/stack/code-bucket.ts';
import type { Template } from '../../infra/stack/template.ts';
import { closing, createBucket, emulatorS3Client, emulatorSettings } from '../support/emulator.ts';

/**
 * Rejections of test/lanes/servers/aws_refusals.py, in AWS's own words if they are known;
 * docs/architecture/aws-refusals.md has the sources. They are in another region than the service, which is
 * empty.
 */
jest.setTimeout(60_000);

const client = closing(
  new CloudFormationClient({ ...emulatorSettings('MINISTACK_URL'), region: 'us-east-1' }),
);
const s3 = emulatorS3Client('MINISTACK_URL');
let put: (body: string) => Promise<string>;

type Resources = Template['Resources'];
type Change = Partial<Parameters<typeof changeStack>[1]>;

beforeAll(async () => {
  const bucket = await createBucket(s3, `refusals-${randomUUID()}`);
  put = (body) => putTemplate(s3, bucket, body);
});

function newStack(): string {
  return `refused-${randomUUID().slice(0, 8)}`;
}

function deploy(name: string, template: Template, others: Change = {}): Promise<boolean> {
  return changeStack(client, { name, template, put, every: 0.2, ...others });
}

async function expectRefused(Resources: Resources, message: string, before?: Resources): Promise<void> {
  const name = newStack();
  if (before !== undefined) await deploy(name, { Resources: before });
  await expect(deploy(name, { Resources })).rejects.toThrow(message);
}

function queue(QueueName?: string) {
  return { Type: 'AWS::SQS::Queue', Properties: QueueName === undefined ? {} : { QueueName } };
}

const API = { Ref: 'Api' };
const ROOT = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };
const api: Resources = {
  Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'refused' } },
};

const method = {
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: API,
    ResourceId: ROOT,
    HttpMethod: 'GET',
    AuthorizationType: 'NONE',
    Integration: { Type: 'MOCK' },
  },
};

function apiDeployment(properties: object = {}) {
  const Properties = { RestApiId: API, ...properties };
  return { Type: 'AWS::ApiGateway::Deployment', DependsOn: 'Method', Properties };
}

function apiStage(deployment: string, properties: object = {}) {
  const Properties = { RestApiId: API, StageName: 'own', DeploymentId: { Ref: deployment }, ...properties };
  return { Type: 'AWS::ApiGateway::Stage', Properties };
}

/** An API with a deployment, plus these resources. */
function deployedApi(more: Resources = {}): Resources {
  return { ...api, Method: method, Deployment1: apiDeployment(), ...more };
}

function lambda(properties: object) {
  const Properties = {
    Code: { ZipFile: 'exports.handler = async () => 1;' },
    Handler: 'index.handler',
    Role: 'arn:aws:iam::000000000000:role/any',
    Runtime: 'nodejs24.x',
    ...properties,
  };
  return { Type: 'AWS::Lambda::Function', Properties };
}

describe('template', () => {
  const many = <Value>(count: number, value: Value): Record<string, Value> =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`N${number}`, value]));
  const long = { Description: 'x'.repeat(51_200), Resources: { Queue: queue() } };

  it('has at most 51,200 bytes in a request, and a million bytes in a bucket', async () => {
    const inRequest = changeStack(client, { name: newStack(), template: long, every: 0.2 });
    await expect(inRequest).rejects.toThrow('Member must have length less than or equal to 51200');
    const huge = { ...long, Description: 'x'.repeat(1_000_001) };
    await expect(deploy(newStack(), huge)).rejects.toThrow('Template may not exceed 1000000 bytes in size');
  });

  it.each<[string, Template]>([
    ['Number of resources, 501, is greater', { Resources: many(501, queue()) }],
    [
      'Number of outputs, 201, is greater',
      { Resources: { Queue: queue() }, Outputs: many(201, { Value: 'x' }) },
    ],
    [
      'Number of parameters, 201, is greater',
      { Resources: { Queue: queue() }, Parameters: many(201, { Type: 'String', Default: '' }) },
    ],
  ])('is too large: %s', async (message, template) => {
    await expect(deploy(newStack(), template)).rejects.toThrow(message);
  });

  it.each<[string, Resources]>([
    ['a reference', { Queue: { ...queue(), Properties: { QueueName: { Ref: 'Nothing' } } } }],
    [
      'an attribute',
      { Queue: { ...queue(), Properties: { QueueName: { 'Fn::GetAtt': ['Nothing', 'Arn'] } } } },
    ],
    ['a string', { Queue: { ...queue(), Properties: { QueueName: { 'Fn::Sub': `\${Nothing.Arn}-x` } } } }],
    ['a dependency', { Queue: { ...queue(), DependsOn: 'Nothing' } }],
  ])('is rejected for an unknown reference: %s', (_what, resources) =>
    expectRefused(
      resources,
      'Unresolved resource dependencies [Nothing] in the Resources block of the template',
    ),
  );

  it('is rejected for a circular dependency', () =>
    expectRefused(
      { A: { ...queue(), DependsOn: 'B' }, B: { ...queue(), DependsOn: 'A' } },
      'Circular dependency between resources',
    ));

  it('may name a role only with the capability for it', () =>
    expectRefused(
      { Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'named', AssumeRolePolicyDocument: {} } } },
      'Requires capabilities : [CAPABILITY_NAMED_IAM]',
    ));

  it('is rejected with an undeclared parameter', async () => {
    const input = {
      StackName: newStack(),
      ChangeSetName: 'change',
      ChangeSetType: 'CREATE' as const,
      TemplateBody: JSON.stringify({ Resources: { Queue: queue() } }),
      Parameters: [{ ParameterKey: 'Unknown', ParameterValue: '1' }],
    };
    await expect(client.send(new CreateChangeSetCommand(input))).rejects.toThrow(
      'Parameters: [Unknown] do not exist in the template',
    );
  });
});

describe('resource name', () => {
  it('is taken while another resource has it, even a resource to be deleted', async () => {
    const name = newStack();
    await expectRefused({ A: queue(name), B: queue(name) }, `${name} already exists in stack`);
    await expectRefused({ B: queue(name) }, `${name} already exists in stack`, { A: queue(name) });
  });

  it('must change if a property requires a replacement', () => {
    const topic = (FifoTopic: boolean) => ({
      Type: 'AWS::SNS::Topic',
      Properties: { TopicName: 'refused.fifo', FifoTopic },
    });
    return expectRefused(
      { Topic: topic(false) },
      'CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename refused.fifo',
      { Topic: topic(true) },
    );
  });
});

describe('API document', () => {
  const integration = { 'x-amazon-apigateway-integration': { type: 'mock' } };
  const imported = (...paths: string[]): Resources => {
    const Body = {
      openapi: '3.0.1',
      paths: Object.fromEntries(paths.map((path) => [path, { get: integration }])),
    };
    return {
      Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'refused', Mode: 'overwrite', Body } },
    };
  };

  it('allows one variable segment below a path', () =>
    expectRefused(
      imported('/{asset}', '/{proxy+}'),
      'A sibling ({asset}) of this resource already has a variable path part -- only one is allowed',
    ));

  it('replaces the previous API, so that a path may have another variable', async () => {
    const name = newStack();
    await deploy(name, { Resources: imported('/{asset}') });
    expect(await deploy(name, { Resources: imported('/{proxy+}') })).toBe(true);
  });
});

describe('API deployment', () => {
  const settings = { StageName: 'made', StageDescription: { TracingEnabled: true } };

  it("can't have a description for an existing stage", () =>
    expectRefused(
      { ...api, Method: method, Deployment2: apiDeployment(settings) },
      'StageDescription cannot be specified when stage referenced by StageName already exists',
      { ...api, Method: method, Deployment1: apiDeployment(settings) },
    ));

  it('needs a method', () => {
    const { DependsOn: _, ...bare } = apiDeployment();
    return expectRefused({ ...api, Deployment1: bare }, "The REST API doesn't contain any methods");
  });

  it('is kept while a stage uses it, and the update completes anyway', async () => {
    const name = newStack();
    await deploy(name, {
      Resources: deployedApi({ Stage: { ...apiStage('Deployment1'), DeletionPolicy: 'Retain' } }),
    });
    await deploy(name, { Resources: { ...api, Method: method } });
    const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand({ StackName: name }));
    expect(StackEvents).toContainEqual(
      expect.objectContaining({
        LogicalResourceId: 'Deployment1',
        ResourceStatus: 'DELETE_FAILED',
        ResourceStatusReason: 'Active stages pointing to this deployment must be moved or deleted',
      }),
    );
  });
});

describe('API stage', () => {
  it('has a unique name', () =>
    expectRefused(
      deployedApi({ Stage1: apiStage('Deployment1'), Stage2: apiStage('Deployment1') }),
      'Stage already exists',
    ));

  it('is rejected if its deployment is missing', () =>
    expectRefused(
      deployedApi({ Stage: apiStage('Deployment1', { DeploymentId: 'none' }) }),
      'Invalid Deployment identifier specified',
    ));

  it('is updated by at most 80 operations, with two for each method', async () => {
    const settings = (count: number, rate: number) => ({
      MethodSettings: Array.from({ length: count }, (_, number) => ({
        ...{ ResourcePath: `/p${number}`, HttpMethod: 'GET' },
        ...{ ThrottlingRateLimit: rate, ThrottlingBurstLimit: rate },
      })),
    });
    const name = newStack();
    const stage = (count: number, rate: number) =>
      deploy(name, { Resources: deployedApi({ Stage: apiStage('Deployment1', settings(count, rate)) }) });
    await expect(stage(41, 1)).rejects.toThrow('Update size too large');
    expect(await stage(40, 1)).toBe(true);
    // Settings that don't change need no operation.
    expect(await stage(80, 1)).toBe(true);
    await expect(stage(80, 2)).rejects.toThrow('Update size too large');
  });

  it('writes no log until the account has a role for it', () => {
    const AccessLogSetting = {
      DestinationArn: 'arn:aws:logs:us-east-1:000000000000:log-group:x',
      Format: '{}',
    };
    return expectRefused(
      deployedApi({ Stage: apiStage('Deployment1', { AccessLogSetting }) }),
      'CloudWatch Logs role ARN must be set in account settings to enable logging',
    );
  });
});

describe('account', () => {
  it('keeps a hundred executions for functions without reserved concurrency', () =>
    expectRefused(
      {
        A: lambda({ ReservedConcurrentExecutions: 800 }),
        B: lambda({ ReservedConcurrentExecutions: 101 }),
      },
      'UnreservedConcurrentExecution below its minimum value of [100]',
    ));

  it('allows one mapping of a queue to a function', () => {
    const Properties = {
      EventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:any',
      FunctionName: { 'Fn::GetAtt': ['Function', 'Arn'] },
    };
    const mapping = { Type: 'AWS::Lambda::EventSourceMapping', Properties };
    return expectRefused({ Function: lambda({}), New: mapping }, 'already exists. Please update or delete', {
      Function: lambda({}),
      Old: mapping,
    });
  });
});

describe("stack that couldn't be deleted", () => {
  it("stays and can't be updated if its bucket has objects", async () => {
    const name = newStack();
    const BucketName = `${name}-bucket`;
    const Resources = { Bucket: { Type: 'AWS::S3::Bucket', Properties: { BucketName } } };
    await deploy(name, { Resources });
    await s3.send(new PutObjectCommand({ Bucket: BucketName, Key: 'a', Body: 'a' }));
    await expect(deleteStack(client, name, 0.2)).rejects.toThrow(
      'The bucket you tried to delete is not empty',
    );
    await expect(deploy(name, { Resources: { ...Resources, Queue: queue() } })).rejects.toThrow(
      'is in DELETE_FAILED state and can not be updated',
    );
  });
});

describe('failed update', () => {
  it('leaves the resources unchanged', async () => {
    const name = newStack();
    const resources = deployedApi({ Stage: apiStage('Deployment1') });
    await deploy(name, { Resources: resources });
    const broken = deployedApi({
      Deployment2: apiDeployment(),
      Stage: apiStage('Deployment2'),
      ZRefused: { ...apiStage('Deployment2'), DependsOn: 'Stage' },
    });
    await expect(deploy(name, { Resources: broken })).rejects.toThrow('Stage already exists');
    expect(await findStack(client, name)).toMatchObject({ StackStatus: 'UPDATE_ROLLBACK_COMPLETE' });
    expect(await deploy(name, { Resources: resources })).toBe(false);
    await deleteStack(client, name, 0.2);
  });
});
