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
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { IndexState } from '../../lib/indexing/schema.ts';
import { percentile } from '../bench/load.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../support/sync.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import { startNfsMounts } from './servers/nfs-mounts.ts';

/**
 * How soon a search finds what any program changed in a watched folder: random changes at a steady rate; then changes while the
 * service is off, while it stands still (the kernel drops events), and on a FUSE mount. After each, a full sync must find nothing
 * that the index doesn't know. Ends with 1 if it does. By words only: no embedding service.
 *
 * `npm run test:freshness` takes a minute; the size that it's meant for:
 * `npm run test:freshness -- --files 100000 --changes 10000 --rate 40 --fuse`
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '3000' },
    changes: { type: 'string', default: '600' },
    /** Changes per second. */
    rate: { type: 'string', default: '40' },
    /** Every so many changes, one is timed. */
    sample: { type: 'string', default: '20' },
    fuse: { type: 'boolean', default: false },
  },
});
const [files, changes, rate, sample] = [values.files, values.changes, values.rate, values.sample].map(
  Number,
) as [number, number, number, number];
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
const say = (line: string) => console.log(line);
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

/** Makes one random change; returns what a search for the word must answer. */
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

/** How long it takes until a search answers so. */
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
    await sleep(50);
  }
}

const readState = async ({ service, workspaceId }: Run) =>
  (await service.call<IndexState>('GET', `/api/workspaces/${workspaceId}/sync`)).body;

/** Waits until the service says that all is indexed up to now; returns how long that took. */
async function upToDate(run: Run): Promise<number> {
  const start = Date.now();
  await eventually(
    () => readState(run),
    ({ asOf }) => asOf !== null && Date.parse(asOf) >= start,
    PATIENCE_MS,
  );
  return Date.now() - start;
}

/** A full scan must find the index as it is. */
async function compare(run: Run, what: string): Promise<void> {
  const state = await syncWorkspace(run.service, run.workspaceId, PATIENCE_MS);
  const { newCount, updatedCount, removedCount, failedCount, total } = state;
  const isRight = newCount + updatedCount + removedCount + failedCount === 0 && total === run.notes.length;
  if (!isRight) isWrong = true;
  const counts = `${newCount} new, ${updatedCount} changed, ${removedCount} removed of ${total}`;
  say(`${what}: a full sync found ${counts} (${run.notes.length} files)${isRight ? '' : ' WRONG'}`);
}

/** The share of one processor that the service took, and its memory. */
async function measureIdle({ service: { pid } }: Run, ms: number): Promise<string> {
  const ticks = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  const before = ticks();
  await sleep(ms);
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return `${((((ticks() - before) * 10) / ms) * 100).toFixed(2)} % of a processor, ${Math.round(Number(rss) / 1024)} MB`;
}

async function changeSteadily(run: Run): Promise<void> {
  const timed: Promise<number>[] = [];
  const start = performance.now();
  for (let made = 0; made < changes; made++) {
    const expected = change(run);
    // A note that is changed again meanwhile would be looked for in vain.
    if (made % sample === 0 && expected.path === undefined) timed.push(timeToFind(run, expected));
    else if (made % sample === 0)
      timed.push(timeToFind(run, withdrawn(run, expected.path as string, expected.word)));
    await sleep(Math.max(0, start + (made * 1000) / rate - performance.now()));
  }
  const times = (await Promise.all(timed)).sort((a, b) => a - b);
  const of = (share: number) => seconds(percentile(times, share));
  say(
    `${changes} changes, ${rate}/s, to the search result (${times.length} timed): p50 ${of(0.5)}, p95 ${of(0.95)}, p99 ${of(0.99)}`,
  );
}

/** The baseline: the service writes the file itself, and reports it at once. */
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
    `baseline, saved by the API: p50 ${seconds(percentile(times, 0.5))}, p95 ${seconds(percentile(times, 0.95))}; ${load()}`,
  );
}

/** Takes the note out of those that change, until the lane ends: it stays as it is. */
function withdrawn(run: Run, path: string, word: string): Note {
  const index = run.notes.findIndex((note) => note.path === path);
  const [note] = run.notes.splice(index, 1);
  kept.push(note as Note);
  return { path, word };
}
const kept: Note[] = [];

/** More events than the kernel keeps, while none is read: two files take turns, because equal events are one. */
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

const root = await tempFolder();
const DATA_DIR = await tempFolder();
const environment = { DATA_DIR, WORKSPACE_ROOTS: root, WATCH: 'auto' };
await mkdir(join(root, 'w'));
const notes = await makeTree(join(root, 'w'));
const load = () =>
  `load ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}`;
let service = await startService(environment);
const run: Run = {
  service,
  workspaceId: await createWorkspace(service, 'w'),
  root: join(root, 'w'),
  notes,
  made: 0,
};
const readIn = performance.now();
await syncWorkspace(service, run.workspaceId, PATIENCE_MS);
say(`${files} files are indexed after ${seconds(performance.now() - readIn)}; ${load()}`);
say(`up to date ${seconds(await upToDate(run))} later`);
await sleep(15_000);
say(`idle, watching: ${await measureIdle(run, 30_000)}; ${load()}`);
await measureOwnWrites(run);
await changeSteadily(run);
say(`up to date after ${seconds(await upToDate(run))}; ${load()}`);
run.notes.push(...kept);
await compare(run, 'after the changes');

await service.stop();
for (let made = 0; made < changes / 10; made++) change(run);
service = await startService(environment);
run.service = service;
say(
  `after ${changes / 10} changes while it was off: up to date after ${seconds(await upToDate(run))}; ${load()}`,
);
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
  `after an overflow: found after ${seconds(await timeToFind(run, missed))}, up to date after ${seconds(await upToDate(run))}; ${load()}`,
);
await compare(run, 'after the overflow');
await service.stop();

const again = await startService(environment);
await sleep(25_000);
say(`idle, started again, watching: ${await measureIdle({ ...run, service: again }, 30_000)}; ${load()}`);
await again.stop();
const without = await startService({ ...environment, WATCH: 'off' });
await sleep(25_000);
say(`idle, started again, WATCH=off: ${await measureIdle({ ...run, service: without }, 30_000)}; ${load()}`);
await without.stop();
if (values.fuse) await onFuse();
await cleanUp();
process.exit(isWrong ? 1 : 0);
