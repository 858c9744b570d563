import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import type { AnyRoute } from '../security/access-table.ts';
import { threadTimes } from '../support/processes/thread-time.ts';
import { worstContents, writeWorstContents } from '../support/samples/worst-contents.ts';
import { startService } from '../support/service.ts';
import { cleanUp } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';

/**
 * Asks every route that reads a workspace for one with the worst contents: files of 5 MB that are one line, one word, or nested
 * without end, 20,000 names in a folder, notes of the largest size. Prints the processor time of the thread that answers, per
 * request, worst first. It is that of the service's first thread (/proc/PID/task/PID/schedstat), so other work on the host and
 * other threads do not count; the least of three tries does. Ends with 1 where a request took over 100 ms.
 *
 * `npx node test/lanes/worst-contents.ts` takes some minutes; `-- --route files` only the routes with that in their name, and
 * `--small` the same with 1 MB and 2,000 names.
 */
const { values: options } = parseArgs({
  options: { route: { type: 'string', default: '' }, small: { type: 'boolean', default: false } },
});
const MOST_MS = 100;
const SIZE = options.small ? { bytes: 1024 * 1024, names: 2000 } : { bytes: 5 * 1024 * 1024, names: 20_000 };
/** Small enough for a body, and near the largest that a note may have. */
const NOTE_BYTES = 900_000;
const QUESTIONS = ['0 0 0', 'word', 'a'.repeat(500), 'owl heading text', '* [1] ('.repeat(100)];

interface Asking {
  method: string;
  path: string;
  body?: unknown;
  contents: string;
}

const service = await startService({ WATCH: 'off', LOG_LEVEL: 'error' });
try {
  const { id, root } = await makeWorkspace(service);
  const paths = await writeWorstContents(root, SIZE);
  await service.call('POST', `/api/workspaces/${id}/sync`);
  await untilIndexed(id);
  const notes = await makeNotes(id);
  const results = [];
  for (const asking of [...readings(id, paths), ...notesOf(notes), ...texts(id, paths)]) {
    const name = `${asking.method} ${asking.path.split('?')[0]}`;
    if (!name.includes(options.route)) continue;
    const result = { ...asking, ...(await measureAgain(asking)), name };
    results.push(result);
    if (result.worked > MOST_MS) console.log(`${result.worked.toFixed(0)} ms  ${name}  ${result.contents}`);
  }
  process.exitCode = tell(results) ? 0 : 1;
} finally {
  await service.stop();
  await cleanUp();
}

async function untilIndexed(id: string): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const { body } = await service.call<{ status: string }>('GET', `/api/workspaces/${id}/sync`);
    quiet = body.status === 'ready' ? quiet + 1 : 0;
    await sleep(1000);
  }
}

async function makeNotes(workspaceId: string): Promise<[string, string][]> {
  const notes: [string, string][] = [];
  for (const [path, make] of Object.entries(worstContents(NOTE_BYTES))) {
    const { body } = await service.call<{ id: string }>('POST', '/api/notes', {
      workspaceId,
      title: path,
      content: make(),
    });
    if (body.id !== undefined) notes.push([path, body.id]);
  }
  return notes;
}

/** Each route that reads, with each file as its path, and each name of its query with what costs most. */
function readings(workspaceId: string, paths: string[]): Asking[] {
  const routes = (Object.values(ROUTE_GROUPS).flat() as AnyRoute[]).filter(({ method }) => method === 'GET');
  return routes.flatMap((route) => {
    const names = Object.keys(route.query?.shape ?? {});
    const path = route.path.replace('{workspaceId}', workspaceId);
    if (/\{(?!proxy)/.test(path)) return [];
    const base = names.includes('workspaceId') ? `workspaceId=${workspaceId}&` : '';
    const of = (query: string, contents: string) => ({
      method: 'GET',
      path: `${path}?${base}${query}`,
      contents,
    });
    const files = [...paths, 'many', 'many/file-1.md'];
    return [
      of('', 'whole workspace'),
      ...(names.includes('path') ? files.map((file) => of(`path=${file}`, file)) : []),
      ...(names.includes('q') ? QUESTIONS.map((q) => of(`q=${encodeURIComponent(q)}`, q.slice(0, 20))) : []),
      ...(names.includes('state')
        ? ['indexed', 'partial', 'skipped', 'failed'].map((state) => of(`state=${state}&limit=200`, state))
        : []),
    ];
  });
}

function notesOf(notes: [string, string][]): Asking[] {
  return notes.map(([contents, id]) => ({
    method: 'GET',
    path: `/api/notes/${id}`,
    contents: `note of ${contents}`,
  }));
}

/** Requests that send a text that the files nearly have. */
function texts(workspaceId: string, paths: string[]): Asking[] {
  const quotes = [
    '0 '.repeat(199),
    'word '.repeat(90),
    'a'.repeat(450),
    '2026-01-01 GET / 200 12ms\n'.repeat(17),
  ];
  return [
    ...paths.flatMap((path, at) => {
      const quote = `${quotes[at % quotes.length]}1`;
      const citations = [{ path, quote }];
      const check = `/api/workspaces/${workspaceId}/citations/check`;
      return [{ method: 'POST', path: check, body: { citations }, contents: path }];
    }),
    ...paths.map((path) => ({
      method: 'POST',
      path: '/api/verify',
      body: { workspaceId, path },
      contents: path,
    })),
    ...Object.entries(worstContents(NOTE_BYTES)).map(([contents, make]) => ({
      method: 'POST',
      path: '/api/notes',
      body: { workspaceId, title: contents, content: make() },
      contents,
    })),
    {
      method: 'POST',
      path: '/api/files/rename',
      body: { workspaceId, oldPath: 'many', newPath: 'more' },
      contents: 'many',
    },
    { method: 'DELETE', path: '/api/files/delete', body: { workspaceId, path: 'more' }, contents: 'more' },
  ];
}

interface Spent {
  status: number;
  worked: number;
}

/** What a request costs, it costs each time: over the limit, the least of three tries counts. */
async function measureAgain(asking: Asking): Promise<Spent> {
  let least = await measureOne(asking);
  for (let tries = 1; tries < 3 && least.worked > MOST_MS; tries++) {
    const spent = await measureOne(asking);
    if (spent.worked < least.worked) least = spent;
  }
  return least;
}

async function measureOne({ method, path, body }: Asking): Promise<Spent> {
  const before = threadTimes(service.pid).worked;
  const cut = sleep(60_000, undefined, { ref: false }).then(() => ({ status: 0 }));
  const { status } = await Promise.race([service.call(method, path, body).catch(() => ({ status: 0 })), cut]);
  return { status, worked: threadTimes(service.pid).worked - before };
}

/** Returns true when no request took the thread for longer than it may. */
function tell(results: (Asking & Spent & { name: string })[]): boolean {
  const sorted = results.toSorted((one, other) => other.worked - one.worked);
  console.log('ms | route | contents | answer');
  for (const { worked, name, contents, status } of sorted.slice(0, 60))
    console.log([worked.toFixed(1), name, contents, status].join(' | '));
  const over = sorted.filter(({ worked }) => worked > MOST_MS);
  console.log(`${results.length} requests; over ${MOST_MS} ms: ${over.length}`);
  return over.length === 0;
}
