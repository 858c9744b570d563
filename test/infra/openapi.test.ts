import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { routeTable } from '../../infra/local/route-table.ts';
import { readServiceFile } from '../../infra/local/service-file.ts';
import { openApiText, ROUTE_GROUPS } from '../../infra/openapi.ts';
import { clientTypes, writtenClientTypes } from '../../infra/web/client-types.ts';
import { allTools, type ToolPorts } from '../../lib/agent/tools/all-tools.ts';
import { EXPOSED_HEADERS } from '../../lib/http/serve.ts';
import type { McpPorts } from '../../lib/mcp/ports.ts';
import { allMcpTools } from '../../lib/mcp/tools/all-tools.ts';
import { fieldsAt } from '../../lib/validation/schema-messages.ts';

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  security?: unknown[];
  parameters?: { in: string; name: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: unknown;
  responses: Record<string, { description: string; headers?: Record<string, unknown> }>;
}
const root = resolve(import.meta.dirname, '../..');
const document = JSON.parse(openApiText()) as {
  openapi: string;
  info: object;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe("console's client", () => {
  it('has the types that `npm run client` generates from the current routes', () => {
    expect(writtenClientTypes()).toBe(clientTypes());
  });
});

describe('the OpenAPI document', () => {
  it('contains every group of routes', () => {
    const groups = globSync('functions/*/routes.ts', { cwd: root }).map((file) => file.split('/')[1]);
    expect(Object.keys(ROUTE_GROUPS).sort()).toEqual(groups.sort());
  });

  it('contains each path of the groups, all of which are deployed, and no other path', () => {
    const match = routeTable(readServiceFile(join(root, 'serverless.yml')).routes);
    const paths = Object.values(ROUTE_GROUPS).flatMap((routes) => routes.map(({ path }) => path));
    expect(paths.filter((path) => match(path) === undefined)).toEqual([]);
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(paths)].sort());
  });

  it('describes each body and query, for callers that send something else', () => {
    const schemas = Object.values(ROUTE_GROUPS)
      .flat()
      .flatMap(({ params, query, body }) => [params, query, body].filter((schema) => schema !== undefined));
    expect(schemas.length).toBeGreaterThan(100);
    expect(schemas.every((schema) => fieldsAt(schema, []).length > 0)).toBe(true);
  });

  it('has an example for each body, except files and XML', () => {
    const routes = Object.values(ROUTE_GROUPS)
      .flat()
      .filter(({ body, bodyType }) => body !== undefined && bodyType !== 'multipart/form-data')
      .filter(({ bodyType }) => typeof bodyType !== 'object' || bodyType.raw === 'application/json');
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path, body, bodyType, example } of routes) {
      const content = document.paths[path]?.[method.toLowerCase()]?.requestBody;
      expect([path, JSON.stringify(content)]).toEqual([path, expect.stringContaining('"example":')]);
      expect(JSON.stringify(content)).toContain(JSON.stringify(example));
      const isRead = typeof bodyType !== 'object'; // signed bodies are read by their own rule, byte by byte
      expect([path, isRead && body?.safeParse(example).error]).toEqual([path, isRead ? undefined : false]);
    }
  });

  it('lists 507 for each operation that writes, and for no other', () => {
    // A read that finds an answer or a run of a dead process ends that answer or run first.
    const settling = [
      'getConversation',
      'getDraftCheck',
      'getResearch',
      'getRun',
      'listRuns',
      'streamAnswer',
    ];
    const writing = new Set([...settling, 'exportDraftCheck', 'streamConversationRun', 'streamRun']);
    const declared = operations.filter(({ operation }) => operation.responses['507'] !== undefined);
    const writes = operations.filter(
      ({ method, operation }) => method !== 'get' || writing.has(operation.operationId),
    );
    expect(declared).toEqual(writes);
  });

  it('has each operation once', () => {
    const routes = Object.values(ROUTE_GROUPS).flat();
    expect(operations).toHaveLength(routes.length);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(routes.length);
  });

  it('declares every path parameter as required', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required)).toBe(true);
    }
  });

  it('has a description for each response, and 401 and 403 for each guarded route', () => {
    for (const { operation } of operations) {
      const statuses = Object.keys(operation.responses);
      const guarded = operation.security === undefined;
      expect(Object.values(operation.responses).every(({ description }) => description.length > 0)).toBe(
        true,
      );
      const ownCredential = operation.description.includes('Credential: ');
      expect(statuses.includes('401')).toBe(guarded || ownCredential);
      expect(statuses.includes('403')).toBe(guarded);
      expect(statuses).toEqual(expect.arrayContaining(['400', '500']));
    }
  });

  it('lists Idempotency-Key for every POST with a caller, and for others only with verified credentials', () => {
    const takes = ({ operation }: (typeof operations)[number]) =>
      operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true;
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    expect(open.filter(takes).map(({ path }) => path)).toEqual(['/api/bot/ima/push']);
    const posts = operations.filter((each) => each.method === 'post' && !open.includes(each));
    expect(posts.filter((each) => !takes(each)).map(({ path }) => path)).toEqual([
      '/api/webhooks',
      '/api/webhooks/{webhookId}/rotate',
      '/api/tokens',
      '/api/tokens/{tokenId}/rotate',
      '/api/mcp',
    ]);
    for (const each of operations.filter(takes))
      expect(Object.keys(each.operation.responses)).toContain('409');
  });

  it('lists every header that a page of another origin may read', () => {
    const declared = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    );
    // The AI SDK's own stream header is irrelevant to other clients.
    const exposed = EXPOSED_HEADERS.filter((name) => name !== 'x-vercel-ai-ui-message-stream');
    expect([...new Set(declared)].sort()).toEqual([...exposed].sort());
  });

  it('lists the ETag of resources that If-Match protects, and of versions that If-None-Match names', () => {
    for (const { path, operation } of operations) {
      const takes = (name: string) => operation.parameters?.some((parameter) => parameter.name === name);
      const tagged = { headers: expect.objectContaining({ etag: expect.anything() }) };
      if (takes('If-Match')) {
        const read = document.paths[path]?.get?.responses['200'];
        expect([path, read, operation.responses['200']]).toMatchObject([path, tagged, tagged]);
      }
      expect([path, takes('If-None-Match') === true]).toEqual([path, '304' in operation.responses]);
    }
  });

  it('lists no other ETag, because an ETag without a header that uses it would protect nothing', () => {
    const tagged = operations.filter(({ operation }) =>
      Object.values(operation.responses).some(({ headers = {} }) => 'etag' in headers),
    );
    const named = tagged.filter(({ path, operation }) =>
      [operation, document.paths[path]?.put, document.paths[path]?.patch].some((each) =>
        each?.parameters?.some(({ name }) => name === 'If-Match' || name === 'If-None-Match'),
      ),
    );
    expect(tagged.length).toBeGreaterThan(5);
    expect(tagged).toEqual(named);
  });

  it('lists the headers that select a range, an event, and the parts for approvals', () => {
    const inHeader = (id: string) =>
      operations
        .find(({ operation }) => operation.operationId === id)
        ?.operation.parameters?.filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name);
    expect(inHeader('downloadFile')).toEqual(['If-None-Match', 'Range']);
    expect(inHeader('runAgent')).toEqual(['Idempotency-Key', 'x-ai-sdk-version']);
    expect(inHeader('streamRun')).toEqual(['Last-Event-ID', 'x-ai-sdk-version']);
  });

  it('states how long to wait for the first request of an Idempotency-Key', () => {
    for (const { path, operation } of operations) {
      if (operation.parameters?.some(({ name }) => name === 'Idempotency-Key'))
        expect([path, Object.keys(operation.responses['409']?.headers ?? {})]).toEqual([
          path,
          expect.arrayContaining(['retry-after']),
        ]);
    }
  });

  it('states that files can be found in a workspace that was never synced', () => {
    const { IndexState } = document.components.schemas as Record<string, Schema>;
    expect(IndexState?.properties?.status?.description).toMatch(/`idle`.*state=indexed/);
  });

  it('references only existing components', () => {
    const references = [...openApiText().matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(
      (m) => m[1] ?? '',
    );
    expect(references.length).toBeGreaterThan(0);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(references));
  });
});

