import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as yaml from 'js-yaml';

/** The parts of serverless.yml that the host uses: the deployed routes, queues, schedules, and time limits. */
export interface ServiceDefinition {
  functions: FunctionDefinition[];
  routes: RouteDefinition[];
  queues: QueueWithWorker[];
  schedules: ScheduleDefinition[];
  /** Media types that API Gateway passes as base64. */
  binaryMediaTypes: string[];
  /** The stack's own resources by logical ID, in CloudFormation's form. */
  resources: Record<string, CloudFormationResource>;
}

export interface CloudFormationResource {
  Type: string;
  Properties?: Yaml;
}

interface FunctionDefinition {
  name: string;
  /** Path of the source file without its extension: `functions/chat/handler`. */
  module: string;
  timeoutSeconds: number;
  role: string;
  environment: Record<string, unknown>;
}

export interface RouteDefinition {
  /** The path in API Gateway's notation: `/api/files/uploads/{uploadId}`. */
  resource: string;
  /** Upper case, or ANY. */
  method: string;
  function: string;
  /** Without the header `identityHeader`, the gateway itself rejects the request. */
  authorizer?: { function: string; ttlSeconds: number; identityHeader?: string };
  streaming: boolean;
  timeoutMs: number;
  cors?: Cors;
}

/** The gateway's own response to OPTIONS. */
export interface Cors {
  headers: string[];
}

export interface QueueWithWorker {
  name: string;
  fifo: boolean;
  visibilityTimeoutSeconds: number;
  maxReceiveCount?: number;
  deadLetterQueue?: string;
  /** True if the worker constantly extends the visibility timeout, which is shorter than its work. */
  renewed?: boolean;
  /** Absent for dead-letter queues. */
  worker?: {
    function: string;
    batchSize: number;
    maximumConcurrency: number;
    /** True if the worker mostly waits for other services, so many batches may run in one thread. */
    waits: boolean;
    /** True if the worker waits and computes hashes, so a few of its batches share a dedicated thread. */
    streams: boolean;
    /** True if the worker may occupy a thread for minutes, so its threads are dedicated. */
    slow: boolean;
    /** True for short work that must not wait for the worker's other work, so it has a dedicated thread. */
    quick: boolean;
  };
}

