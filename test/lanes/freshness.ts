import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { IndexState } from '../../lib/indexing/schema.ts';
import { percentile } from '../bench/load.ts';
import { queuedTime } from '../support/processes/thread-time.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../support/sync.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import { startNfsMounts } from './servers/nfs-mounts.ts';

/**
 * How soon a search finds changes by any program in a watched folder: random changes at a steady rate; then a tree that is
 * copied in, changes while the service is off, while it is stopped (the kernel drops events), and on a FUSE mount. After each, a
 * full sync must find nothing that the index lacks. Exits with 1 if it does. Keyword search only: no embedding service.
 *
 * `npm run test:freshness` takes two minutes; its intended size:
 * `npm run test:freshness -- --files 100000 --changes 10000 --rate 40 --burst 50000 --fuse`
 *
 * Each line has the load. On a busy host, compare the times with the service's wait for a processor, and don't run it with
 * `nice`: next to 24 busy programs a commit of 0.1 s then takes 20 s.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '3000' },
    changes: { type: 'string', default: '600' },
    /** Changes per second. */
    rate: { type: 'string', default: '40' },
    /** Interval between timed changes. */
    sample: { type: 'string', default: '20' },
    /** Number of files that are copied in at once. */
    burst: { type: 'string', default: '3000' },
    /** Seconds during which changes are made. */
    burstSeconds: { type: 'string', default: '0' },
    /** Number of additional workspaces with ten files each. */
    workspaces: { type: 'string', default: '0' },
    fuse: { type: 'boolean', default: false },
  },
});
const { files, changes, rate, sample, burst, burstSeconds, workspaces } = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
) as Record<Exclude<keyof typeof values, 'fuse'>, number>;
const FILES_A_FOLDER = 100;
const PATIENCE_MS = 45 * 60_000;
const LOST_MS = 60_000;

interface Note {
  path: string;
  word: string;
}

interface Run {
  service: Service;
  workspaceId: string;
  root: string;
  notes: Note[];
  made: number;
}

let isWrong = false;
const random = (below: number) => Math.floor(Math.random() * below);
const begun = performance.now();
const load = () =>
  `load ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}`;
const say = (line: string) =>
  console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${line}; ${load()}`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

async function makeTree(root: string): Promise<Note[]> {
  const notes: Note[] = [];
  for (let folder = 0; folder * FILES_A_FOLDER < files; folder++) {
    await mkdir(join(root, `f${folder}`), { recursive: true });
    for (let file = 0; file < FILES_A_FOLDER; file++) {
      const note = { path: `f${folder}/n${file}.md`, word: `first${folder}x${file}` };
      writeFileSync(join(root, note.path), textOf(note.word));
      notes.push(note);
    }
  }
  return notes;
}

function textOf(word: string): string {
  return `# A note\n\nThis note is about ${word}, and about the weather of that day, as most notes are.\n`;
}

function newWord(run: Run): string {
  return `fresh${(run.made++).toString(36)}${random(1e6)}`;
}

/** Makes one random change; returns the expected search result for the word. */
function change(run: Run): { word: string; path: string | undefined } {
  const { root, notes } = run;
  const index = random(notes.length);
  const note = notes[index] as Note;
  const kind = random(5);
  if (kind === 0) return create(run);
  if (kind === 1) {
    note.word = newWord(run);
    writeFileSync(join(root, note.path), textOf(note.word));
    return note;
  }
  if (kind === 4) {
    rmSync(join(root, note.path));
    notes.splice(index, 1);
    return { word: note.word, path: undefined };
  }
  const folder =
    kind === 2 ? note.path.slice(0, note.path.indexOf('/')) : `f${random(files / FILES_A_FOLDER)}`;
  const path = `${folder}/r${run.made++}.md`;
  renameSync(join(root, note.path), join(root, path));
  note.path = path;
  return { word: note.word, path };
}

function create(run: Run): Note {
  const note = { path: `f${random(files / FILES_A_FOLDER)}/c${run.made}.md`, word: newWord(run) };
  writeFileSync(join(run.root, note.path), textOf(note.word));
  run.notes.push(note);
  return note;
}

