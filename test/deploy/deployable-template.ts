import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PACKAGE_FOLDER, packagedFunctions, type Resource } from '../lanes/packaged-service.ts';

/** One resource of these would roll the whole stack back: MiniStack's CloudFormation does not know them. */
const UNKNOWN_TYPES = [
  'AWS::EC2::EIP',
  'AWS::EC2::NatGateway',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EFS::AccessPoint',
  'AWS::EFS::FileSystem',
  'AWS::EFS::MountTarget',
];
/**
 * MiniStack loads a module with `require`, and imports it only after ERR_REQUIRE_ESM; our handlers await as they load,
 * for which a newer Node has another error. What the other file is for stands there.
 */
const NODE_OPTIONS = `--no-experimental-require-module --import=${resolve(import.meta.dirname, 'buffer-streams.ts')}`;

export interface Deployable {
  template: Template;
  /** Logical ids, with their types, of what the package has and this has not. */
  leftOut: Record<string, string>;
}

interface Template {
  Resources: Record<string, LooseResource>;
}

// biome-ignore lint/suspicious/noExplicitAny: a template as JSON; each property is read or changed once, here.
type LooseResource = Resource<any> & { DependsOn?: string | string[] };

export interface Target {
  /** Holds the zips under their names. */
  bucket: string;
  /** Stands for the mounted file system. */
  mount: string;
  /** Added to every function's environment. */
  settings: Record<string, string>;
}

/** The packaged template with no more changes than MiniStack needs. */
export function deployableTemplate(target: Target): Deployable {
  const file = join(PACKAGE_FOLDER, 'cloudformation-template-update-stack.json');
  const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
  const unknown = Object.entries(template.Resources).filter(([, resource]) => isUnknown(resource));
  const leftOut = Object.fromEntries(unknown.map(([id, { Type }]) => [id, Type]));
  for (const id of Object.keys(leftOut)) delete template.Resources[id];
  const adapted = withoutReferences(template, leftOut) as Template;
  for (const resource of Object.values(adapted.Resources)) {
    dropDependencies(resource, leftOut);
    answerWhole(resource);
  }
  adaptFunctions(adapted.Resources, target);
  return { template: adapted, leftOut };
}

/** Alarms on a sum of metrics are not known, either. */
function isUnknown({ Type, Properties }: LooseResource): boolean {
  return (
    UNKNOWN_TYPES.includes(Type) || (Type === 'AWS::CloudWatch::Alarm' && Properties.Metrics !== undefined)
  );
}

/** A reference to what is left out becomes a text that says so: `left-out-AccessPoint.Arn`. */
function withoutReferences(value: unknown, leftOut: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, leftOut));
  if (value === null || typeof value !== 'object') return value;
  const [[key, inner] = ['', undefined]] = Object.entries(value);
  const reference = key === 'Fn::GetAtt' ? [inner].flat().join('.') : String(inner);
  if ((key === 'Ref' || key === 'Fn::GetAtt') && isLeftOut(reference, leftOut))
    return `left-out-${reference}`;
  if (key === 'Fn::Sub' && typeof inner === 'string') return { 'Fn::Sub': substitute(inner, leftOut) };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withoutReferences(item, leftOut)]),
  );
}

function substitute(text: string, leftOut: Record<string, string>): string {
  return text.replace(/\$\{([\w.]+)\}/g, (whole, reference: string) =>
    isLeftOut(reference, leftOut) ? `left-out-${reference}` : whole,
  );
}

function isLeftOut(reference: string, leftOut: Record<string, string>): boolean {
  return (reference.split('.')[0] ?? '') in leftOut;
}

function dropDependencies(resource: LooseResource, leftOut: Record<string, string>): void {
  if (resource.DependsOn === undefined) return;
  resource.DependsOn = [resource.DependsOn].flat().filter((id) => !(id in leftOut));
}

/** MiniStack knows the address of invocations that answer with a value, not that of streaming ones. */
function answerWhole({ Type, Properties }: LooseResource): void {
  if (Type !== 'AWS::ApiGateway::Method' || Properties.Integration.Type !== 'AWS_PROXY') return;
  const parts: unknown[] = Properties.Integration.Uri['Fn::Join'][1];
  if (parts.at(-1) === '/response-streaming-invocations') parts.splice(-1, 1, '/invocations');
}

/** Code from the bucket, a folder for the mount, and paths inside the package wherever it is unpacked. */
function adaptFunctions(resources: Record<string, LooseResource>, { bucket, mount, settings }: Target): void {
  const here = (value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll('/mnt/data', mount).replaceAll('/var/task/', '../../')
      : value;
  for (const { logicalId, name } of packagedFunctions()) {
    const properties = resources[logicalId]?.Properties;
    const variables = Object.entries(properties.Environment?.Variables ?? {});
    const adapted = Object.fromEntries(variables.map(([key, value]) => [key, here(value)]));
    properties.Code = { S3Bucket: bucket, S3Key: `${name}.zip` };
    properties.Environment = { Variables: { ...adapted, ...settings, NODE_OPTIONS } };
  }
}
