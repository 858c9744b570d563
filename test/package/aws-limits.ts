import type { StackName } from '../../infra/stack/split.ts';
import type { Template, TemplateResource } from '../../infra/stack/template.ts';
import { MAX_BYTES, variableBytes, writtenOut } from '../../infra/stack/variables.ts';

/**
 * Limits that AWS checks when a resource is created, but neither the linter nor the emulator checks. Each
 * function returns the values over its limit. docs/architecture/aws-refusals.md has the sources.
 */
export type Templates = Record<StackName, Template>;
type Offenders = (templates: Templates) => string[];

/** A stage's name has at most 20 characters (infra/package.ts). The packaged name is `test`. */
const LONGEST_STAGE = 20 - 'test'.length;
/** Replaces a reference, which becomes an ARN or a URL with a generated name. */
const REFERENCE = 'x'.repeat(120);
const MAX_INTEGRATION_MS = 29_000;
const MAX_STREAM_MS = 15 * 60_000;

type Properties = TemplateResource['Properties'];
type Found = [id: string, properties: Properties];

function all({ data, functions, console, alarms }: Templates, type: string): Found[] {
  const resources = [data, functions, console, alarms].flatMap((template) =>
    Object.entries(template.Resources),
  );
  return resources.flatMap(([id, own]) => (own.Type === type ? [[id, own.Properties ?? {}] as Found] : []));
}

function over(found: Found[], isOver: (properties: Properties) => boolean): string[] {
  return found.flatMap(([id, properties]) => (isOver(properties) ? id : []));
}

const STACK_ID = `arn:aws:cloudformation:eu-west-1:111122223333:stack/${'s'.repeat(30)}/01234567-89ab-cdef-0123-456789abcdef`;

/** Returns a name that is composed of the stack's ID, as CloudFormation does it. */
function joined(value: Properties): string {
  if (typeof value === 'string') return value;
  if (value?.Ref === 'AWS::StackId') return STACK_ID;
  if (value?.['Fn::Join']) return value['Fn::Join'][1].map(joined).join(value['Fn::Join'][0]);
  const [place, list] = value?.['Fn::Select'] ?? [];
  if (list?.['Fn::Split']) return joined(list['Fn::Split'][1]).split(list['Fn::Split'][0])[place] ?? '';
  return REFERENCE;
}

/** Returns the APIs with routes, as they are imported. */
function documents(templates: Templates): Properties[] {
  return all(templates, 'AWS::ApiGateway::RestApi').map(([, { Body }]) => Body);
}

/** Returns the resources that API Gateway creates for the paths. `/api/notes` needs two. */
function pathParts(templates: Templates): Set<string> {
  const paths = documents(templates).flatMap(({ paths }) => Object.keys(paths));
  const parts = paths.map((path) => path.split('/').slice(1));
  return new Set(parts.flatMap((own) => own.map((_, at) => `/${own.slice(0, at + 1).join('/')}`)));
}

/** IAM doesn't count white space. */
function size(document: unknown): number {
  return JSON.stringify(writtenOut(document)).replace(/\s/g, '').length;
}

function mappings(
  templates: Templates,
  isOver: (own: Properties, queue: Properties, worker: Properties) => boolean,
): string[] {
  const queues = new Map(all(templates, 'AWS::SQS::Queue'));
  const functions = new Map(all(templates, 'AWS::Lambda::Function'));
  return over(all(templates, 'AWS::Lambda::EventSourceMapping'), (own) =>
    isOver(
      own,
      queues.get(own.EventSourceArn['Fn::GetAtt'][0]) ?? {},
      functions.get(own.FunctionName['Fn::GetAtt'][0]) ?? {},
    ),
  );
}

