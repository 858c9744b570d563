import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import type { AnyRoute } from '../security/access-table.ts';
import { type Spent, startSliced } from '../support/processes/start-sliced.ts';
import { worstContents, writeWorstContents } from '../support/samples/worst-contents.ts';
import { makeWorstRecords } from '../support/samples/worst-records.ts';
import { cleanUp } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';

/**
 * Asks every route that reads for a workspace with the worst contents: files of 5 MB that are one line, one word, or nested without end,
 * 20,000 names in a folder, notes and conversations of the largest size, a year of small records. Prints the CPU time of the
 * thread that answers per request, and the longest slice of it in which no other request had a turn, worst first. Other work on the
 * host and other threads don't count; the least of three tries does. Ends with 1 where a slice took over 100 ms.
 *
 * `npm run test:worst-contents` takes some minutes; `-- --route files` only the routes with that in their name, and `--small` the
 * same with 1 MB and 2,000 names.
 */
const { values: options } = parseArgs({
  options: { route: { type: 'string', default: '' }, small: { type: 'boolean', default: false } },
});
const MOST_MS = 100;
/** Wall-clock time of one response. */
const MOST_WAIT_MS = 30_000;
const MOST_RUN_MS = 4000;
const LOOK_EVERY_MS = 500;
const MB = 1024 * 1024;
const SIZE = options.small
  ? { bytes: MB, names: 2000, counts: { notes: 28, conversations: 100, messages: 60, entries: 2000 } }
  : {
      bytes: 5 * MB,
      names: 20_000,
      counts: { notes: 140, conversations: 1000, messages: 300, entries: 20_000 },
    };
/** Small enough for a body. */
const TEXT_BYTES = 900_000;
const QUESTIONS = [
  '0 0 0',
  'word',
  'zebra',
  'a'.repeat(200),
  'owl heading text',
  '* [1] ('.repeat(28),
  'a*b*'.repeat(50),
];

interface Asking {
  method: string;
  path: string;
  body?: unknown;
  contents: string;
  startsRun?: boolean;
}

/** Targets of the requests. */
interface Made {
  id: string;
  /** A workspace without files, so that no run has to wait for another process to read. */
  emptyId: string;
  paths: string[];
  noteIds: Map<string, string>;
  conversationId: string;
}

interface Measured extends Spent {
  name: string;
  contents: string;
  status: number;
}

const service = await startSliced({ WATCH: 'off', LOG_LEVEL: 'error' });
try {
  const results = await measureAll(await makeContents());
  process.exitCode = tell(results) ? 0 : 1;
} finally {
  await service.stop();
  await cleanUp();
}

async function makeContents(): Promise<Made> {
  const { id, root } = await makeWorkspace(service);
  const { id: emptyId } = await makeWorkspace(service);
  const paths = await writeWorstContents(root, SIZE);
  await service.call('POST', `/api/workspaces/${id}/sync`);
  const { body } = await service.call<{ id: string }>('GET', '/api/me');
  const database = openDatabase(service.dataDir);
  const of = { workspaceId: id, callerId: body.id, counts: SIZE.counts };
  const made = await makeWorstRecords(sqliteRecords(database), of).finally(() => database.close());
  await untilIndexed(id);
  return { id, emptyId, paths, ...made };
}

async function untilIndexed(id: string): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const { body } = await service.call<{ status: string }>('GET', `/api/workspaces/${id}/sync`);
    quiet = body.status === 'ready' ? quiet + 1 : 0;
    await sleep(1000);
  }
}

/** Goes route by route: each is finished, and printed if it's over the limit, before the next one starts. */
async function measureAll(made: Made): Promise<Measured[]> {
  const results: Measured[] = [];
  for (const asking of [...readings(made), ...checks(made), ...verifications(made), ...changes(made)]) {
    const name = `${asking.method} ${asking.path.split('?')[0]?.replaceAll(made.id, '{id}')}`;
    if (!name.includes(options.route)) continue;
    for (const result of await measureWithRun(asking, name)) {
      results.push(result);
      if (Math.max(result.worked, result.slice) > MOST_MS) console.log(rowOf(result));
    }
  }
  return results;
}

