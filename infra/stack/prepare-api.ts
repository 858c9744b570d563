import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { changeStack, findStack, type StackChange, templateOf } from './cloudformation.ts';
import { NO_ROLLBACK_ALARMS } from './rollback-alarms.ts';
import { mapReferences, type Template, type TemplateResource } from './template.ts';

const PATH = 'AWS::ApiGateway::Resource';
const METHOD = 'AWS::ApiGateway::Method';

/** The functions' stack of a target (deploy.ts). */
interface FunctionsStack {
  cloudFormation: CloudFormationClient;
  name: string;
  tell: (line: string) => void;
  every?: number | undefined;
}

interface Preparation {
  /** The template that the functions' stack gets afterwards. */
  next: Template;
  put: (body: string) => Promise<string>;
}

/**
 * Removes paths that would be replaced by others at the same place. CloudFormation creates before it deletes, and API Gateway
 * allows one variable part below a path, and no part twice. No caller notices it, because the stage serves a copy of the API. May
 * end at any line and be run again.
 */
export async function prepareApi(stack: FunctionsStack, { next, put }: Preparation): Promise<void> {
  const { cloudFormation, name, tell } = stack;
  const deployed = await templateOf(cloudFormation, name);
  const gone = pathsInTheWay(deployed.Resources, next.Resources);
  if (gone.size === 0) return;
  // No function changes, and the saved alarms of the last update may be gone or in ALARM.
  const rollback = NO_ROLLBACK_ALARMS;
  await changeOnly(stack, { template: without(deployed, gone), put, rollback });
  tell(`${name} has room for the new paths of its API`);
}

/** The stack keeps its parameters. */
async function changeOnly(
  { cloudFormation, name, every, tell }: FunctionsStack,
  stackChange: Pick<StackChange, 'template' | 'put' | 'rollback'>,
): Promise<void> {
  const { Parameters = [] } = (await findStack(cloudFormation, name)) ?? {};
  const parameters = Object.fromEntries(
    Parameters.map(({ ParameterKey = '', ParameterValue = '' }) => [ParameterKey, ParameterValue]),
  );
  await changeStack(cloudFormation, { name, parameters, every, tell, ...stackChange });
}

/** Returns the logical ids of the deployed paths that block one of the next template, and of what is below them. */
function pathsInTheWay(deployed: Template['Resources'], next: Template['Resources']): Set<string> {
  const coming = Object.entries(next).filter(([, { Type }]) => Type === PATH);
  const leaving = Object.entries(deployed).filter(
    ([id, { Type }]) => Type === PATH && !isSame(deployed[id], next[id]),
  );
  const blocked = leaving.filter(([, old]) => coming.some(([, path]) => collide(old, path)));
  return withWhatIsBelow(deployed, new Set(blocked.map(([id]) => id)));
}

function isSame(a: TemplateResource | undefined, b: TemplateResource | undefined): boolean {
  return JSON.stringify(a?.Properties) === JSON.stringify(b?.Properties);
}

function collide({ Properties: old }: TemplateResource, { Properties: path }: TemplateResource): boolean {
  if (JSON.stringify(old.ParentId) !== JSON.stringify(path.ParentId)) return false;
  return old.PathPart === path.PathPart || (isVariable(old.PathPart) && isVariable(path.PathPart));
}

function isVariable(pathPart: string): boolean {
  return pathPart.startsWith('{');
}

function withWhatIsBelow(resources: Template['Resources'], ids: Set<string>): Set<string> {
  const below = Object.entries(resources).filter(
    ([id, { Type, Properties }]) =>
      [PATH, METHOD].includes(Type) && !ids.has(id) && refersTo(Properties, ids),
  );
  return below.length === 0 ? ids : withWhatIsBelow(resources, new Set([...ids, ...below.map(([id]) => id)]));
}

function refersTo(value: unknown, ids: Set<string>): boolean {
  let found = false;
  mapReferences(value, (id) => {
    found ||= ids.has(id);
    return undefined;
  });
  return found;
}

function without(template: Template, gone: Set<string>): Template {
  const kept = Object.entries(template.Resources).filter(([id]) => !gone.has(id));
  const Resources = Object.fromEntries(
    kept.map(([id, { DependsOn, ...resource }]) => {
      const waits = [DependsOn ?? []].flat().filter((other) => !gone.has(other));
      return [id, waits.length > 0 ? { ...resource, DependsOn: waits } : resource];
    }),
  );
  return { ...template, Resources };
}
