import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import { percentile } from '../bench/load.ts';
import { type AnyRoute, nameOf } from '../security/access-table.ts';
import { makeCaller } from '../support/callers.ts';
import { feishuEnvironment, startFakeFeishu } from '../support/fakes/fake-feishu.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { startFakeWecom } from '../support/fakes/fake-wecom.ts';
import { wecomEnvironment } from '../support/fakes/wecom-person.ts';
import { threadTimes } from '../support/processes/thread-time.ts';
import { type BodySchema, type WorstBody, worstBodies } from '../support/samples/worst-bodies.ts';
import { startService } from '../support/service.ts';
import { cleanUp } from '../support/temp-folder.ts';
import type { Asked, Asking } from './ask-meanwhile.ts';

/**
 * Sends the worst bodies and queries that its schema allows to every route of the OpenAPI document, as the least role that
 * may call it, and meanwhile asks as another client: a caller with access to a route must not be able to hold up the others.
 * Prints the routes, worst first, beside what the same questions take while nothing happens. Ends with 1 where a request took
 * the thread that answers over 100 ms of processor time, or the 99th percentile is over 100 ms beyond that of the quiet second.
 * That percentile leaves out what both sides waited for a processor: the clock alone would count what else runs on the host.
 *
 * `npm run test:worst-body` takes some ten minutes; `-- --route chat` only the routes with that in their name.
 */
const { values: options } = parseArgs({
  options: {
    route: { type: 'string', default: '' },
    /** The longest body, in bytes: near the 6 MB limit of an event. */
    bytes: { type: 'string', default: '5900000' },
    /** Prints each request that used the thread for this many milliseconds. */
    tell: { type: 'string', default: 'Infinity' },
  },
});
const BYTES = Number(options.bytes);
const MOST_MS = 100;
const QUIET_MS = 1000;
const ASK_EVERY_MS = 5;
/** Maximum size of a request head. */
const QUERY_BYTES = 14_000;
const BOUNDARY = 'boundary-7MA4YWxkTrZu0gW';

/** One request of a route, created when it is sent. */
interface Sending {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  make?: () => string | Buffer;
}

interface Measured {
  route: string;
  role: string;
  requests: number;
  /**
   * The other client's 99th percentile in the second before, without waits for a processor. All times are in
   * milliseconds.
   */
  quiet: number;
  /** The same while the bodies arrive. */
  busy: number;
  /** The same in wall-clock time. */
  p50: number;
  p99: number;
  max: number;
  /** Processor time of the responding thread, for the most expensive request. */
  busiest: number;
  /** Its longest wait for a processor during one request. */
  queued: number;
  by: string;
  statuses: string;
}

const provider = await startFakeOpenai();
const feishu = await startFakeFeishu();
const service = await startService({
  ...feishuEnvironment(feishu, 'token'),
  ...wecomEnvironment(await startFakeWecom()),
  IMA_PUSH_SECRET: 'push',
  AUTH_MODE: 'token',
  PROVIDER_A_BASE_URL: provider.url,
  EMBEDDING_BASE_URL: provider.url,
  EMBEDDING_API_KEY: 'lane',
  HUB_A_BASE_URL: 'http://127.0.0.1:1',
  HUB_B_BASE_URL: 'http://127.0.0.1:1',
  LOG_LEVEL: 'error',
});
const callers = {
  viewer: await makeCaller(service, 'viewer'),
  member: await makeCaller(service, 'member'),
  admin: await makeCaller(service, 'admin'),
};
const document = (await service.call<OpenApi>('GET', '/api/openapi.json')).body;
const mcpTools = await listMcpTools();
const asked: Asked[] = [];

interface OpenApi {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: BodySchema }> } }>
  >;
  components: { schemas: Record<string, BodySchema> };
}

const asking = await askMeanwhile();
try {
  await sleep(QUIET_MS); // the first responses load the functions
  const results: Measured[] = [];
  for (const route of Object.values(ROUTE_GROUPS).flat() as AnyRoute[]) {
    if (nameOf(route).includes(options.route)) results.push(...(await measureRoute(route)));
  }
  process.exitCode = tell(results) ? 0 : 1;
} finally {
  await asking.terminate(); // first, because it fails without the service, and would hide why the lane ended
  await service.stop();
  await provider.stop();
  await feishu.stop();
  await cleanUp();
}

