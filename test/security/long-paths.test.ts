import { describe, expect, it } from '@jest/globals';
import { openApiText, ROUTE_GROUPS } from '../../infra/openapi.ts';
import { makeCaller } from '../support/callers.ts';
import { threadTime } from '../support/processes/thread-time.ts';
import { startService } from '../support/service.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { type AnyRoute, nameOf } from './access-table.ts';

const PATH_FIELD = /path$|^cwd$/i;
const MAX_PATH = 4096;
/** Processor time of the responding thread. Receiving and parsing 5.9 MB takes about 80 ms of it. */
const MOST_MS = 180;
/** The same for an allowed path with 2,000 missing directories. */
const MOST_OF_SHORT_MS = 60;

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  maxLength?: number;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { name: string; in: string; schema: Schema }[];
}

const document = JSON.parse(openApiText()) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const service = await startService({ AUTH_MODE: 'token', LOG_LEVEL: 'error' });
const admin = await makeCaller(service, 'admin');
const headers = { ...admin.headers, accept: 'application/json, text/event-stream' };
const { id: workspaceId } = await makeWorkspace(admin);

const routes = (Object.values(ROUTE_GROUPS).flat() as AnyRoute[]).flatMap((route) => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  return operation === undefined
    ? []
    : fieldsOf(operation).map((field) => ({ route, field, name: nameOf(route) }));
});
const inBody = routes.filter(({ field }) => field.place === 'application/json');
const inQuery = routes.filter(({ field }) => field.place === 'query');

interface Field {
  name: string;
  place: string;
  maxLength: number | undefined;
}

function fieldsOf({ requestBody, parameters = [] }: Operation): Field[] {
  const bodies = Object.entries(requestBody?.content ?? {}).flatMap(([place, { schema }]) =>
    Object.entries(resolve(schema).properties ?? {}).map(([name, field]) => ({ name, place, schema: field })),
  );
  const queries = parameters.map(({ name, in: place, schema }) => ({ name, place, schema }));
  return [...bodies, ...queries]
    .filter(({ name, place }) => place !== 'path' && PATH_FIELD.test(name))
    .map(({ name, place, schema }) => ({ name, place, maxLength: resolve(schema).maxLength }));
}

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

async function timeOf(method: string, path: string, body?: unknown): Promise<{ status: number; ms: number }> {
  const before = threadTime(service.pid);
  const { status } = await service.call(method, path, body, headers);
  return { status, ms: threadTime(service.pid) - before };
}

function bodyWith({ example }: AnyRoute, field: string, path: string): object {
  const there = typeof example === 'object' && example !== null ? example : {};
  return { ...there, ...('workspaceId' in there && { workspaceId }), [field]: path };
}

it('paths in requests all have a length limit', () => {
  expect(routes.length).toBeGreaterThan(12);
  for (const { name: route, field } of routes)
    expect({ route, ...field }).toMatchObject({ maxLength: MAX_PATH });
});

/** Too long, and as long as a path may be: missing directories, and parts that normalizing removes. */
describe.each(['a/', '../', './', '/'])('path length with %j', (piece) => {
  const longest = piece.repeat((MAX_PATH - 1) / piece.length);

  it.each(inBody)('is limited in $name, $field.name', async ({ route, field }) => {
    const { method, path } = route;
    await timeOf(method, path, {}); // loads the function
    const long = await timeOf(
      method,
      path,
      bodyWith(route, field.name, piece.repeat(5_900_000 / piece.length)),
    );
    expect(long.status).toBe(400);
    expect(long.ms).toBeLessThan(MOST_MS);
    const short = await timeOf(method, path, bodyWith(route, field.name, longest));
    expect(short.ms).toBeLessThan(MOST_OF_SHORT_MS);
  });

  it.each(inQuery)('is limited in the query of $name, $field.name', async ({ route, field }) => {
    const query = `${route.path}?workspaceId=${workspaceId}&${field.name}=`;
    const long = await timeOf(route.method, query + piece.repeat(7000 / piece.length));
    expect(long.status).toBe(400);
    expect(long.ms).toBeLessThan(MOST_OF_SHORT_MS);
    const short = await timeOf(route.method, query + longest);
    expect(short.ms).toBeLessThan(MOST_OF_SHORT_MS);
  });

  it('is limited in the form of POST /api/files/upload', async () => {
    const form = (path: string) => {
      const made = new FormData();
      made.set('workspaceId', workspaceId);
      made.set('path', path);
      made.set('file', new Blob(['x']), 'x.txt');
      return made;
    };
    await timeOf('POST', '/api/files/upload', form('')); // loads the function
    const long = await timeOf('POST', '/api/files/upload', form(piece.repeat(4_000_000 / piece.length)));
    expect(long.status).toBe(400);
    expect(long.ms).toBeLessThan(MOST_MS);
    const short = await timeOf('POST', '/api/files/upload', form(longest));
    expect(short.ms).toBeLessThan(MOST_OF_SHORT_MS);
  });

  it.each(['read_file', 'write_file'])('is limited in the MCP tool %s', async (name) => {
    const call = (path: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { workspaceId, path, content: 'x' } },
    });
    await timeOf('POST', '/api/mcp', call('x')); // loads the function
    const long = await timeOf('POST', '/api/mcp', call(piece.repeat(5_000_000 / piece.length)));
    expect(long.ms).toBeLessThan(MOST_MS);
    const short = await timeOf('POST', '/api/mcp', call(longest));
    expect(short.ms).toBeLessThan(MOST_OF_SHORT_MS);
  });
});
