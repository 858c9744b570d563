import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Artifact } from '../../infra/stack/package.ts';
import type { StackName } from '../../infra/stack/split.ts';
import type { Template } from '../../infra/stack/template.ts';
import type { FunctionSource } from './function-process.ts';
import { unzip } from './zip.ts';

/** The output of `npm run package`: the zips, and their description in the template. */
const PACKAGE_FOLDER = resolve(import.meta.dirname, '../../.serverless');

export const STACKS = ['data', 'functions', 'console', 'alarms'] as const;

type Value =
  | string
  | { Ref: string }
  | { 'Fn::GetAtt': [string, string] }
  | { 'Fn::Sub': string }
  | { 'Fn::If': [string, Value, Value] };

/** Values that CloudFormation itself knows. */
const PSEUDO: Record<string, string> = { 'AWS::Region': 'eu-west-1', 'AWS::URLSuffix': 'amazonaws.com' };

interface FunctionProperties {
  FunctionName: string;
  Handler: string;
  MemorySize: number;
  Timeout: number;
  Code: { S3Key: string };
  Environment?: { Variables: Record<string, Value> };
  FileSystemConfigs?: { LocalMountPath: string }[];
  Layers?: unknown[];
}

interface MappingProperties {
  EventSourceArn: { 'Fn::GetAtt': [string, string] };
  FunctionName: { 'Fn::GetAtt': [string, string] };
  BatchSize: number;
  FunctionResponseTypes?: string[];
}

export interface Resource<Properties = Record<string, unknown>> {
  Type: string;
  Properties: Properties;
}

export interface PackagedFunction {
  /** Its name in serverless.yml: `index-worker`. */
  name: string;
  logicalId: string;
  zip: string;
  /** The folder in which a deployment puts it. */
  key: string;
  zippedBytes: number;
  handler: string;
  memoryMb: number;
  timeoutMs: number;
  /** Undefined if the file system isn't mounted. */
  mount: string | undefined;
  variables: Record<string, Value>;
  /** True if it has the layer in /opt. */
  layered: boolean;
}

/** Returns one of the package's templates. */
export function readStack(name: StackName): Template {
  return readPackaged<Template>(`stacks/${name}.json`);
}

/** Returns the same template of the previous packaging (test/lanes/deploy.ts packages twice). */
export function readEarlierStack(name: StackName): Template {
  const folder = process.env.EARLIER_STACKS;
  if (folder === undefined) throw new Error('EARLIER_STACKS is not set: run npm run test:deploy');
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Template;
}

/** Returns the resources of all stacks. */
export function readTemplate(): Record<string, Resource> {
  const all = STACKS.map((name) => readStack(name).Resources);
  return Object.assign({}, ...all);
}

/** Returns the zips as a deployment would send them. */
export function readArtifacts(): Artifact[] {
  return readPackaged<Artifact[]>('artifacts.json');
}

export function readPackaged<Content>(name: string): Content {
  const file = join(PACKAGE_FOLDER, name);
  if (!existsSync(file)) throw new Error('the service is not packaged: run npm run package first');
  return JSON.parse(readFileSync(file, 'utf8')) as Content;
}

/** The folder of the unpacked layer, which is /opt in Lambda. */
export function layerFolder(): string {
  const zip = readArtifacts().find(({ key }) => key.startsWith('code/native-layer-'))?.file;
  if (zip === undefined) throw new Error('the package has no layer');
  const folder = zip.replace(/\.zip$/, '');
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial-${process.pid}`;
  unzip(zip, partial);
  renameSync(partial, folder);
  return folder;
}

/** Returns the template's resources of one type, by logical ID. */
export function resourcesOf<Properties>(type: string): [string, Resource<Properties>][] {
  const all = Object.entries(readTemplate()).filter(([, resource]) => resource.Type === type);
  return all as [string, Resource<Properties>][];
}

export function packagedFunctions(): PackagedFunction[] {
  const files = new Map(readArtifacts().map(({ key, file }) => [key, file]));
  return resourcesOf<FunctionProperties>('AWS::Lambda::Function').map(([logicalId, { Properties }]) => {
    const zip = files.get(Properties.Code.S3Key) ?? '';
    return {
      name: basename(zip, '.zip'),
      logicalId,
      zip,
      key: Properties.Code.S3Key,
      zippedBytes: statSync(zip).size,
      handler: Properties.Handler,
      memoryMb: Properties.MemorySize,
      timeoutMs: Properties.Timeout * 1000,
      mount: Properties.FileSystemConfigs?.[0]?.LocalMountPath,
      variables: Properties.Environment?.Variables ?? {},
      layered: Properties.Layers !== undefined,
    };
  });
}

/** Returns the function that receives a queue's messages, and its batch size. */
export function packagedWorker(queueId: string) {
  const mappings = resourcesOf<MappingProperties>('AWS::Lambda::EventSourceMapping');
  const mapping = mappings.find(
    ([, { Properties }]) => Properties.EventSourceArn['Fn::GetAtt'][0] === queueId,
  );
  if (mapping === undefined) throw new Error(`no function takes the messages of ${queueId}`);
  const [, { Properties }] = mapping;
  const logicalId = Properties.FunctionName['Fn::GetAtt'][0];
  const worker = packagedFunctions().find((candidate) => candidate.logicalId === logicalId);
  if (worker === undefined) throw new Error(`${logicalId} is no function`);
  const reportsItems = Properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false;
  return { functionName: worker.name, batchSize: Properties.BatchSize, reportsItems };
}

export interface Place {
  /** The folder that replaces /var/task; empty. */
  folder: string;
  /** Mount point of the file system. */
  mount: string;
  /** Values of the template's references. */
  values: Record<string, string>;
  /** Values that a deployment sets, and the URL of AWS. */
  settings: Record<string, string>;
}

/** Unpacks a function as Lambda does, with the environment that the template gives it. */
export function unpackFunction(
  source: PackagedFunction,
  { folder, mount, values, settings }: Place,
): FunctionSource {
  unzip(source.zip, folder);
  const here = (text: string) => {
    const inTask = text.startsWith('/opt/') ? join(layerFolder(), text.slice(5)) : text;
    // A function without the mount keeps its path, where nothing exists.
    return source.mount === undefined ? inTask : inTask.replaceAll(source.mount, mount);
  };
  const variables = Object.entries(resolveVariables(source, values));
  const env = Object.fromEntries(variables.map(([name, value]) => [name, here(value)]));
  const { name, handler, memoryMb } = source;
  return { name, handler, memoryMb, folder, env: { ...env, ...settings } };
}

/**
 * Returns a function's environment in a stage without options, where no condition is true. `values` has the
 * template's references. Throws for an unknown reference.
 */
function resolveVariables(
  { name, variables }: PackagedFunction,
  values: Record<string, string>,
): Record<string, string> {
  const find = (reference: string) => {
    const known = values[reference] ?? PSEUDO[reference];
    if (known === undefined) throw new Error(`${name}: nothing stands for ${reference}`);
    return known;
  };
  const resolveOne = (value: Value): string => {
    if (typeof value === 'string') return value;
    if ('Fn::If' in value) return resolveOne(value['Fn::If'][2]);
    if ('Fn::Sub' in value)
      return value['Fn::Sub'].replace(/\$\{([\w:.]+)\}/g, (_, reference: string) => find(reference));
    return find('Ref' in value ? value.Ref : value['Fn::GetAtt'].join('.'));
  };
  return Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, resolveOne(value)]));
}