/**
 * Returns each route that reads, with each file as its path, and each parameter of its query with the most
 * expensive value.
 */
function readings(made: Made): Asking[] {
  const routes = (Object.values(ROUTE_GROUPS).flat() as AnyRoute[]).filter(({ method }) => method === 'GET');
  return routes.flatMap((route) => {
    const names = Object.keys(route.query?.shape ?? {});
    const base = names.includes('workspaceId') ? `workspaceId=${made.id}&` : '';
    const limits = names.includes('limit') ? ['', 'limit=1000&'] : [''];
    const queries = [
      ...limits.map((limit) => ['', limit, 'whole workspace']),
      ...(names.includes('path') ? [...made.paths, 'many', 'many/file-1.md'] : []).flatMap((path) =>
        limits.map((limit) => [`path=${path}`, limit, path]),
      ),
      ...valuesOf(names).map(([name, value]) => [
        `${name}=${encodeURIComponent(value)}`,
        '',
        value.slice(0, 20),
      ]),
    ];
    return pathsOf(route.path, made).flatMap(([path, about]) =>
      queries.map(([query, limit, contents]) => {
        return { method: 'GET', path: `${path}?${base}${limit}${query}`, contents: `${about}${contents}` };
      }),
    );
  });
}

function valuesOf(names: string[]): [string, string][] {
  const values: Record<string, string[]> = {
    q: QUESTIONS,
    state: ['indexed', 'partial', 'skipped', 'failed'],
    actor: ['nobody'],
    action: ['nothing'],
    groupBy: ['day', 'workspace', 'caller', 'model', 'kind'],
    type: ['daily'],
  };
  return names.flatMap((name) => (values[name] ?? []).map((value): [string, string] => [name, value]));
}

/**
 * Returns the path of a route for each resource that it can name, with the resource's kind; empty for other
 * IDs.
 */
