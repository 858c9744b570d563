import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openApiText } from '../openapi.ts';

/**
 * `npm run client`: generates the types of the API for the console and wrs, in the form that openapi-fetch reads, from our own
 * OpenAPI document. The usual generator uses the compiler API of TypeScript 5, which TypeScript 7 doesn't have.
 */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

interface Answer extends Content {
  'x-late-answer'?: true;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema?: Schema }[];
  requestBody?: Content;
  responses: Record<string, Answer>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const FILE = join(resolve(import.meta.dirname, '../..'), 'lib/api-contract/schema.ts');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the expected contents of the file. */
export function clientTypes(): string {
  const { paths, components } = JSON.parse(openApiText()) as Document;
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${name}: ${typeOf(schema)};`);
  const routes = Object.entries(paths).map(
    ([path, methods]) => `  ${JSON.stringify(path)}: ${routeType(methods)};`,
  );
  return [
    '// Made by `npm run client` from the OpenAPI document: change the routes, and run it again.',
    `export interface Schemas {\n${schemas.join('\n')}\n}`,
    `export interface paths {\n${routes.join('\n')}\n}`,
    '',
  ].join('\n\n');
}

/** Returns the current contents of the file. */
export function writtenClientTypes(): string {
  return readFileSync(FILE, 'utf8');
}

function routeType(methods: Record<string, Operation>): string {
  const known = METHODS.flatMap((method) => {
    const operation = methods[method];
    return operation === undefined ? [] : [`    ${method}: ${operationType(operation)};`];
  });
  return `{\n${known.join('\n')}\n  }`;
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const body = requestBody === undefined ? '' : ` requestBody: ${contentType(requestBody)};`;
  const good = Object.entries(responses)
    .filter(([status, response]) => status.startsWith('2') && !response['x-late-answer'])
    .map(([status, response]) => `${status}: ${contentType(response)}`);
  const answers = [...good, `default: { content: { 'application/json': Schemas['ErrorResponse'] } }`];
  return `{ parameters: { ${parameterTypes(parameters)} };${body} responses: { ${answers.join('; ')} } }`;
}

/** Omits the headers that a browser can't set; the client adds the credential. */
function parameterTypes(parameters: NonNullable<Operation['parameters']>): string {
  const places = ['query', 'path'].flatMap((place) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    if (here.length === 0) return [];
    const fields = here.map(({ name, required, schema = {} }) => field(name, schema, required === true));
    return [`${place}${here.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`];
  });
  return places.join('; ');
}

function contentType({ content = {} }: Content): string {
  const types = Object.entries(content).map(
    ([type, { schema = {} }]) =>
      `${JSON.stringify(type)}: ${type === 'application/json' ? typeOf(schema) : 'string'}`,
  );
  return types.length === 0 ? '{ content?: never }' : `{ content: { ${types.join('; ')} } }`;
}

function field(name: string, schema: Schema, required: boolean): string {
  return `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const { type } = schema;
  if (type === 'object') return objectType(schema);
  if (type === 'array') return arrayType(schema);
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' | ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return either.map((each) => wrapped(each)).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((each) => wrapped(each)).join(' & ');
  return PLAIN[type ?? ''] ?? 'unknown';
}

const PLAIN: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function wrapped(schema: Schema): string {
  const text = typeOf(schema);
  return text.includes('|') || text.includes('&') ? `(${text})` : text;
}

function arrayType({ items, prefixItems }: Schema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(typeOf).join(', ')}]`;
  return `${wrapped(items ?? {})}[]`;
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, schema, required.includes(name)),
  );
  if (fields.length > 0) return `{ ${fields.join('; ')} }`;
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  return `Record<string, ${values}>`;
}

if (import.meta.main) writeFileSync(FILE, clientTypes());