async function foundPath({ service, workspaceId }: Run, word: string): Promise<string | undefined> {
  const path = `/api/workspaces/${workspaceId}/search?q=${word}&k=1`;
  const { body } = await service.call<{ path: string; text: string }[]>('GET', path);
  return body.find(({ text }) => text.includes(word))?.path;
}

/** Returns how long it takes until a search returns the expected result. */
async function timeToFind(
  run: Run,
  { word, path }: { word: string; path: string | undefined },
): Promise<number> {
  const start = performance.now();
  for (;;) {
    const asked = performance.now();
    if ((await foundPath(run, word)) === path) return asked - start;
    if (performance.now() - start > LOST_MS) {
      say(`WRONG: ${word} is not found at ${path} after ${LOST_MS / 1000} s`);
      isWrong = true;
      return LOST_MS;
    }
    // The lane's own questions must not be the load that delays the service.
    await sleep(Math.max(50, (performance.now() - start) / 10));
  }
}

const readState = async ({ service, workspaceId }: Run) =>
  (await service.call<IndexState>('GET', `/api/workspaces/${workspaceId}/sync`)).body;

/** Waits until the service reports that everything is indexed; returns how long that took. */
async function upToDate(run: Run, start = Date.now()): Promise<number> {
  await sleep(1);
  await eventually(
    () => readState(run),
    ({ asOf }) => asOf !== null && Date.parse(asOf) >= start,
    PATIENCE_MS,
  );
  return Date.now() - start;
}

/** A full scan must not change the index. */
async function compare(run: Run, what: string): Promise<void> {
  const state = await syncWorkspace(run.service, run.workspaceId, PATIENCE_MS);
  const { newCount, updatedCount, removedCount, failedCount, total } = state;
  const isRight = newCount + updatedCount + removedCount + failedCount === 0 && total === run.notes.length;
  if (!isRight) isWrong = true;
  const counts = `${newCount} new, ${updatedCount} changed, ${removedCount} removed of ${total}`;
  say(`${what}: a full sync found ${counts} (${run.notes.length} files)${isRight ? '' : ' WRONG'}`);
}

/** Returns the processor time that a process used, in hundredths of a second. */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Measures the service's share of one processor, and its memory. */
async function measureIdle({ service: { pid } }: Run, ms: number): Promise<string> {
  const before = cpuTicks(pid);
  await sleep(ms);
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return `${((((cpuTicks(pid) - before) * 10) / ms) * 100).toFixed(2)} % of a processor, ${Math.round(Number(rss) / 1024)} MB`;
}

/** Prints the service's times since then. On a busy host, the service mostly waits for a processor. */
function workSince({ service: { pid } }: Run): () => string {
  const read = () => ({ cpu: cpuTicks(pid) * 10, queued: queuedTime(pid), at: performance.now() });
  const before = read();
  return () => {
    const { cpu, queued, at } = read();
    const share = (ms: number) => `${((ms / (at - before.at)) * 100).toFixed(0)} %`;
    return `it used ${share(cpu - before.cpu)} of a processor, and its threads waited for one ${share(queued - before.queued)} of the time`;
  };
}

/** Prints the progress regularly. */
function showProgress(read: () => Promise<string> | string): () => void {
  const timer = setInterval(async () => say(`… ${await read()}`), 20_000);
  return () => clearInterval(timer);
}

async function showIndexing<Answer>(run: Run, work: Promise<Answer>): Promise<Answer> {
  const end = showProgress(async () => {
    const { status, done, total, waitingCount } = await readState(run);
    return `${status}, ${done} of ${total}, ${waitingCount} wait`;
  });
  return work.finally(end);
}

async function changeSteadily(run: Run): Promise<void> {
  const timed: Promise<number>[] = [];
  const start = performance.now();
  const work = workSince(run);
  let done = 0;
  const end = showProgress(() => `${done} of ${changes} changes`);
  for (let made = 0; made < changes; made++) {
    const expected = change(run);
    done = made;
    // The search for a note would fail if it changed again in the meantime.
    if (made % sample === 0 && expected.path === undefined) timed.push(timeToFind(run, expected));
    else if (made % sample === 0)
      timed.push(timeToFind(run, withdrawn(run, expected.path as string, expected.word)));
    await sleep(Math.max(0, start + (made * 1000) / rate - performance.now()));
  }
  const times = (await Promise.all(timed)).sort((a, b) => a - b);
  end();
  const of = (share: number) => seconds(percentile(times, share));
  say(
    `${changes} changes, ${rate}/s, to the search result (${times.length} timed): p50 ${of(0.5)}, p95 ${of(0.95)}, p99 ${of(0.99)}; ${work()}`,
  );
}