interface McpTool {
  name: string;
  inputSchema: BodySchema;
}

async function listMcpTools(): Promise<McpTool[]> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { ...callers.viewer.headers, accept: 'application/json, text/event-stream' };
  const { body } = await service.call<string>('POST', '/api/mcp', message, headers);
  const answer = JSON.parse(/^data: (\{.*)$/m.exec(body)?.[1] ?? '') as { result: { tools: McpTool[] } };
  return answer.result.tools;
}

async function askMeanwhile(): Promise<Worker> {
  const workspaceId = await makeWorkspace();
  const paths = ['/api/health', `/api/workspaces/${workspaceId}`];
  const workerData: Asking = {
    url: service.url,
    pid: service.pid,
    paths,
    headers: callers.viewer.headers,
    everyMs: ASK_EVERY_MS,
  };
  const worker = new Worker(new URL('./ask-meanwhile.ts', import.meta.url), { workerData });
  worker.on('message', (one: Asked) => asked.push(one));
  worker.on('error', (error) => {
    console.error('the other client was not answered:', error);
    console.error(`the service wrote:\n${service.output()}`);
    process.exit(1);
  });
  return worker;
}

async function makeWorkspace(): Promise<string> {
  const { body } = await callers.admin.call<{ id: string }>('POST', '/api/workspaces', {
    path: randomUUID(),
  });
  return body.id;
}

/** Measures how long the other client waits without any body. */
async function measureQuiet(): Promise<number> {
  asked.length = 0;
  await sleep(QUIET_MS);
  return waited('busyMs', 0.99);
}

function waited(measure: 'tookMs' | 'busyMs', share: number): number {
  return percentile(
    asked.map((one) => one[measure]),
    share,
  );
}

/** Sends all requests of a route one after another; none if the route accepts neither body nor query. */
async function measureRoute(route: AnyRoute): Promise<Measured[]> {
  const sendings = await sendingsOf(route);
  if (sendings.length === 0) return [];
  const quiet = await measureQuiet();
  asked.length = 0;
  let most = { worked: 0, name: '' };
  let queued = 0;
  const statuses = new Map<number, number>();
  for (const sending of sendings) {
    const spent = await measureAgain(sending);
    statuses.set(spent.status, (statuses.get(spent.status) ?? 0) + 1);
    if (spent.worked > most.worked) most = { worked: spent.worked, name: sending.name };
    queued = Math.max(queued, spent.queued);
    if (spent.worked > Number(options.tell))
      console.log(`${spent.worked.toFixed(0)} ms  ${nameOf(route)}  ${sending.name}`);
  }
  return [
    {
      route: nameOf(route),
      role: route.access,
      requests: sendings.length,
      quiet,
      busy: waited('busyMs', 0.99),
      ...{ p50: waited('tookMs', 0.5), p99: waited('tookMs', 0.99), max: waited('tookMs', 1) },
      ...{ busiest: most.worked, queued, by: most.name },
      statuses: [...statuses].map(([status, count]) => `${count} x ${status}`).join(', '),
    },
  ];
}

interface Spent {
  status: number;
  worked: number;
  queued: number;
}

/**
 * A body costs the same each time, so if it's over the limit, the minimum of three attempts counts. The rest
 * is load of a busy host.
 */
async function measureAgain(sending: Sending): Promise<Spent> {
  let least = await measureOne(sending);
  for (let tries = 1; tries < 3 && least.worked > MOST_MS; tries++) {
    const spent = await measureOne(sending);
    if (spent.worked < least.worked) least = spent;
  }
  return least;
}

async function measureOne(sending: Sending): Promise<Spent> {
  const body = sending.make?.();
  const before = threadTimes(service.pid);
  const status = await send(sending, body);
  await sleep(2 * ASK_EVERY_MS); // one more request is sent and answered
  const after = threadTimes(service.pid);
  return { status, worked: after.worked - before.worked, queued: after.queued - before.queued };
}

