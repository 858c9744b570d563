import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  ResourceExistsException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { connectDynamodb, createTable } from '../aws/table.ts';
import { dropPageCache } from '../lanes/cold-files.ts';
import {
  type FunctionProcess,
  type FunctionSource,
  type StartOptions,
  startFunction,
} from '../lanes/function-process.ts';
import type { StreamedAnswer } from '../lanes/invocation.ts';
import {
  layerFolder,
  type Place,
  packagedFunctions,
  resourcesOf,
  unpackFunction,
} from '../lanes/packaged-service.ts';
import { closing, createBucket, emulatorS3Client, emulatorSettings } from '../support/emulator.ts';
import { arnOf, evaluate } from '../support/iam-policy.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';
import { type ApiRequest, apiEvent } from './api-event.ts';
import { readOnly } from './read-only.ts';
import { type RecordGate, rightsOf, startRecordGate } from './record-gate.ts';

export const PROVIDER_KEY = 'sk-very-secret';

/**
 * The packaged service on emulators. Its queues, table, and bucket are real, and each function runs in one
 * instance.
 */
export interface Deployment {
  sqs: SQSClient;
  /** Values of the template's references: for `IndexQueue`, its URL. */
  values: Record<string, string>;
  /** The mounted file system, which is read-only for functions that may not write to it. */
  mount: string;
  /**
   * The records, which functions reach with the rights of their roles, except in the lane with Lambda's
   * limits.
   */
  records: RecordGate;
  /**
   * Returns the running instance of a function. It's started at its first use, and after an instance has
   * ended.
   */
  instance(name: string): Promise<FunctionProcess>;
  /** Ends the instance, so the next use starts another one. */
  renew(name: string): Promise<void>;
  /** Leaves the instance to the caller, so the next use starts another one next to it. */
  release(name: string): Promise<FunctionProcess>;
  /** Calls a function that returns a value, through API Gateway. Throws what the function throws. */
  call<Body>(name: string, request: ApiRequest): Promise<{ status: number; body: Body }>;
  /** Calls a function that streams. */
  stream(name: string, request: ApiRequest, onText?: (text: string) => void): Promise<StreamedAnswer>;
}

interface DeployOptions extends StartOptions {
  /** The URL at which functions reach SQS, if it isn't the emulator's. */
  sqsUrl?: string;
  /** Memory of functions that get another size than their own, from their next start on. */
  memoryMb?: Map<string, number>;
}

/**
 * Creates the resources that the packaged template refers to, and starts its functions with the environment
 * that it gives them. `settings` are the values that a deployment sets. Everything ends after the test file.
 */
export async function deploy(
  settings: Record<string, string> = {},
  options: DeployOptions = {},
): Promise<Deployment> {
  const sqs = closing(new SQSClient(emulatorSettings('MINISTACK_URL')));
  const [Table, Bucket, queues] = await Promise.all([
    createTable(connectDynamodb('DYNAMODB_URL')),
    createBucket(emulatorS3Client('MINISTACK_URL'), `package-${randomUUID()}`),
    createQueues(sqs),
  ]);
  const others = { FileSystem: 'fs-test', ApiId: 'test', CommandsLambdaFunction: 'commands' };
  const values = { Table, Bucket, ...others, ...queues };
  const { sqsUrl } = options;
  const queuesThere = Object.entries(queues).map(([id, url]) => [id, sqsUrl + new URL(url).pathname]);
  const functionValues = sqsUrl === undefined ? values : { ...values, ...Object.fromEntries(queuesThere) };
  const mount = await tempFolder();
  await mkdir(join(mount, 'workspaces'));
  const endpoints = {
    AWS_ENDPOINT_URL: emulatorSettings('MINISTACK_URL').endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: emulatorSettings('DYNAMODB_URL').endpoint,
  };
  const records = await startRecordGate(
    settings.AWS_ENDPOINT_URL_DYNAMODB ?? endpoints.AWS_ENDPOINT_URL_DYNAMODB,
  );
  const place = { values: functionValues, mount, settings: { ...endpoints, ...settings } };
  const start = (name: string) => startPackaged(name, place, { ...options, records });
  const instances = new Map<string, Promise<FunctionProcess>>();
  const instance = async (name: string): Promise<FunctionProcess> => {
    const known = instances.get(name);
    if (known !== undefined && (await known).isRunning()) return known;
    if (known === instances.get(name)) instances.set(name, start(name));
    return instances.get(name) ?? instance(name);
  };
  const release = async (name: string) => {
    const known = instances.get(name);
    instances.delete(name);
    const there = await known;
    return there?.isRunning() ? there : start(name);
  };
  const renew = async (name: string) => {
    const known = instances.get(name);
    instances.delete(name);
    await (await known)?.stop();
  };
  return { sqs, values, mount, records, instance, renew, release, ...callers(instance) };
}