/** A tree that another program copies in is indexed by one sync. */
async function copyIn(run: Run): Promise<void> {
  const before = (await readState(run)).syncId;
  const start = performance.now();
  const syncs = new Set<string | null>();
  for (let made = 0; made < burst; made++) {
    const note = { path: `copied/${Math.floor(made / FILES_A_FOLDER)}/n${made}.md`, word: newWord(run) };
    if (made % FILES_A_FOLDER === 0) await mkdir(dirname(join(run.root, note.path)), { recursive: true });
    writeFileSync(join(run.root, note.path), textOf(note.word));
    run.notes.push(note);
    if (made % FILES_A_FOLDER > 0) continue;
    if (made % (20 * FILES_A_FOLDER) === 0) syncs.add((await readState(run)).syncId);
    await sleep(Math.max(0, start + (made / burst) * burstSeconds * 1000 - performance.now()));
  }
  const copiedIn = performance.now() - start;
  const poll = setInterval(async () => syncs.add((await readState(run)).syncId), 500);
  const work = workSince(run);
  const took = await showIndexing(run, upToDate(run));
  clearInterval(poll);
  syncs.delete(before);
  say(
    `${burst} files, copied in within ${seconds(copiedIn)}: ${syncs.size} sync(s), up to date ${seconds(took)} later; ${work()}`,
  );
}

/** Measures the baseline: the service writes the file itself, and reports it immediately. */
async function measureOwnWrites(run: Run): Promise<void> {
  const times: number[] = [];
  for (let made = 0; made < 20; made++) {
    const note = { path: `f0/own${made}.md`, word: newWord(run) };
    const body = { workspaceId: run.workspaceId, path: note.path, content: textOf(note.word) };
    const { status } = await run.service.call('POST', '/api/files/write', body);
    if (status >= 300) throw new Error(`the file was not saved: ${status}`);
    times.push(await timeToFind(run, note));
    run.notes.push(note);
  }
  times.sort((a, b) => a - b);
  say(
    `baseline, saved by the API: p50 ${seconds(percentile(times, 0.5))}, p95 ${seconds(percentile(times, 0.95))}`,
  );
}

/** Excludes the note from changes until the lane ends. */
function withdrawn(run: Run, path: string, word: string): Note {
  const index = run.notes.findIndex((note) => note.path === path);
  const [note] = run.notes.splice(index, 1);
  kept.push(note as Note);
  return { path, word };
}
const kept: Note[] = [];

/**
 * Causes more events than the kernel keeps while the service is stopped. Two files alternate, because equal
 * events are merged.
 */
function overflow(root: string): void {
  const logs = ['f0/a.md', 'f0/b.md'].map((path) => openSync(join(root, path), 'a'));
  for (let event = 0; event < 20_000; event++) for (const log of logs) writeSync(log, 'x\n');
  for (const log of logs) closeSync(log);
}

async function onFuse(): Promise<void> {
  const mounts = await startNfsMounts();
  const [first = '', second = ''] = mounts.hosts;
  const service = await startService({ WATCH: 'auto', WORKSPACE_ROOTS: first });
  try {
    await mkdir(join(first, 'notes'), { recursive: true });
    const run: Run = {
      service,
      workspaceId: await createWorkspace(service, 'notes'),
      root: first,
      notes: [],
      made: 0,
    };
    const { watching } = await eventually(
      () => readState(run),
      (state) => state.watching !== 'off',
    );
    if (watching !== 'polling') isWrong = true;
    await writeFile(join(second, 'notes/far.md'), textOf('farword'));
    say(
      `FUSE: ${watching}; a file of the other host was found after ${seconds(await timeToFind(run, { word: 'farword', path: 'far.md' }))}`,
    );
  } finally {
    await service.stop();
    await mounts.stop();
  }
}

