import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Citation } from '../../lib/api-contract/citation.ts';
import { percentile } from '../bench/load.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { startPipeline } from '../support/pipeline.ts';
import { measureQuoteCost, type QuoteCost } from '../support/quote-costs.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, syncWorkspace } from '../support/sync.ts';
import { cleanUp } from '../support/temp-folder.ts';

/**
 * Citations of stored answers while their files change: random edits, moves, and deletions, half of them
 * through the API and half by another program in the watched folder. After every batch, an independent scan
 * of all answers and files finds the broken quotes: exactly these must be listed within a minute. Then the
 * cost of one change as documents grow. Exits with 1 on a difference.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '250' },
    answers: { type: 'string', default: '200' },
    changes: { type: 'string', default: '500' },
    /** Changes between two comparisons. */
    batch: { type: 'string', default: '25' },
    documents: { type: 'string', default: '1000,10000,100000' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
});
const [files, answers, changes, batch] = [values.files, values.answers, values.changes, values.batch].map(
  Number,
) as [number, number, number, number];
const LIMIT_MS = 60_000;

let state = Number(values.seed);
/** A seeded generator (mulberry32), so that a failed run can be repeated. */
function random(below: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
}

let isWrong = false;
const begun = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${line}`);

interface Run {
  service: Service;
  workspaceId: string;
  root: string;
  /** The existing files, and the texts of removed files. */
  paths: string[];
  removed: { path: string; text: string }[];
  made: number;
}

function textOf(number: number): string {
  const word = `subject${number}`;
  return [
    `# File ${number}`,
    `The ${word} of this file was measured at ${number + 100} metres in the year ${1800 + (number % 200)}.`,
    `Nobody has repeated the measurement of ${word} since then, because the instruments were lost.`,
    `A second report says that ${word} changes by ${number % 17} percent in a wet summer.`,
  ].join('\n\n');
}

async function ask({ service, workspaceId }: Run, number: number): Promise<void> {
  const text = `At how many metres was subject${number} measured, and what does the second report say of it?`;
  const body = {
    workspaceId,
    id: `chat-${number}`,
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }],
  };
  const { status } = await service.call('POST', '/api/chat', body);
  if (status !== 200) throw new Error(`no answer: ${status}`);
}

type Change = (run: Run, path: string) => Promise<void>;

const onDisk = (run: Run, path: string) => join(run.root, path);
const isByApi = () => random(2) === 0;

async function save(run: Run, path: string, text: string): Promise<void> {
  if (isByApi()) return call(run, 'POST', '/api/files/write', { path, content: text });
  await mkdir(dirname(onDisk(run, path)), { recursive: true });
  await writeFile(onDisk(run, path), text);
}

async function call(run: Run, method: string, path: string, body: object): Promise<void> {
  const { status, bytes } = await run.service.call(method, path, { workspaceId: run.workspaceId, ...body });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${bytes.toString()}`);
}

const read = (run: Run, path: string) => readFile(onDisk(run, path), 'utf8');

/** The kinds of changes. Some break quotes, some move them, and some keep them. */
const CHANGES: Record<string, Change> = {
  async edit(run, path) {
    const parts = (await read(run, path)).split('\n\n');
    const at = random(parts.length);
    parts[at] = `Paragraph ${run.made} was written anew.`;
    await save(run, path, parts.join('\n\n'));
  },
  async prepend(run, path) {
    await save(run, path, `Line ${run.made}, added before all others.\n\n${await read(run, path)}`);
  },
  /** Makes the first word of each paragraph part of a longer word. */
  async grow(run, path) {
    await save(run, path, (await read(run, path)).replace(/\n\n(?=\p{L})/gu, '\n\nUn'));
  },
  async wrap(run, path) {
    await save(run, path, (await read(run, path)).replace(' was ', '\nwas ').replace(' says ', '\nsays '));
  },
  async move(run, path) {
    const to = `moved/${random(20)}/m${run.made}.md`;
    if (isByApi()) await call(run, 'POST', '/api/files/rename', { oldPath: path, newPath: to });
    else {
      await mkdir(dirname(onDisk(run, to)), { recursive: true });
      await rename(onDisk(run, path), onDisk(run, to));
    }
    run.paths[run.paths.indexOf(path)] = to;
  },
  async moveAndEdit(run, path) {
    await CHANGES.move?.(run, path);
    await CHANGES.edit?.(run, run.paths.find((each) => each.endsWith(`/m${run.made}.md`)) ?? path);
  },
  async remove(run, path) {
    run.removed.push({ path, text: await read(run, path) });
    run.paths.splice(run.paths.indexOf(path), 1);
    if (isByApi()) {
      const query = new URLSearchParams({ workspaceId: run.workspaceId, path });
      const { status } = await run.service.call('DELETE', `/api/files/delete?${query}`);
      if (status >= 300) throw new Error(`not deleted: ${status}`);
    } else await rm(onDisk(run, path));
  },
  /** Restores the file at its path or elsewhere. */
  async restore(run) {
    const [back] = run.removed.splice(random(run.removed.length), 1);
    if (back === undefined) return;
    const path = random(2) === 0 ? back.path : `back/b${run.made}.md`;
    await save(run, path, back.text);
    run.paths.push(path);
  },
  async editBack(run, path) {
    const number = /# File (\d+)/.exec(await read(run, path))?.[1];
    if (number !== undefined) await save(run, path, textOf(Number(number)));
  },
};
const KINDS = [
  'edit',
  'edit',
  'edit',
  'prepend',
  'grow',
  'wrap',
  'move',
  'move',
  'remove',
  'remove',
  'restore',
  'editBack',
  'moveAndEdit',
];

interface Message {
  parts: { type: string; data?: Citation }[];
}

/**
 * Returns the broken quotes by a full scan of all answers and files, and the quotes whose unchanged file is
 * elsewhere.
 */
async function scan(run: Run) {
  const { texts, hashes } = await readAll(run.root);
  const broken = new Set<string>();
  const movable = new Set<string>();
  const cited = await readCitations(run);
  for (const { name, path, quote, fileHash } of cited) {
    const text = texts.get(path);
    const words = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(squeeze(quote))}(?![\\p{L}\\p{N}])`, 'u');
    if (text === undefined || !words.test(text)) broken.add(name);
    if (text === undefined && hashes.has(fileHash)) movable.add(name);
  }
  return { broken, movable, quotes: cited.length };
}