interface ScheduleDefinition {
  function: string;
  everyMs: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a YAML file has no type; every field is read once, here.
type Yaml = any;

/** API Gateway's own limit for an integration that doesn't stream, in milliseconds. */
const GATEWAY_TIMEOUT_MS = 29_000;

/** Reads serverless.yml with its fragments and the stage's file. Throws an Error that names unsupported parts. */
export function readServiceFile(file: string, stage = 'dev'): ServiceDefinition {
  const document = resolveVariables(file, stage);
  const functions = Object.entries<Yaml>(document.functions);
  return {
    functions: functions.map(([name, fn]) => ({
      name,
      module: fn.handler.replace(/\.handler$/, ''),
      timeoutSeconds: fn.timeout ?? document.provider.timeout,
      role: fn.role,
      environment: fn.environment,
    })),
    routes: functions.flatMap(([name, fn]) => routesOf(name, fn)),
    queues: queuesOf(document, functions),
    schedules: schedulesOf(document, functions),
    binaryMediaTypes: document.provider.apiGateway?.binaryMediaTypes ?? [],
    resources: resourcesOf(document),
  };
}

function eventsOf(fn: Yaml, type: string): Yaml[] {
  return (fn.events ?? []).map((event: Yaml) => event[type]).filter((event: Yaml) => event !== undefined);
}

function routesOf(name: string, fn: Yaml): RouteDefinition[] {
  return eventsOf(fn, 'http').map((event) => ({
    resource: event.path,
    method: event.method.toUpperCase(),
    function: name,
    authorizer: event.authorizer && {
      function: event.authorizer.name,
      ttlSeconds: event.authorizer.resultTtlInSeconds ?? 300,
      identityHeader: identityHeader(event.authorizer.identitySource),
    },
    streaming: event.response?.transferMode === 'STREAM',
    timeoutMs: event.timeoutInMillis ?? GATEWAY_TIMEOUT_MS,
    cors: event.cors,
  }));
}

/** `method.request.header.Authorization`; no other kind of source is used. */
function identityHeader(source: string | undefined): string | undefined {
  const header = /^method\.request\.header\.([\w-]+)$/.exec(source ?? '')?.[1];
  if (source !== undefined && header === undefined)
    throw new Error(`serverless.yml: the identity source ${source} is not supported here.`);
  return header;
}

function queuesOf(document: Yaml, functions: [string, Yaml][]): QueueWithWorker[] {
  const resources = Object.entries(resourcesOf(document)).filter(([, it]) => it.Type === 'AWS::SQS::Queue');
  return resources.map(([id, { Properties: properties = {} }]) => ({
    name: queueName(id),
    fifo: properties.FifoQueue === true,
    visibilityTimeoutSeconds: properties.VisibilityTimeout ?? 30,
    maxReceiveCount: properties.RedrivePolicy?.maxReceiveCount,
    deadLetterQueue:
      properties.RedrivePolicy && queueName(properties.RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'][0]),
    worker: workerOf(id, functions, document.custom ?? {}),
  }));
}

/** `IndexQueue` → `index`, `IndexDeadLetters` → `index-dead-letters`. */
function queueName(logicalId: string): string {
  return logicalId
    .replace(/Queue$/, '')
    .replace(/(?<=.)([A-Z])/g, '-$1')
    .toLowerCase();
}

function workerOf(
  queueId: string,
  functions: [string, Yaml][],
  { waitingWorkers = [], streamingWorkers = [], slowWorkers = [], quickQueues = [] }: Yaml,
): QueueWithWorker['worker'] {
  for (const [name, fn] of functions) {
    const event = eventsOf(fn, 'sqs').find((candidate) => candidate.arn['Fn::GetAtt'][0] === queueId);
    if (event === undefined) continue;
    return {
      function: name,
      batchSize: event.batchSize ?? 10,
      maximumConcurrency: Number(event.maximumConcurrency ?? 10),
      waits: waitingWorkers.includes(name),
      streams: streamingWorkers.includes(name),
      slow: slowWorkers.includes(name),
      quick: quickQueues.includes(queueName(queueId)),
    };
  }
  return undefined;
}

function schedulesOf(document: Yaml, functions: [string, Yaml][]): ScheduleDefinition[] {
  const schedules = Object.values(resourcesOf(document)).filter(
    (it) => it.Type === 'AWS::Scheduler::Schedule',
  );
  return schedules.map(({ Properties: { ScheduleExpression: rate, Target: target } }) => {
    const id: string = target.Arn['Fn::GetAtt'][0];
    const found = functions.find(([name]) => `${functionId(name)}LambdaFunction` === id);
    if (found === undefined) throw new Error(`serverless.yml: there is no function for ${id}.`);
    return { function: found[0], everyMs: parseRate(rate) };
  });
}

/** Returns the Framework's logical id of a function: `index-worker` → `IndexDashworker`. */
function functionId(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', 'Dash');
}

function parseRate(rate: string): number {
  const match = /^rate\((\d+) minutes?\)$/.exec(rate);
  if (match === null) throw new Error(`serverless.yml: the schedule ${rate} is not supported here.`);
  return Number(match[1]) * 60_000;
}

function resourcesOf(document: Yaml): Record<string, CloudFormationResource> {
  const parts: Yaml[] = [document.resources ?? []].flat();
  return Object.assign({}, ...parts.map((part) => part.Resources));
}

/** Resolves the variables of the Serverless Framework that this file uses: opt:stage, self, file. */
function resolveVariables(file: string, stage: string): Yaml {
  const document = parseYaml(file);
  const included = new Map<string, Yaml>();
  const sources: Record<string, (name: string, fallback?: string) => Yaml> = {
    opt: (name, fallback) => (name === 'stage' ? stage : fallback),
    self: (name, fallback) => resolve(name.split('.').reduce(step, document)) ?? fallback,
    file: (name) => {
      if (!included.has(name)) included.set(name, resolve(parseYaml(join(dirname(file), name))));
      return included.get(name);
    },
  };
  /** The path may go through another variable's value. */
  const step = (at: Yaml, key: string): Yaml => (typeof at === 'string' ? resolve(at) : at)?.[key];
  const lookUp = (expression: string): Yaml => {
    const [, source = '', name = '', fallback] =
      /^(\w+)[:(]([^,)]+)\)?(?:,\s*'([^']*)')?$/.exec(expression) ?? [];
    const find = sources[source];
    if (find === undefined) throw new Error(`serverless.yml: \${${expression}} is not supported here.`);
    return find(name, fallback);
  };
  const resolve = (value: Yaml): Yaml => {
    if (typeof value === 'string') return resolveText(value, lookUp);
    if (Array.isArray(value)) return value.map(resolve);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return resolve(document);
}

/**
 * A string that is one variable becomes the variable's value, of any type; variables within a string, or within another
 * variable, become text. `${Name.Attribute}` and `${AWS::…}` are CloudFormation's own and stay.
 */
function resolveText(text: string, lookUp: (expression: string) => Yaml): Yaml {
  const whole = /^\$\{([^{}]+)\}$/.exec(text);
  if (whole?.[1] !== undefined && VARIABLE.test(text)) return lookUp(whole[1]);
  const inner = text.replace(VARIABLE, (_, expression: string) => String(lookUp(expression)));
  return inner === text ? text : resolveText(inner, lookUp);
}

/** The innermost `${source:…}` and `${source(…)…}`. */
const VARIABLE = /\$\{(\w+[:(](?!:)[^{}]+)\}/;

function parseYaml(file: string): Yaml {
  return yaml.load(readFileSync(file, 'utf8'));
}