function pathsOf(path: string, { id, noteIds, conversationId }: Made): [string, string][] {
  const named = path.replace('{workspaceId}', id).replace('{conversationId}', conversationId);
  if (named.includes('{noteId}'))
    return [...noteIds].map(([contents, noteId]) => [
      named.replace('{noteId}', noteId),
      `note of ${contents}, `,
    ]);
  return /\{(?!proxy)/.test(named) ? [] : [[named, '']];
}

/** Requests with a text that the files nearly contain. */
function checks({ id: workspaceId, paths }: Made): Asking[] {
  const quotes = [
    '0 '.repeat(199),
    'word '.repeat(79),
    'a'.repeat(399),
    '2026-01-01 GET / 200 12ms\n'.repeat(15),
  ];
  const check = `/api/workspaces/${workspaceId}/citations/check`;
  return paths.flatMap((path) => [
    ...quotes.map((quote) => {
      const citations = [{ index: 1, path, quote: `${quote}1` }];
      return { method: 'POST', path: check, body: { citations }, contents: `${path}, ${quote.slice(0, 4)}` };
    }),
  ]);
}

function verifications({ id, emptyId, paths }: Made): Asking[] {
  const ask = (workspaceId: string, body: object, contents: string) => {
    return { method: 'POST', path: '/api/verify', body: { workspaceId, ...body }, contents, startsRun: true };
  };
  return [
    ...paths.map((path) => ask(id, { path }, path)),
    ...textsOf().flatMap(({ contents, text }) => [
      ask(id, { text }, `text of ${contents}`),
      ask(emptyId, { text }, `text of ${contents}, without files`),
    ]),
  ];
}

function textsOf(): { contents: string; text: string }[] {
  return Object.entries(worstContents(TEXT_BYTES)).map(([contents, make]) => ({ contents, text: make() }));
}

/** The last ones change the folder with many names. */
function changes({ id: workspaceId, noteIds }: Made): Asking[] {
  const body = (text: string) => ({ workspaceId, title: 'x', content: text });
  const [noteId = ''] = noteIds.values();
  const short = (text: string) => text.slice(0, 190_000);
  return [
    ...textsOf().flatMap(({ contents, text }) => [
      { method: 'POST', path: '/api/notes', body: body(text), contents },
      { method: 'POST', path: '/api/notes', body: body(short(text)), contents: `short ${contents}` },
      {
        method: 'PUT',
        path: `/api/notes/${noteId}`,
        body: { content: short(text) },
        contents: `short ${contents}`,
      },
      {
        method: 'POST',
        path: '/api/files/write',
        body: { workspaceId, path: `written/${contents}`, content: text },
        contents,
      },
    ]),
    {
      method: 'POST',
      path: '/api/files/rename',
      body: { workspaceId, oldPath: 'many', newPath: 'more' },
      contents: 'many',
    },
    { method: 'DELETE', path: `/api/files/delete?workspaceId=${workspaceId}&path=more`, contents: 'more' },
    { method: 'DELETE', path: `/api/workspaces/${workspaceId}`, contents: 'whole workspace' },
  ];
}

/** A request costs the same each time, so if it's over the limit, the minimum of three attempts counts. */
async function measureAgain(asking: Asking) {
  let least = await measureOne(asking);
  for (let tries = 1; tries < 3 && Math.max(least.worked, least.slice) > MOST_MS; tries++) {
    const spent = await measureOne(asking);
    if (spent.result.status !== least.result.status) break; // its change can't be repeated
    if (spent.worked < least.worked) least = { ...spent, slice: Math.min(spent.slice, least.slice) };
  }
  return least;
}

interface Answered {
  status: number;
  runId?: string | undefined;
}

function measureOne({ method, path, body }: Asking) {
  return service.measure(async (): Promise<Answered> => {
    const answer = await inTime(service.call<{ runId?: string } | undefined>(method, path, body));
    return { status: answer?.status ?? 0, runId: answer?.body?.runId };
  });
}

/** A run continues after its response; some seconds of it are measured, too. */
async function measureWithRun(asking: Asking, name: string): Promise<Measured[]> {
  const { startsRun = false, contents } = asking;
  const spent = startsRun ? await measureOne(asking) : await measureAgain(asking);
  const { status, runId } = spent.result;
  const result = { ...spent, name, contents, status };
  if (!startsRun || runId === undefined) return [result];
  const run = await service.measure(() => endRun(runId));
  return [result, { ...run, name: `${name}, then its run`, contents, status }];
}

async function endRun(id: string): Promise<void> {
  const until = performance.now() + MOST_RUN_MS;
  while (performance.now() < until) {
    const answer = await inTime(service.call<{ status: string }>('GET', `/api/agent/runs/${id}`));
    if (answer?.body.status !== 'running') return;
    await sleep(LOOK_EVERY_MS);
  }
  await inTime(service.call('POST', `/api/agent/runs/${id}/stop`));
}

async function inTime<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  return Promise.race([call.catch(() => undefined), sleep(MOST_WAIT_MS, undefined, { ref: false })]);
}

/** Returns true if no request delayed others beyond the limit. */
function tell(results: Measured[]): boolean {
  const sorted = results.toSorted((one, other) => other.slice - one.slice || other.worked - one.worked);
  const ofSum = results.toSorted((one, other) => other.worked - one.worked);
  console.log('longest slice, ms | in all, ms | answer | route | contents');
  for (const result of new Set([...sorted.slice(0, 30), ...ofSum.slice(0, 30)])) console.log(rowOf(result));
  const over = (name: 'slice' | 'worked') => results.filter((each) => each[name] > MOST_MS).length;
  console.log(
    `${results.length} requests; over ${MOST_MS} ms: the longest slice of ${over('slice')}, all of ${over('worked')}`,
  );
  return over('slice') === 0;
}

function rowOf({ slice, worked, status, name, contents }: Measured): string {
  return [slice.toFixed(0), worked.toFixed(0), status, name, contents].join(' | ');
}
