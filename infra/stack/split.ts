import { mapReferences, type Template, type TemplateResource } from './template.ts';

/**
 * `data` outlives the functions; `console` is the page with CloudFront before it and the API; `alarms` watch the
 * functions, and would exceed the 500 resources of a stack.
 */
export type StackName = 'data' | 'functions' | 'console' | 'alarms';
export type StackTemplates = Record<StackName, Template>;

/** The stacks that each stack may reference: only longer-lived ones. */
const MAY_NAME: Record<StackName, StackName[]> = {
  data: [],
  functions: ['data'],
  console: ['data', 'functions'],
  alarms: ['data', 'functions'],
};

interface Need {
  parameter: string;
  owner: StackName;
  value: unknown;
}

/**
 * Splits one template into four. A reference to another stack becomes a parameter in one and an output in the
 * other, both with the same name: `Table` for `{ Ref: Table }`, `TableArn` for `Table.Arn`. Throws for a
 * reference in the wrong direction.
 */
export function splitStacks(
  whole: Template,
  ids: Record<Exclude<StackName, 'functions'>, ReadonlySet<string>>,
): StackTemplates {
  const others = Object.entries(ids) as [StackName, ReadonlySet<string>][];
  const stackOf = (id: string): StackName => others.find(([, own]) => own.has(id))?.[0] ?? 'functions';
  const needs: Need[] = [];
  const partOf = (name: StackName): Template => {
    const own = Object.entries(whole.Resources).filter(([id]) => stackOf(id) === name);
    const found = new Map<string, Need>();
    const refer = (id: string, resource: TemplateResource) =>
      mapReferences(withoutForeignDependencies(resource, whole, name, stackOf), (target, attribute) => {
        if (!(target in whole.Resources) || stackOf(target) === name) return undefined;
        const need = needOf(target, attribute, stackOf(target));
        if (!MAY_NAME[name].includes(need.owner))
          throw new Error(`${id} (${name}) can't refer to ${target}.`);
        found.set(need.parameter, need);
        return { parameter: need.parameter };
      }) as TemplateResource;
    const Resources = Object.fromEntries(own.map(([id, resource]) => [id, refer(id, resource)]));
    needs.push(...found.values());
    return withParameters(whole, Resources, [...found.keys()]);
  };
  const [data, functions] = [partOf('data'), partOf('functions')];
  const [page, alarms] = [partOf('console'), partOf('alarms')];
  const told = (name: StackName) => pick(whole.Outputs, (output) => ownerOf(output, stackOf) === name);
  return {
    data: { ...data, Outputs: outputsOf(needs, 'data') },
    functions: { ...functions, Outputs: { ...told('functions'), ...outputsOf(needs, 'functions') } },
    console: { ...page, Outputs: told('console') },
    alarms,
  };
}

/** Returns the stack of the resource that an output describes. */
function ownerOf(output: unknown, stackOf: (id: string) => StackName): StackName {
  const owners = new Set<StackName>();
  mapReferences(output, (id) => {
    owners.add(stackOf(id));
    return undefined;
  });
  owners.delete('functions'); // Resources without an owner count as the functions' own.
  return [...owners][0] ?? 'functions';
}

function needOf(id: string, attribute: string | undefined, owner: StackName): Need {
  if (attribute === undefined) return { parameter: id, owner, value: { Ref: id } };
  const parameter = `${id}${attribute.replace(/\W/g, '')}`;
  return { parameter, owner, value: { 'Fn::GetAtt': [id, attribute] } };
}

/** Removes dependencies on other stacks, because the stacks are deployed one after the other. */
function withoutForeignDependencies(
  { DependsOn, ...resource }: TemplateResource,
  whole: Template,
  name: StackName,
  stackOf: (id: string) => StackName,
): TemplateResource {
  const own = [DependsOn ?? []].flat().filter((id) => id in whole.Resources && stackOf(id) === name);
  return own.length > 0 ? { ...resource, DependsOn: own } : resource;
}

/** Adds the parameters and conditions that these resources use. */
function withParameters(
  whole: Template,
  Resources: Record<string, TemplateResource>,
  added: string[],
): Template {
  const Conditions = used(whole.Conditions, JSON.stringify(Resources));
  const own = used(whole.Parameters, JSON.stringify({ Resources, Conditions }));
  const handed = Object.fromEntries(added.map((parameter) => [parameter, { Type: 'String' }]));
  const Parameters = { ...own, ...handed };
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    ...(Object.keys(Parameters).length > 0 ? { Parameters } : {}),
    ...(Object.keys(Conditions).length > 0 ? { Conditions } : {}),
    Resources,
  };
}

function used(declared: Record<string, unknown> = {}, text: string): Record<string, unknown> {
  const isUsed = (name: string) => text.includes(`"${name}"`) || text.includes(`\${${name}}`);
  return Object.fromEntries(Object.entries(declared).filter(([name]) => isUsed(name)));
}

function pick(
  all: Record<string, unknown> = {},
  wanted: (value: unknown) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => wanted(value)));
}

function outputsOf(needs: Need[], name: StackName): Record<string, unknown> {
  const own = needs.filter(({ owner }) => owner === name);
  return Object.fromEntries(own.map(({ parameter, value }) => [parameter, { Value: value }]));
}
