import { resolve } from 'node:path';
import type { Package } from '../../infra/stack/package.ts';
import type { StackName } from '../../infra/stack/split.ts';
import { mapReferences, type Template, type TemplateResource } from '../../infra/stack/template.ts';
import { builtPage } from '../../infra/web/built-page.ts';
import { layerFolder, readArtifacts, readPackaged, readStack, STACKS } from '../lanes/packaged-service.ts';
import { integrationsOf } from '../package/template-routes.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * A single resource of these types would roll back the whole stack, because MiniStack's CloudFormation
 * doesn't know them.
 */
const UNKNOWN_TYPES = [
  'AWS::CloudFront::Function',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::EC2::EIP',
  'AWS::EC2::NatGateway',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EFS::AccessPoint',
  'AWS::EFS::MountTarget',
  'AWS::Route53Resolver::FirewallDomainList',
  'AWS::Route53Resolver::FirewallRuleGroup',
  'AWS::Route53Resolver::FirewallRuleGroupAssociation',
];
/**
 * MiniStack loads a module with `require`, and imports it only after ERR_REQUIRE_ESM. Our handlers use
 * top-level await, for which newer Node versions throw another error. The preloaded file says why it exists.
 */
const NODE_OPTIONS = `--no-experimental-require-module --import=${resolve(import.meta.dirname, 'buffer-streams.ts')}`;

export interface Place {
  /** Replaces the mounted file system. */
  mount: string;
  /** Added to every function's environment. */
  settings: Record<string, string>;
}

/** Returns the packaged template with only the changes that MiniStack needs. */
export function deployablePackage(place: Place, read: (name: StackName) => Template = readStack): Package {
  const adapted = (name: StackName) => deployableTemplate(read(name), place);
  const [data, functions] = [adapted('data'), adapted('functions')];
  const templates = { data, functions, console: adapted('console'), alarms: adapted('alarms') };
  const start = readPackaged<Template>('stacks/start.json');
  return { templates, start, artifacts: readArtifacts(), page: builtPage(ROOT), rollbackMinutes: 0 };
}

/** Returns the resources of the package that MiniStack doesn't get: logical IDs with their types. */
export function leftOut(): Record<string, string> {
  const all = STACKS.flatMap((name) => unknownOf(readStack(name)));
  return Object.fromEntries(all);
}

function deployableTemplate(template: Template, place: Place): Template {
  const unknown = Object.fromEntries(unknownOf(template));
  // A reference to an omitted resource becomes a text with its name, `left-out-AccessPoint.Arn`.
  const adapted = mapReferences(template, (id, attribute) =>
    id in unknown ? { text: `left-out-${[id, attribute ?? []].flat().join('.')}` } : undefined,
  ) as Template;
  for (const id of Object.keys(unknown)) delete adapted.Resources[id];
  for (const resource of Object.values(adapted.Resources)) {
    dropDependencies(resource, unknown);
    answerWhole(resource);
    if (resource.Type === 'AWS::Lambda::Function') placeFunction(resource, place);
  }
  return adapted;
}

/** Alarms on a sum of metrics aren't supported either. */
function isUnknown({ Type, Properties }: TemplateResource): boolean {
  return (
    UNKNOWN_TYPES.includes(Type) || (Type === 'AWS::CloudWatch::Alarm' && Properties.Metrics !== undefined)
  );
}

function unknownOf({ Resources }: Template): [string, string][] {
  const unknown = Object.entries(Resources).filter(([, resource]) => isUnknown(resource));
  return unknown.map(([id, { Type }]): [string, string] => [id, Type]);
}

function dropDependencies(resource: TemplateResource, unknown: Record<string, string>): void {
  if (resource.DependsOn === undefined) return;
  resource.DependsOn = [resource.DependsOn].flat().filter((id) => !(id in unknown));
}

/** MiniStack knows the URL for invocations that return a value, but not the URL for streaming ones. */
function answerWhole({ Type, Properties }: TemplateResource): void {
  if (Type !== 'AWS::ApiGateway::RestApi') return;
  for (const { uri } of integrationsOf(Properties.Body)) {
    const parts = uri?.['Fn::Join'][1] ?? [];
    if (parts.at(-1) === '/response-streaming-invocations') parts.splice(-1, 1, '/invocations');
  }
}

/**
 * A folder for the mount, and one for the layer, which MiniStack would otherwise unpack for each instance.
 */
function placeFunction({ Properties }: TemplateResource, { mount, settings }: Place): void {
  const here = (value: unknown) => (typeof value === 'string' ? inFolders(value, mount) : value);
  const variables = Object.entries(Properties.Environment?.Variables ?? {});
  const adapted = Object.fromEntries(variables.map(([key, value]) => [key, here(value)]));
  Properties.Environment = { Variables: { ...adapted, ...settings, NODE_OPTIONS } };
  delete Properties.Layers;
}

function inFolders(text: string, mount: string): string {
  return text.replace(/^\/opt(?=\/native\/)/, layerFolder()).replaceAll('/mnt/data', mount);
}