async function send({ method, path, headers }: Sending, body: string | Buffer | undefined): Promise<number> {
  return service.call(method, path, body, headers).then(
    ({ status }) => status,
    () => 0, // the connection was closed, but the delay of the others counts anyway
  );
}

async function sendingsOf(route: AnyRoute): Promise<Sending[]> {
  const { method, access } = route;
  const headers =
    access === 'public' || access === 'monitor' ? { authorization: 'Bearer push' } : callers[access].headers;
  const workspaceId = await makeWorkspace();
  const path = route.path.replace('{workspaceId}', workspaceId).replace(/\{(\w+)\+?\}/g, () => randomUUID());
  const base = { method, headers };
  return [
    ...bodiesOf(route, workspaceId).map(({ name, make, type }) => ({
      ...base,
      path: withWorkspace(route, path, workspaceId),
      name,
      make,
      headers: { ...headers, 'content-type': type, accept: 'application/json, text/event-stream' },
    })),
    ...queriesOf(route).map(({ name, query }) => ({ ...base, name, path: `${path}?${query}` })),
  ];
}

/** Returns a query that names the workspace if the body can't. */
function withWorkspace({ query }: AnyRoute, path: string, workspaceId: string): string {
  return query !== undefined && 'workspaceId' in query.shape ? `${path}?workspaceId=${workspaceId}` : path;
}

interface TypedBody extends WorstBody {
  type: string;
}

function bodiesOf(route: AnyRoute, workspaceId: string): TypedBody[] {
  const { body, bodyType = 'application/json' } = route;
  if (body === undefined) return [];
  if (nameOf(route) === 'POST /api/mcp') return mcpBodies(workspaceId);
  if (bodyType === 'multipart/form-data') return formBodies();
  const schema =
    document.paths[route.path]?.[route.method.toLowerCase()]?.requestBody?.content['application/json'];
  const example = inWorkspace(route.example ?? {}, workspaceId);
  const bytes = typeof bodyType === 'object' ? bodyType.maxBytes - 1000 : BYTES;
  const type = typeof bodyType === 'object' ? bodyType.raw : bodyType;
  const family = worstBodies(example, schema?.schema ?? {}, document.components.schemas, bytes);
  const others = Object.keys(route.otherBodies ?? {}).flatMap((other) => textBodies(other));
  const texts = type === 'text/xml' ? textBodies(type, bytes) : [];
  return [...family.map((each) => ({ ...each, type })), ...others, ...texts];
}

/** The example of a route names a workspace that doesn't exist. */
function inWorkspace(example: unknown, workspaceId: string): unknown {
  if (typeof example !== 'object' || example === null || !('workspaceId' in example)) return example;
  return { ...example, workspaceId };
}

