import { describe, expect, it } from '@jest/globals';
import type { Template, TemplateResource } from '../../infra/stack/template.ts';
import { readStack } from '../lanes/packaged-service.ts';
import { LIMITS, type Templates } from './aws-limits.ts';

const PACKAGED: Templates = {
  data: readStack('data'),
  functions: readStack('functions'),
  console: readStack('console'),
  alarms: readStack('alarms'),
};

/** One change per limit that exceeds it. */
const FAULTS: Record<string, (templates: Templates) => void> = {
  'A function name has at most 64 characters': change('AWS::Lambda::Function', (own) => {
    own.FunctionName = `workspace-research-test-${'x'.repeat(25)}`;
  }),
  'Environment variables of a function have at most 4 KB': change('AWS::Lambda::Function', (own) => {
    own.Environment = { Variables: { LONG: 'x'.repeat(4096) } };
  }),
  'A function has at most five layers': change('AWS::Lambda::Function', (own) => {
    own.Layers = [1, 2, 3, 4, 5, 6];
  }),
  'A visibility timeout is at least the timeout of the function': change('AWS::SQS::Queue', (own) => {
    own.VisibilityTimeout = 1;
  }),
  'A FIFO queue gives at most ten messages at once, and has no batching window': ({ functions }) => {
    for (const own of ofType(functions, 'AWS::Lambda::EventSourceMapping'))
      own.MaximumBatchingWindowInSeconds = 1;
  },
  'A batch of more than ten needs a batching window': ({ functions }) => {
    for (const own of ofType(functions, 'AWS::Lambda::EventSourceMapping')) own.BatchSize = 11;
  },
  'A mapping asks for 2 to 1,000 at once': change('AWS::Lambda::EventSourceMapping', (own) => {
    own.ScalingConfig = { MaximumConcurrency: 1 };
  }),
  'A dead-letter queue is FIFO if its queue is': ({ functions }) => {
    for (const own of ofType(functions, 'AWS::SQS::Queue'))
      if (own.RedrivePolicy) own.FifoQueue = !own.FifoQueue;
  },
  'API Gateway assumes a role without aws:SourceAccount': ({ functions }) => {
    const { AssumeRolePolicyDocument: trust } = functions.Resources.InvokeRole?.Properties ?? {};
    trust.Statement[0].Condition = { StringEquals: { 'aws:SourceAccount': '123456789012' } };
  },
  'A role has at most ten managed policies': change('AWS::IAM::Role', (own) => {
    own.ManagedPolicyArns = Array(11).fill('arn');
  }),
  'Inline policies of a role have at most 10,240 characters': change('AWS::IAM::Role', (own) => {
    own.Policies = [{ PolicyDocument: { Statement: Array(100).fill({ 'Fn::GetAtt': ['Table', 'Arn'] }) } }];
  }),
  'A trust policy has at most 2,048 characters': change('AWS::IAM::Role', (own) => {
    own.AssumeRolePolicyDocument = { Statement: 'x'.repeat(2048) };
  }),
  'A managed policy has at most 6,144 characters': add('AWS::IAM::ManagedPolicy', 1, () => ({
    PolicyDocument: { Statement: 'x'.repeat(6144) },
  })),
  'An API has at most 300 resources': change('AWS::ApiGateway::RestApi', ({ Body }) => {
    for (let number = 0; number < 300; number += 1) Body.paths[`/p${number}`] = {};
  }),
  'A document of an API has at most 6 MB': change('AWS::ApiGateway::RestApi', ({ Body }) => {
    Body.info.description = 'x'.repeat(6_000_000);
  }),
  'An API has at most ten authorizers': change('AWS::ApiGateway::RestApi', ({ Body }) => {
    for (let number = 0; number < 10; number += 1) Body.components.securitySchemes[`a${number}`] = {};
  }),
  'An integration answers within 29 seconds, or streams for at most 15 minutes': change(
    'AWS::ApiGateway::RestApi',
    ({ Body }) => {
      Body.paths['/p'] = { get: { 'x-amazon-apigateway-integration': { timeoutInMillis: 30_000 } } };
    },
  ),
  'A path has one variable part below it': change('AWS::ApiGateway::RestApi', ({ Body }) => {
    Object.assign(Body.paths, { '/p/{one}': {}, '/p/{other+}': {} });
  }),
  'A CloudFront function has at most 10 KB': change('AWS::CloudFront::Function', (own) => {
    own.FunctionCode = 'x'.repeat(10_241);
  }),
  'CloudFront waits at most 120 seconds for an answer': change('AWS::CloudFront::Distribution', (own) => {
    own.DistributionConfig.Origins = [{ CustomOriginConfig: { OriginReadTimeout: 121 } }];
  }),
  'A response headers policy has at most ten custom headers': change(
    'AWS::CloudFront::ResponseHeadersPolicy',
    (own) => {
      own.ResponseHeadersPolicyConfig.CustomHeadersConfig.Items = Array(11).fill({ Value: 'x' });
    },
  ),
  'A header of a response headers policy has at most 1,783 characters': change(
    'AWS::CloudFront::ResponseHeadersPolicy',
    (own) => {
      own.ResponseHeadersPolicyConfig.CustomHeadersConfig.Items = [{ Value: 'x'.repeat(1784) }];
    },
  ),
  'A file system has one mount target in a zone': change('AWS::EC2::Subnet', (own, { functions }) => {
    for (const subnet of ofType(functions, 'AWS::EC2::Subnet'))
      subnet.AvailabilityZone = own.AvailabilityZone;
  }),
  'A backup vault name has at most 50 characters, all of them letters, digits, hyphens, or underscores':
    change('AWS::Backup::BackupVault', (own) => {
      const id = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
      own.BackupVaultName = { 'Fn::Join': ['-', ['workspace-research-test-bucket', id]] };
    }),
};

type Properties = TemplateResource['Properties'];

function ofType({ Resources }: Template, type: string): Properties[] {
  return Object.values(Resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));
}

/** Changes the first resource of the type. */
function change(type: string, by: (properties: Properties, templates: Templates) => void) {
  return (templates: Templates) => {
    const [first] = Object.values(templates).flatMap((template) => ofType(template, type));
    by(first, templates);
  };
}

function add(Type: string, count: number, properties: (number: number) => Properties) {
  return ({ functions }: Templates) => {
    for (let number = 0; number < count; number += 1) {
      functions.Resources[`Added${number}`] = { Type, Properties: properties(number) };
    }
  };
}

describe('the packaged templates', () => {
  it.each(Object.entries(LIMITS))('respect the limit: %s', (_limit, offenders) => {
    expect(offenders(PACKAGED)).toEqual([]);
  });
});

describe('a template that exceeds a limit', () => {
  it.each(Object.entries(LIMITS))('is detected: %s', (limit, offenders) => {
    const templates = structuredClone(PACKAGED);
    FAULTS[limit]?.(templates);
    expect(offenders(templates)).not.toEqual([]);
  });
});