interface Streamed {
  'x-error-codes'?: string[];
}

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  maximum?: number;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** Every schema of the document with its location; examples contain none. */
function* schemasWithin(schema: Schema, place: string): Generator<[string, Schema]> {
  yield [place, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* schemasWithin(field, `${place}.${name}`);
  if (schema.items !== undefined) yield* schemasWithin(schema.items, `${place}[]`);
  if (typeof schema.additionalProperties === 'object')
    yield* schemasWithin(schema.additionalProperties, `${place}{}`);
  for (const each of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((all) => all ?? []))
    yield* schemasWithin(each, place);
}

function schemasOfPaths(part: unknown, place: string): [string, Schema][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    if (key === 'example') return [];
    if (key === 'schema') return [...schemasWithin(value as Schema, place)];
    return schemasOfPaths(value, `${place}/${key}`);
  });
}

describe('schemas for client generators', () => {
  const components = Object.entries(document.components.schemas as Record<string, Schema>);
  const ofComponents = components.flatMap(([name, schema]) => [...schemasWithin(schema, name)]);
  const all = [...ofComponents, ...schemasOfPaths(document.paths, '')];
  const placesWhere = (isBad: (schema: Schema, place: string) => boolean) => [
    ...new Set(all.filter(([place, schema]) => isBad(schema, place)).map(([place]) => place)),
  ];

  it('have no pattern next to an equivalent format', () => {
    const formats = ['date', 'date-time', 'time'];
    expect(all.length).toBeGreaterThan(1500);
    expect(
      placesWhere(
        ({ format = '', pattern, allOf }) => formats.includes(format) && (pattern ?? allOf) !== undefined,
      ),
    ).toEqual([]);
    expect(placesWhere(({ format }) => format === 'date-time').length).toBeGreaterThan(20);
  });

  it('have an enum of one value instead of a constant, and only the type for booleans', () => {
    expect(placesWhere((schema) => 'const' in schema)).toEqual([]);
    expect(placesWhere(({ type, enum: values }) => type === 'boolean' && values !== undefined)).toEqual([]);
  });

  it('have no rule next to the fields of an object that would hide them', () => {
    const isHidden = (schema: Schema) =>
      schema.properties !== undefined &&
      ['anyOf', 'oneOf', 'allOf', 'not', 'if'].some((rule) => rule in schema);
    expect(placesWhere(isHidden)).toEqual([]);
    expect(placesWhere((schema) => 'not' in schema || 'propertyNames' in schema)).toEqual([]);
  });

  it("have no union of strings, for which the Java generator creates a class that doesn't compile", () => {
    const isChoice = ({ anyOf = [] }: Schema) =>
      anyOf.length > 0 && anyOf.every(({ type }) => type === 'string');
    expect(placesWhere(isChoice)).toEqual([]);
  });

  it('treat an ID as a string everywhere, because clients send it back unchanged', () => {
    expect(placesWhere(({ format }) => format === 'uuid')).toEqual([]);
  });

  it('have no description at a parameter, which has its own, and no union of objects in a response', () => {
    const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
    expect(parameters.filter(({ schema }) => schema?.description !== undefined)).toEqual([]);
    const choices = components.filter(([, schema]) => schema.anyOf !== undefined).map(([name]) => name);
    expect(choices).toEqual(['McpError']);
  });

  it('have null as a second type, because generators would treat a union as nullable elsewhere too', () => {
    const isChoice = ({ anyOf = [] }: Schema) =>
      anyOf.some(({ type }) => type === 'null') &&
      anyOf.some(
        ({ type, enum: values }) =>
          type !== 'object' && typeof type === 'string' && type !== 'null' && values === undefined,
      );
    expect(placesWhere(isChoice)).toEqual([]);
  });

  it('give int64 for each integer that can be large', () => {
    const isShort = ({ type, format, maximum = Number.POSITIVE_INFINITY, enum: values }: Schema) =>
      type === 'integer' && format === undefined && values === undefined && maximum > 2 ** 31 - 1;
    expect(placesWhere(isShort)).toEqual([]);
  });

  it('require no field that TypeScript renames', () => {
    expect(placesWhere(({ required = [] }) => required.some((name) => /_|^abstract$/.test(name)))).toEqual(
      [],
    );
  });

  it('have a name for each object and each enum in a component', () => {
    const within = ofComponents.filter(
      ([place, { type, enum: values, properties }]) =>
        /[.[{]/.test(place) &&
        ((values !== undefined && type === 'string') || (type === 'object' && properties)),
    );
    expect(within.map(([place]) => place)).toEqual([]);
  });

  it('have field names that stay unique if a generator changes their case', () => {
    const names = components.map(([name]) => name);
    const forms = names.map((name) => name.toLowerCase());
    expect(new Set(forms).size).toBe(forms.length);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
    expect(names.filter((name) => /\d$/.test(name) || name === 'Error')).toEqual([]);
    // Go creates a function NewBudget for Budget, and a type NullableBudget.
    expect(names.filter((name) => /^(New|Nullable)[A-Z]/.test(name))).toEqual([]);
  });

  it('exist for the body of every response with a status of 400 and above', () => {
    const refusals = operations.flatMap(({ path, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([, response]) => [path, JSON.stringify(response)]),
    );
    expect(refusals.length).toBeGreaterThan(600);
    expect(refusals.filter(([, text]) => !text?.includes('"schema":{"$ref"')).map(([path]) => path)).toEqual(
      [],
    );
  });

  it('describe the events of a stream, not the stream as a whole', () => {
    const streams = operations.flatMap(({ operation }) =>
      Object.values(operation.responses as Record<string, { content?: Record<string, Streamed> }>).flatMap(
        ({ content }) => content?.['text/event-stream'] ?? [],
      ),
    );
    expect(streams).toHaveLength(10);
    for (const { 'x-error-codes': _, ...stream } of streams)
      expect(stream).toEqual({
        schema: { description: expect.any(String) },
        'x-event-schema': expect.objectContaining({ type: 'object' }),
      });
    // In the Model Context Protocol, errors in a stream are messages of that protocol.
    const codes = streams.flatMap((stream) => stream['x-error-codes'] ?? []);
    expect(streams.filter((stream) => 'x-error-codes' in stream)).toHaveLength(9);
    expect(codes).toEqual(expect.arrayContaining(['model_timeout', 'rights_lost', 'run_timeout']));
  });

  it('are objects for each JSON body', () => {
    const bodies = operations.flatMap(({ path, operation }) => {
      const { content } = (operation.requestBody ?? {}) as { content?: Record<string, { schema: Schema }> };
      const schema = content?.['application/json']?.schema;
      return schema === undefined ? [] : [{ path, schema }];
    });
    const typeOf = ({ $ref, type }: Schema) =>
      type ?? (document.components.schemas[$ref?.split('/').at(-1) ?? ''] as Schema).type;
    const others = bodies.filter(({ schema }) => typeOf(schema) !== 'object');
    expect(others.map(({ path }) => path)).toEqual(['/api/workspaces/{workspaceId}/members', '/api/budgets']);
  });

  it('allow a message with only its content', () => {
    const { properties, required } = document.components.schemas.ChatMessage as Schema;
    expect(required).toEqual(['role']);
    expect(Object.keys(properties ?? {})).toEqual(['id', 'role', 'content', 'parts']);
  });

  it('come with a description of each tag, the service, and a contact', () => {
    expect(document.tags.map(({ name }) => name)).toEqual(Object.keys(ROUTE_GROUPS));
    expect(document.tags.every(({ description }) => description.endsWith('.'))).toBe(true);
    expect(document.info).toMatchObject({ description: expect.any(String), contact: expect.any(Object) });
  });
});

const VERBS =
  'Add|Approve|Ask|Cancel|Check|Clone|Commit|Create|Delete|Discard|Download|Erase|Export|Generate|Get|Hand|Import|Link|List|Look|Pause|Preview|Pull|Push|Read|Receive|' +
  'Refresh|Rename|Replace|Resume|Revoke|Rotate|Run|Save|Search|Send|Stage|Start|Stop|Stream|Suggest|Summarize|Switch|Undo|Unlink|Unstage|Update|Upload|Verify|Write';

/** Every `description` in the document, with its location. A property called `description` isn't one. */
function descriptionsWithin(part: unknown, place: string, isNames = false): [string, string][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]): [string, string][] => {
    if (!isNames && ['example', 'default', 'enum'].includes(key)) return [];
    if (!isNames && key === 'description' && typeof value === 'string') return [[place, value]];
    return descriptionsWithin(value, `${place}/${key}`, !isNames && key === 'properties');
  });
}