async function readAll(root: string) {
  const texts = new Map<string, string>();
  const hashes = new Set<string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    texts.set(path.slice(root.length + 1), squeeze(bytes.toString()));
    hashes.add(createHash('sha256').update(bytes).digest('hex'));
  }
  return { texts, hashes };
}

async function readCitations({ service }: Run): Promise<(Citation & { name: string })[]> {
  const cited: (Citation & { name: string })[] = [];
  for (let number = 0; number < answers; number++) {
    const { body } = await service.call<{ messages: Message[] }>('GET', `/api/conversations/chat-${number}`);
    for (const { data } of body.messages.flatMap(({ parts }) => parts))
      if (data?.quote) cited.push({ ...data, name: `chat-${number} ${data.index}` });
  }
  return cited;
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ');
}

async function listed({ service, workspaceId }: Run): Promise<Set<string>> {
  const found = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '20', ...(cursor !== undefined && { cursor }) });
    const path = `/api/workspaces/${workspaceId}/broken-citations?${query}`;
    const { body, headers } = await service.call<{ document: { id: string }; citation: { index: number } }[]>(
      'GET',
      path,
    );
    for (const { document, citation } of body) found.add(`${document.id} ${citation.index}`);
    cursor = headers['x-next-cursor']?.toString();
  } while (cursor !== undefined);
  return found;
}

const times: number[] = [];
let mostBroken = 0;

/** Waits until exactly the broken quotes are listed, and no quote can be moved. */
async function compare(run: Run, made: number): Promise<void> {
  const start = performance.now();
  for (;;) {
    const [found, expected] = [await listed(run), await scan(run)];
    const missing = [...expected.broken].filter((each) => !found.has(each));
    const false_ = [...found].filter((each) => !expected.broken.has(each));
    const took = performance.now() - start;
    if (missing.length + false_.length + expected.movable.size === 0) {
      times.push(took);
      mostBroken = Math.max(mostBroken, expected.broken.size);
      if (took > LIMIT_MS) isWrong = true;
      say(
        `${made} changes: ${expected.broken.size} of ${expected.quotes} quotes are broken and listed, after ${(took / 1000).toFixed(1)} s`,
      );
      return;
    }
    if (took > LIMIT_MS) {
      isWrong = true;
      say(
        `WRONG after ${made} changes: missing ${missing}; listed and not broken ${false_}; not moved ${[...expected.movable]}`,
      );
      return;
    }
    await sleep(500);
  }
}

async function changeFiles(): Promise<void> {
  const provider = await startFakeOpenai();
  const service = await startService({ PROVIDER_A_BASE_URL: provider.url, WATCH: 'auto' });
  try {
    const root = join(service.root, 'library');
    await mkdir(join(root, 'f'), { recursive: true });
    const paths = Array.from({ length: files }, (_, number) => `f/n${number}.md`);
    for (const [number, path] of paths.entries()) await writeFile(join(root, path), textOf(number));
    const workspaceId = await createWorkspace(service, 'library');
    await syncWorkspace(service, workspaceId);
    const run: Run = { service, workspaceId, root, paths, removed: [], made: 0 };
    for (let number = 0; number < answers; number++) await ask(run, number);
    const { quotes } = await scan(run);
    say(`seed ${values.seed}: ${files} files, ${answers} kept answers with ${quotes} quotes`);
    await compare(run, 0);
    while (run.made < changes) {
      for (let at = 0; at < batch; at++, run.made++) {
        const kind = KINDS[random(KINDS.length)] ?? 'edit';
        await CHANGES[kind]?.(run, run.paths[random(run.paths.length)] as string);
      }
      await compare(run, run.made);
    }
    times.sort((a, b) => a - b);
    const of = (share: number) => `${(percentile(times, share) / 1000).toFixed(1)} s`;
    say(`all listed after p50 ${of(0.5)}, at most ${of(1)}; up to ${mostBroken} broken at once`);
  } finally {
    await service.stop();
    await provider.stop();
  }
}

async function measureCosts(): Promise<void> {
  const costs: QuoteCost[] = [];
  for (const documents of values.documents.split(',').map(Number)) {
    const pipeline = await startPipeline();
    pipeline.ports.embedder = undefined;
    costs.push(await measureQuoteCost(pipeline, documents));
  }
  console.log(
    '| Documents | Requests | Records read | Records written | Time (SQLite) |\n|---:|---:|---:|---:|---:|',
  );
  for (const { documents, calls, read: items, written, ms } of costs)
    console.log(`| ${documents} | ${calls} | ${items} | ${written} | ${ms.toFixed(0)} ms |`);
  const [first] = costs;
  if (
    costs.some(
      ({ calls, read: items, written }) =>
        calls !== first?.calls || items !== first.read || written !== first.written,
    )
  )
    isWrong = true;
}

try {
  await changeFiles();
  await measureCosts();
} finally {
  await cleanUp();
}
say(isWrong ? 'WRONG' : 'all right');
process.exit(isWrong ? 1 : 0);