export const LIMITS: Record<string, Offenders> = {
  'A function name has at most 64 characters': (templates) =>
    over(
      all(templates, 'AWS::Lambda::Function'),
      ({ FunctionName }) => String(FunctionName).length + LONGEST_STAGE > 64,
    ),
  'Environment variables of a function have at most 4 KB': (templates) =>
    over(
      all(templates, 'AWS::Lambda::Function'),
      (Properties) => variableBytes({ Type: 'AWS::Lambda::Function', Properties }) > MAX_BYTES,
    ),
  'A function has at most five layers': (templates) =>
    over(all(templates, 'AWS::Lambda::Function'), ({ Layers = [] }) => Layers.length > 5),
  'A visibility timeout is at least the timeout of the function': (templates) =>
    mappings(templates, (_, { VisibilityTimeout = 30 }, { Timeout = 3 }) => VisibilityTimeout < Timeout),
  'A FIFO queue gives at most ten messages at once, and has no batching window': (templates) =>
    mappings(
      templates,
      ({ BatchSize = 10, MaximumBatchingWindowInSeconds: window = 0 }, { FifoQueue }) =>
        FifoQueue === true && (BatchSize > 10 || window > 0),
    ),
  'A batch of more than ten needs a batching window': (templates) =>
    mappings(
      templates,
      ({ BatchSize = 10, MaximumBatchingWindowInSeconds: window = 0 }, { FifoQueue }) =>
        FifoQueue !== true && BatchSize > 10 && window < 1,
    ),
  'A mapping asks for 2 to 1,000 at once': (templates) =>
    mappings(templates, ({ ScalingConfig }) => {
      const most = ScalingConfig?.MaximumConcurrency ?? 2;
      return most < 2 || most > 1000;
    }),
  'A dead-letter queue is FIFO if its queue is': (templates) => {
    const queues = new Map(all(templates, 'AWS::SQS::Queue'));
    return over(all(templates, 'AWS::SQS::Queue'), ({ FifoQueue = false, RedrivePolicy }) => {
      const dead = queues.get(RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0]);
      return dead !== undefined && (dead.FifoQueue ?? false) !== FifoQueue;
    });
  },
  'API Gateway assumes a role without aws:SourceAccount': (templates) =>
    over(all(templates, 'AWS::IAM::Role'), ({ AssumeRolePolicyDocument: trust }) => {
      const text = JSON.stringify(trust);
      return text.includes('apigateway.amazonaws.com') && text.includes('aws:SourceAccount');
    }),
  'A role has at most ten managed policies': (templates) =>
    over(all(templates, 'AWS::IAM::Role'), ({ ManagedPolicyArns = [] }) => ManagedPolicyArns.length > 10),
  'Inline policies of a role have at most 10,240 characters': (templates) =>
    over(all(templates, 'AWS::IAM::Role'), ({ Policies = [] }) => {
      const sizes = Policies.map(({ PolicyDocument }: { PolicyDocument: object }) => size(PolicyDocument));
      return sizes.reduce((sum: number, own: number) => sum + own, 0) > 10_240;
    }),
  'A trust policy has at most 2,048 characters': (templates) =>
    over(
      all(templates, 'AWS::IAM::Role'),
      ({ AssumeRolePolicyDocument }) => size(AssumeRolePolicyDocument) > 2048,
    ),
  'A managed policy has at most 6,144 characters': (templates) =>
    over(all(templates, 'AWS::IAM::ManagedPolicy'), ({ PolicyDocument }) => size(PolicyDocument) > 6144),
  'An API has at most 300 resources': (templates) => [...pathParts(templates)].slice(300),
  'An API has at most ten authorizers': (templates) =>
    documents(templates).flatMap(({ components }) => Object.keys(components.securitySchemes).slice(10)),
  'A document of an API has at most 6 MB': (templates) =>
    documents(templates).flatMap((body) =>
      JSON.stringify(writtenOut(body)).length > 6_000_000 ? [body.info.title] : [],
    ),
  'An integration answers within 29 seconds, or streams for at most 15 minutes': (templates) =>
    documents(templates).flatMap((body) =>
      Object.entries<Record<string, Properties>>(body.paths).flatMap(([path, operations]) => {
        const limits = Object.values(operations).map((operation) => {
          const { timeoutInMillis = 29_000, responseTransferMode } =
            operation['x-amazon-apigateway-integration'];
          return timeoutInMillis > (responseTransferMode === 'STREAM' ? MAX_STREAM_MS : MAX_INTEGRATION_MS);
        });
        return limits.includes(true) ? [path] : [];
      }),
    ),
  'A path has one variable part below it': (templates) => {
    const variable = [...pathParts(templates)].filter((path) => /\/\{[^/]+$/.test(path));
    const parents = variable.map((path) => path.slice(0, path.lastIndexOf('/')));
    return variable.filter((_, place) => parents.indexOf(parents[place] ?? '') !== place);
  },
  'A CloudFront function has at most 10 KB': (templates) =>
    over(
      all(templates, 'AWS::CloudFront::Function'),
      ({ FunctionCode }) => Buffer.byteLength(FunctionCode) > 10_240,
    ),
  'CloudFront waits at most 120 seconds for an answer': (templates) =>
    over(all(templates, 'AWS::CloudFront::Distribution'), ({ DistributionConfig: { Origins } }) =>
      Origins.some(
        (origin: { CustomOriginConfig?: { OriginReadTimeout?: number } }) =>
          (origin.CustomOriginConfig?.OriginReadTimeout ?? 30) > 120,
      ),
    ),
  'A response headers policy has at most ten custom headers': (templates) =>
    over(
      all(templates, 'AWS::CloudFront::ResponseHeadersPolicy'),
      ({ ResponseHeadersPolicyConfig: { CustomHeadersConfig } }) =>
        (CustomHeadersConfig?.Items ?? []).length > 10,
    ),
  'A header of a response headers policy has at most 1,783 characters': (templates) =>
    over(
      all(templates, 'AWS::CloudFront::ResponseHeadersPolicy'),
      ({ ResponseHeadersPolicyConfig: config }) => {
        const custom = (config.CustomHeadersConfig?.Items ?? []).map(
          ({ Value }: { Value: unknown }) => Value,
        );
        const security = config.SecurityHeadersConfig?.ContentSecurityPolicy?.ContentSecurityPolicy;
        const lengths = [...custom, security?.['Fn::Sub'] ?? security ?? ''].map(
          (value) => String(value).length,
        );
        return Math.max(...lengths) > 1783;
      },
    ),
  'A file system has one mount target in a zone': (templates) => {
    const subnets = new Map(all(templates, 'AWS::EC2::Subnet'));
    const zones = all(templates, 'AWS::EFS::MountTarget').map(([id, { SubnetId }]): [string, string] => [
      id,
      JSON.stringify(subnets.get(SubnetId.Ref)?.AvailabilityZone ?? SubnetId),
    ]);
    return zones.flatMap(([id, zone], place) =>
      zones.slice(0, place).some(([, other]) => other === zone) ? id : [],
    );
  },
  'A backup vault name has at most 50 characters, all of them letters, digits, hyphens, or underscores': (
    templates,
  ) =>
    over(all(templates, 'AWS::Backup::BackupVault'), ({ BackupVaultName }) => {
      const name = joined(BackupVaultName);
      return name.length + LONGEST_STAGE > 50 || !/^[\w-]{2,}$/.test(name);
    }),
};