describe('texts of the document', () => {
  const found = descriptionsWithin(document, '');

  it('include a summary per operation that starts with a verb and has at most 60 characters', () => {
    const isGood = (summary: string) =>
      new RegExp(`^(${VERBS})\\b`).test(summary) && summary.length <= 60 && !/[.:;]/.test(summary);
    const bad = operations.filter(({ operation }) => !isGood(operation.summary));
    expect(bad.map(({ operation }) => operation.summary)).toEqual([]);
  });

  it('name each operation by a unique verb and noun', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)+$/.test(id) || id.length > 30)).toEqual([]);
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining(['listWorkspaces', 'createNote', 'readFile', 'startSync', 'getRun']),
    );
  });

  it('are sentences with a capital, a full stop, and no letter instead of a vendor name', () => {
    expect(found.length).toBeGreaterThan(2500);
    expect(found.filter(([, text]) => !/^[A-Z`].*\.$/s.test(text))).toEqual([]);
    expect(found.filter(([, text]) => /\b(hub|platform|provider) [a-c]\b/i.test(text))).toEqual([]);
    expect(
      operations.filter(({ operation }) => /\b(hub|platform|provider) [a-c]\b/i.test(operation.summary)),
    ).toEqual([]);
  });

  it('describe each number, each boolean, and each nullable value', () => {
    const needsOne = ({ type, anyOf = [] }: Schema) =>
      ['integer', 'number', 'boolean'].includes(String(type)) ||
      (Array.isArray(type) && type.includes('null')) ||
      anyOf.some((one) => one.type === 'null');
    const bare = Object.entries(document.components.schemas as Record<string, Schema>).flatMap(
      ([name, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, schema]) => schema.description === undefined && needsOne(schema))
          .map(([property]) => `${name}.${property}`),
    );
    expect(bare).toEqual([]);
  });

  it('describe each parameter', () => {
    const bare = operations.flatMap(({ path, operation }) =>
      (operation.parameters ?? [])
        .filter(({ description }) => description === undefined)
        .map(({ name }) => `${path} ${name}`),
    );
    expect(bare).toEqual([]);
  });

  it('are also sentences for every tool of the agent and of the Model Context Protocol', () => {
    const tools = allTools({} as ToolPorts);
    const texts = [...tools, ...allMcpTools({ tools } as McpPorts)].flatMap(
      ({ name, description, input }) => {
        const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
        return descriptionsWithin({ description, schema }, name);
      },
    );
    expect(texts.length).toBeGreaterThan(80);
    expect(texts.filter(([, text]) => !/^[A-Z`].*\.$/s.test(text))).toEqual([]);
  });
});