/** Adds idle workspaces, because most workspaces of a service are idle. */
async function amongMany(run: Run): Promise<void> {
  const folders = Array.from({ length: workspaces }, (_, index) => `many${index}`);
  const others: Run[] = [];
  for (const folder of folders) {
    await mkdir(join(root, folder, 'f0'), { recursive: true });
    for (let file = 0; file < 10; file++)
      writeFileSync(join(root, folder, `f0/n${file}.md`), textOf(`${folder}x${file}`));
    const workspaceId = await createWorkspace(run.service, folder);
    others.push({ ...run, workspaceId, root: join(root, folder), notes: [] });
  }
  const start = Date.now();
  for (const other of others) await upToDate(other, start);
  say(`${workspaces} more workspaces: up to date after ${seconds(Date.now() - start)}`);
  await sleep(15_000);
  say(`idle, watching ${workspaces + 1} workspaces: ${await measureIdle(run, 30_000)}`);
  const times: number[] = [];
  for (let made = 0; made < 20; made++) {
    const other = others[random(others.length)] as Run;
    const note = { path: `f0/c${made}.md`, word: newWord(run) };
    writeFileSync(join(other.root, note.path), textOf(note.word));
    times.push(await timeToFind(other, note));
  }
  times.sort((a, b) => a - b);
  say(
    `20 changes, one after the other, each in one of ${workspaces} workspaces: p50 ${seconds(percentile(times, 0.5))}, p95 ${seconds(percentile(times, 0.95))}`,
  );
}

const root = await tempFolder();
const DATA_DIR = await tempFolder();
const environment = { DATA_DIR, WORKSPACE_ROOTS: root, WATCH: 'auto' };
await mkdir(join(root, 'w'));
const notes = await makeTree(join(root, 'w'));
let service = await startService(environment);
const run: Run = {
  service,
  workspaceId: await createWorkspace(service, 'w'),
  root: join(root, 'w'),
  notes,
  made: 0,
};
const readIn = performance.now();
await showIndexing(run, syncWorkspace(service, run.workspaceId, PATIENCE_MS));
say(`${files} files are indexed after ${seconds(performance.now() - readIn)}`);
say(`up to date ${seconds(await showIndexing(run, upToDate(run)))} later`);
await sleep(15_000);
say(`idle, watching: ${await measureIdle(run, 30_000)}`);
await measureOwnWrites(run);
await changeSteadily(run);
say(`up to date after ${seconds(await showIndexing(run, upToDate(run)))}`);
run.notes.push(...kept);
await compare(run, 'after the changes');
if (burst > 0) {
  await copyIn(run);
  await compare(run, 'after the copy');
}

if (workspaces > 0) await amongMany(run);

await service.stop();
for (let made = 0; made < changes / 10; made++) change(run);
service = await startService(environment);
run.service = service;
say(`after ${changes / 10} changes while it was off: up to date after ${seconds(await upToDate(run))}`);
await compare(run, 'after it was off');

for (const path of ['f0/a.md', 'f0/b.md']) {
  appendFileSync(join(run.root, path), textOf('log'));
  run.notes.push({ path, word: 'log' });
}
await upToDate(run);
process.kill(service.pid, 'SIGSTOP');
overflow(run.root);
const missed = Array.from({ length: 100 }, () => create(run)).at(-1) as Note;
process.kill(service.pid, 'SIGCONT');
say(
  `after an overflow: found after ${seconds(await timeToFind(run, missed))}, up to date after ${seconds(await upToDate(run))}`,
);
await compare(run, 'after the overflow');
await service.stop();

const again = await startService(environment);
await sleep(25_000);
say(`idle, started again, watching: ${await measureIdle({ ...run, service: again }, 30_000)}`);
await again.stop();
const without = await startService({ ...environment, WATCH: 'off' });
await sleep(25_000);
say(`idle, started again, WATCH=off: ${await measureIdle({ ...run, service: without }, 30_000)}`);
await without.stop();
if (values.fuse) await onFuse();
await cleanUp();
process.exit(isWrong ? 1 : 0);
