import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { routeTable } from '../../infra/local/route-table.ts';
import { readServiceFile } from '../../infra/local/service-file.ts';
import { openApiText, ROUTE_GROUPS } from '../../infra/openapi.ts';
import { clientTypes, writtenClientTypes } from '../../infra/web/client-types.ts';
import { fieldsAt } from '../../lib/schema-words.ts';

interface Operation {
  operationId: string;
  description: string;
  security?: unknown[];
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: unknown;
  responses: Record<string, { description: string }>;
}
const root = resolve(import.meta.dirname, '../..');
const document = JSON.parse(openApiText()) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe("the console's client", () => {
  it('has the types that `npm run client` makes of the routes as they are', () => {
    expect(writtenClientTypes()).toBe(clientTypes());
  });
});

describe('the OpenAPI document', () => {
  it('knows every group of routes that there is', () => {
    const groups = globSync('functions/*/routes.ts', { cwd: root }).map((file) => file.split('/')[1]);
    expect(Object.keys(ROUTE_GROUPS).sort()).toEqual(groups.sort());
  });

  it('names each path of the groups, all of which are deployed, and no other', () => {
    const match = routeTable(readServiceFile(join(root, 'serverless.yml')).routes);
    const paths = Object.values(ROUTE_GROUPS).flatMap((routes) => routes.map(({ path }) => path));
    expect(paths.filter((path) => match(path) === undefined)).toEqual([]);
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(paths)].sort());
  });

  it('allows no message that would be refused for having neither content nor parts', () => {
    for (const path of ['/api/chat', '/api/agent', '/api/agent/summarize']) {
      const body = JSON.stringify(document.paths[path]?.post?.requestBody);
      expect(body).toContain('"anyOf":[{"required":["content"]},{"required":["parts"]}]');
    }
  });

  it('knows of each body and query what it must be, for who sends something else', () => {
    const schemas = Object.values(ROUTE_GROUPS)
      .flat()
      .flatMap(({ params, query, body }) => [params, query, body].filter((schema) => schema !== undefined));
    expect(schemas.length).toBeGreaterThan(100);
    expect(schemas.every((schema) => fieldsAt(schema, []).length > 0)).toBe(true);
  });

  it('shows of each route with a body one that it takes, but of files and of XML', () => {
    const routes = Object.values(ROUTE_GROUPS)
      .flat()
      .filter(({ body, bodyType }) => body !== undefined && bodyType !== 'multipart/form-data')
      .filter(({ bodyType }) => typeof bodyType !== 'object' || bodyType.raw === 'application/json');
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path, body, bodyType, example } of routes) {
      const content = document.paths[path]?.[method.toLowerCase()]?.requestBody;
      expect([path, JSON.stringify(content)]).toEqual([path, expect.stringContaining('"example":')]);
      expect(JSON.stringify(content)).toContain(JSON.stringify(example));
      const isRead = typeof bodyType !== 'object'; // what is signed is read by its own rule, byte by byte
      expect([path, isRead && body?.safeParse(example).error]).toEqual([path, isRead ? undefined : false]);
    }
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

  it('gives each answer a description, and each guarded route its 401 and 403', () => {
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

  it('names Idempotency-Key for every POST with a caller, and of the others only where a credential was proved', () => {
    const takes = ({ operation }: (typeof operations)[number]) =>
      operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true;
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    expect(open.filter(takes).map(({ path }) => path)).toEqual(['/api/bot/ima/push']);
    const posts = operations.filter((each) => each.method === 'post' && !open.includes(each));
    expect(posts.filter((each) => !takes(each)).map(({ path }) => path)).toEqual(['/api/tokens', '/api/mcp']);
    for (const each of operations.filter(takes))
      expect(Object.keys(each.operation.responses)).toContain('409');
  });

  it('refers only to components that exist', () => {
    const references = [...openApiText().matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(
      (m) => m[1] ?? '',
    );
    expect(references.length).toBeGreaterThan(0);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(references));
  });
});