function callers(instance: Deployment['instance']): Pick<Deployment, 'call' | 'stream'> {
  const invoke = async (name: string, request: ApiRequest, onText?: (text: string) => void) => {
    const answer = await (await instance(name)).invoke(apiEvent(request), { onText });
    if (answer.error !== undefined) throw new Error(`${name}: ${answer.error.errorMessage}`);
    return answer;
  };
  return {
    async call<Body>(name: string, request: ApiRequest) {
      const { statusCode, body } = (await invoke(name, request)).payload as APIGatewayProxyResult;
      return { status: statusCode, body: JSON.parse(body) as Body };
    },
    async stream(name, request, onText) {
      const { stream } = await invoke(name, request, onText);
      if (stream === undefined) throw new Error(`${name} did not stream`);
      return stream;
    },
  };
}

async function startPackaged(
  name: string,
  place: Omit<Place, 'folder'>,
  { memoryMb, records, ...options }: DeployOptions & { records: RecordGate },
): Promise<FunctionProcess> {
  const source = packagedFunctions().find((candidate) => candidate.name === name);
  if (source === undefined) throw new Error(`the package has no function ${name}`);
  const unpacked = unpackFunction(source, { folder: await tempFolder(), ...place });
  if (options.limited) dropPageCache(unpacked.folder, ...(source.layered ? [layerFolder()] : []));
  const own = { ...unpacked, memoryMb: memoryMb?.get(name) ?? source.memoryMb };
  // The gate would add its own time to the measured latencies.
  const started = await startFunction(options.limited ? own : withRights(own, place.mount, records), options);
  whenDone(() => started.stop());
  return started;
}

/** Gives a function the records and the file system as its role allows. */
function withRights(source: FunctionSource, mount: string, records: RecordGate): FunctionSource {
  const env = { ...source.env, AWS_ENDPOINT_URL_DYNAMODB: records.urlFor(source.name) };
  return mayWrite(source.name) ? { ...source, env } : { ...source, env, launcher: readOnly(mount) };
}

function mayWrite(name: string): boolean {
  const context = { 'elasticfilesystem:AccessPointArn': arnOf('AccessPoint') };
  const request = { action: 'elasticfilesystem:ClientWrite', resource: arnOf('FileSystem'), context };
  return evaluate(rightsOf(name), request) === 'allowed';
}

/** Creates the template's queues under their own names, and returns their URLs by logical ID. */
async function createQueues(sqs: SQSClient): Promise<Record<string, string>> {
  const queues = resourcesOf<{ FifoQueue?: boolean; VisibilityTimeout?: number }>('AWS::SQS::Queue');
  const made = queues.map(async ([logicalId, { Properties }]) => {
    const { FifoQueue = false, VisibilityTimeout = 30 } = Properties;
    const Attributes = {
      VisibilityTimeout: String(VisibilityTimeout),
      ...(FifoQueue ? { FifoQueue: 'true' } : {}),
    };
    const QueueName = `package-${randomUUID()}${FifoQueue ? '.fifo' : ''}`;
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
    return [logicalId, QueueUrl];
  });
  return Object.fromEntries(await Promise.all(made)) as Record<string, string>;
}

/** Stores a model provider's key where an operator would. */
export async function putProviderKey(): Promise<void> {
  const client = closing(new SecretsManagerClient(emulatorSettings('MINISTACK_URL')));
  const prefix = packagedFunctions()[0]?.variables.SECRETS_PREFIX;
  const secret = { Name: `${String(prefix)}PROVIDER_A_API_KEY`, SecretString: PROVIDER_KEY };
  await client.send(new CreateSecretCommand(secret)).catch((error: unknown) => {
    if (!(error instanceof ResourceExistsException)) throw error; // an earlier test file stored it
  });
}