function mcpBodies(workspaceId: string): TypedBody[] {
  const call = (name: string, json: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${json}}}`;
  const bytes = 5_000_000;
  const type = 'application/json';
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const field: BodySchema = { type: 'string' };
  const schema = {
    properties: { id: field, method: field, params: { properties: { name: field, arguments: {} } } },
  };
  return [
    ...worstBodies(message, schema, {}, bytes).map((each) => ({ ...each, type })),
    ...mcpTools.flatMap(({ name, inputSchema }) =>
      worstBodies({ workspaceId }, inputSchema, {}, bytes).map((each) => ({
        type,
        name: `${name} ${each.name}`,
        make: () => call(name, String(each.make())),
      })),
    ),
  ];
}

function formBodies(): TypedBody[] {
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  const part = (name: string, content: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
  const bytes = Math.floor(BYTES * 0.7); // base64 in the event
  const body = (name: string, make: () => string) => ({
    type,
    name,
    make: () => `${make()}--${BOUNDARY}--\r\n`,
  });
  return [
    body('parts without end', () => part('a', 'x').repeat(bytes / 90)),
    body('different parts without end', () =>
      Array.from({ length: bytes / 95 }, (_, at) => part(`a${at}`, 'x')).join(''),
    ),
    body('a long name', () => part('a'.repeat(bytes), 'x')),
    body('names that need escapes', () => part('%22'.repeat(bytes / 3), 'x')),
    body('half boundaries', () => part('path', `\r\n--${BOUNDARY.slice(0, -1)}`.repeat(bytes / 28))),
    body('line ends', () => part('path', '\r\n'.repeat(bytes / 2))),
    body('headers without end', () => `--${BOUNDARY}\r\n${'x-a: b\r\n'.repeat(bytes / 8)}`),
    body('blanks in a header', () => `--${BOUNDARY}\r\nContent-Disposition: form-data;${' '.repeat(bytes)}`),
    body('a long path', () => part('path', 'a/'.repeat(bytes / 2)) + part('file', 'x')),
  ];
}

/** Texts with another content type than JSON. */
function textBodies(type: string, bytes = BYTES): TypedBody[] {
  const front = (text: string) => `---\nname: x\n${text}\n---\n\nDo it.\n`;
  const times = (piece: string) => piece.repeat(bytes / piece.length);
  const bodies: [string, () => string][] = [
    ...['x', '[', '{', '- ', '---\n', '\n', ' ', '<a>', '<a ', '&amp;', '<!--', '<![CDATA['].map(
      (piece): [string, () => string] => [`text of ${JSON.stringify(piece)}`, () => times(piece)],
    ),
    ...['a: [', '? ', 'a: &a\n', '- - ', '"\\', 'steps: x\n', '#'].map((piece): [string, () => string] => [
      `front matter of ${JSON.stringify(piece)}`,
      () => front(times(piece).slice(0, 990_000)),
    ]),
    [
      'fields in front matter',
      () => front(Array.from({ length: 60_000 }, (_, at) => `k${at}: 1`).join('\n')),
    ],
    ['steps in front matter', () => front(`steps:\n${'- x\n'.repeat(200_000)}`)],
    [
      'fields of XML',
      () => `<xml>${Array.from({ length: bytes / 20 }, (_, at) => `<k${at}>1</k${at}>`).join('')}</xml>`,
    ],
  ];
  return bodies.map(([name, make]) => ({ type, name: `${type}: ${name}`, make }));
}

function queriesOf({ query }: AnyRoute): { name: string; query: string }[] {
  if (query === undefined) return [];
  const many = (pair: (at: number) => string) =>
    Array.from({ length: QUERY_BYTES / 8 }, (_, at) => pair(at))
      .join('&')
      .slice(0, QUERY_BYTES);
  return [
    { name: 'parameters without end', query: many((at) => `k${at}=1`) },
    { name: 'one parameter again and again', query: many(() => 'limit=1') },
    ...Object.keys(query.shape).flatMap((name) =>
      ['x', '/', '*', '9', '%20', '-', '%00', '%5B'].map((piece) => ({
        name: `${name} of ${piece}`,
        query: `${name}=${piece.repeat(QUERY_BYTES / piece.length)}`,
      })),
    ),
  ];
}

/** Returns true if no route delayed the other client beyond the limit. */
function tell(results: Measured[]): boolean {
  const sorted = results.toSorted((one, other) => other.busiest - one.busiest);
  console.log(
    'quiet p99 | busy p99 | p50 | p99 | max | thread | queued | requests | role | route | by | answers',
  );
  for (const { quiet, busy, p50, p99, max, busiest, queued, requests, role, route, by, statuses } of sorted) {
    const numbers = [quiet, busy, p50, p99, max, busiest, queued].map((ms) => ms.toFixed(1));
    console.log([...numbers, requests, role, route, by, statuses].join(' | '));
  }
  const count = results.reduce((sum, { requests }) => sum + requests, 0);
  const late = sorted.filter((one) => one.busy > MOST_MS + one.quiet || one.busiest > MOST_MS);
  const over = sorted.filter(({ p99 }) => p99 > MOST_MS);
  console.log(
    `${results.length} routes, ${count} requests; p99 over ${MOST_MS} ms by the clock: ${over.length}`,
  );
  for (const { route } of late) console.log(`holds others up: ${route}`);
  return late.length === 0;
}
