import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../../infra/free-port.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { percentile } from '../bench/load.ts';
import {
  type ChatRequest,
  type FakeAnswer,
  type FakeOpenai,
  startFakeOpenai,
} from '../support/fakes/fake-openai.ts';
import { writeNotes } from '../support/samples/notes-tree.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, waitForSync } from '../support/sync.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';

/**
 * Many users of one host, first alone and then during one team's import: times of a chat, an agent run, and finding a saved
 * file, with a provider that fails and hangs, and with kills of the whole host. Exits with 1 if something was lost: a message
 * in the dead-letter queue, a sync that was declared dead, a saved file that isn't found.
 *
 * `npm run test:fair` takes about two minutes; the intended size of the service:
 * `npm run test:fair -- --callers 200 --runs 50 --files 50000 --seconds 300 --kills 5`
 */
const { values } = parseArgs({
  options: {
    callers: { type: 'string', default: '20' },
    runs: { type: 'string', default: '5' },
    files: { type: 'string', default: '2000' },
    /** Seconds of the calm part. The other part lasts as long as the import. */
    seconds: { type: 'string', default: '30' },
    kills: { type: 'string', default: '0' },
    /** Failing share of the provider's calls, in percent. */
    fails: { type: 'string', default: '5' },
    hangs: { type: 'string', default: '1' },
  },
});
const size = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
) as Record<keyof typeof values, number>;
/** Callers per workspace. Some share a workspace, like a team. */
const CALLERS_A_WORKSPACE = 4;
/** The pause between two actions of a person. */
const THINK_MS = 3000;
const PATIENCE_MS = 120_000;
/** Pollers slow down over time, because two hundred searches for a file would be most of the load. */
const MOST_BETWEEN_LOOKS_MS = 2000;

type Kind = 'chat' | 'run' | 'small change';
/** Milliseconds of each successful action, and the number of failed actions by reason. */
interface Measured {
  times: Record<Kind, number[]>;
  others: Map<string, number>;
}

interface Team {
  service: Service;
  workspaces: string[];
  /** Files saved with status 200. Each must be found in the end. */
  saved: { workspaceId: string; path: string; word: string }[];
  /** True while the host is killed and restarted, when interrupted requests aren't counted. */
  isDown: boolean;
}

const provider = await startProvider();
const port = String(await findFreePort());
const environment = {
  PORT: port,
  DATA_DIR: await tempFolder(),
  PROVIDER_A_BASE_URL: provider.url,
  EMBEDDING_BASE_URL: provider.url,
  EMBEDDING_API_KEY: 'lane',
  LOG_LEVEL: 'error',
};
const team: Team = { service: await startService(environment), workspaces: [], saved: [], isDown: false };
try {
  process.exitCode = (await simulate()) ? 0 : 1;
} finally {
  await provider.stop();
  await cleanUp();
}

async function simulate(): Promise<boolean> {
  for (let n = 0; n < Math.ceil(size.callers / CALLERS_A_WORKSPACE); n++) {
    team.workspaces.push(await createWorkspace(team.service, `team-${n}`));
  }
  const calm = await measureWhile(() => sleep(size.seconds * 1000));
  const importId = await prepareImport();
  const beside = await measureWhile(() => importBesideKills(importId));
  print(calm, beside);
  return tellLosses(importId);
}

/**
 * Answers as a provider that fails and hangs at the configured rates, and calls a tool before it answers a
 * run.
 */
async function startProvider(): Promise<FakeOpenai> {
  const fake = await startFakeOpenai({ delayMs: 100, paceMs: 5 });
  const cite = fake.answer;
  fake.answer = (request) => (request.tools === undefined ? cite(request) : answerRun(request));
  const failure = () => {
    const percent = Math.random() * 100;
    if (percent < size.hangs) return 'stall' as const;
    return percent < size.hangs + size.fails ? ('server-error' as const) : undefined;
  };
  Object.defineProperties(fake, { failure: { get: failure }, embeddingFailure: { get: failure } });
  return fake;
}

function answerRun({ messages }: ChatRequest): FakeAnswer {
  const isSecond = messages.some(({ role }) => role === 'tool');
  return isSecond ? 'It is done.' : { calls: [{ name: 'listDirectory', input: { path: '.' } }] };
}

async function prepareImport(): Promise<string> {
  await writeNotes(`${team.service.root}/import`, size.files);
  return createWorkspace(team.service, 'import');
}

async function importBesideKills(importId: string): Promise<void> {
  await team.service.call('POST', `/api/workspaces/${importId}/sync`);
  for (let kills = 0; kills < size.kills; kills++) {
    await sleep(2000 + Math.random() * 8000);
    team.isDown = true;
    await team.service.kill();
    team.service = await startService(environment);
    team.isDown = false;
  }
  await waitForSync(team.service, importId, 3600_000);
}

/** Runs all callers and runs until the work is over and each has finished its last action. */
async function measureWhile(work: () => Promise<unknown>): Promise<Measured> {
  const measured: Measured = { times: { chat: [], run: [], 'small change': [] }, others: new Map() };
  const state = { isOver: false };
  const callers = Array.from({ length: size.callers }, (_, n) => call(measured, state, n));
  const runs = Array.from({ length: size.runs }, (_, n) => runAgent(measured, state, n));
  await work();
  state.isOver = true;
  await Promise.all([...callers, ...runs]);
  return measured;
}

/** Acts as a person, who asks three questions per saved file. */
async function call(measured: Measured, state: { isOver: boolean }, number: number): Promise<void> {
  const workspaceId = team.workspaces[number % team.workspaces.length] ?? '';
  await sleep(Math.random() * THINK_MS);
  for (let turn = number; !state.isOver; turn++) {
    if (turn % 4 === 0) await measure(measured, 'small change', () => saveAndFind(workspaceId));
    else await measure(measured, 'chat', () => stream('/api/chat', { workspaceId }));
    await sleep(Math.random() * 2 * THINK_MS);
  }
}

async function runAgent(measured: Measured, state: { isOver: boolean }, number: number): Promise<void> {
  const workspaceId = team.workspaces[number % team.workspaces.length] ?? '';
  while (!state.isOver) await measure(measured, 'run', () => stream('/api/agent', { workspaceId, cwd: '.' }));
}

/** The client repeats a request that a kill interrupted, and the request counts as interrupted. */
async function measure(measured: Measured, kind: Kind, work: () => Promise<string>): Promise<void> {
  const started = performance.now();
  const outcome = await work().catch((error: Error) => `no answer: ${error.message}`);
  if (outcome === 'ok') return void measured.times[kind].push(performance.now() - started);
  const why = `${kind}: ${outcome}`;
  measured.others.set(why, (measured.others.get(why) ?? 0) + 1);
  do await sleep(200);
  while (team.isDown);
}

/** Runs a chat or an agent run to its end. */
async function stream(path: string, where: { workspaceId: string; cwd?: string }): Promise<string> {
  const body = { ...where, messages: [{ role: 'user', content: 'What is word11 about?' }] };
  const response = await send('POST', path, body);
  const text = await response.text();
  if (response.status !== 200) return String(response.status);
  return text.includes('"type":"error"') ? 'the provider failed' : 'ok';
}

async function saveAndFind(workspaceId: string): Promise<string> {
  const word = `w${randomUUID().replaceAll('-', '')}`;
  const path = `${word}.md`;
  const written = await send('POST', '/api/files/write', {
    workspaceId,
    path,
    content: `# ${word}\n\nSaved.\n`,
  });
  if (written.status !== 200) return String(written.status);
  const saved = { workspaceId, path, word };
  team.saved.push(saved);
  const until = performance.now() + PATIENCE_MS;
  for (let waitMs = 200; performance.now() < until; waitMs = Math.min(2 * waitMs, MOST_BETWEEN_LOOKS_MS)) {
    if (await isFound(saved)) return 'ok';
    await sleep(waitMs);
  }
  return 'not found in two minutes';
}

async function isFound({ workspaceId, path, word }: Team['saved'][number]): Promise<boolean> {
  const search = `/api/workspaces/${workspaceId}/search?q=${word}`;
  const response = await send('GET', search).catch(() => undefined);
  return response?.status === 200 && (await response.text()).includes(path);
}

function send(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}

function print(calm: Measured, beside: Measured): void {
  console.log(
    `${size.callers} callers, ${size.runs} runs at once, ${size.files} files imported, ${size.kills} kills`,
  );
  console.log(['', 'calm: p50', 'p99', 'number', 'import: p50', 'p99', 'number'].map(pad).join(''));
  for (const kind of ['chat', 'run', 'small change'] as const) {
    const cells = [calm, beside].flatMap(({ times }) => describe(times[kind]));
    console.log([kind, ...cells].map(pad).join(''));
  }
  for (const [name, { others }] of Object.entries({ calm, import: beside })) {
    for (const [why, count] of others) console.log(`${name}: ${count} x ${why}`);
  }
}

function pad(cell: string): string {
  return cell.padEnd(14);
}

function describe(times: number[]): string[] {
  const seconds = (share: number) => `${(percentile(times, share) / 1000).toFixed(2)} s`;
  return [seconds(0.5), seconds(0.99), String(times.length)];
}

async function tellLosses(importId: string): Promise<boolean> {
  const dead = countDeadLetters();
  const { status, done, errors } = await waitForSync(team.service, importId);
  const missing = [];
  for (const saved of team.saved) if (!(await isFoundSoon(saved))) missing.push(saved.path);
  console.log(`dead letters: ${dead}`);
  console.log(
    `the import: ${status}, ${done} files${errors.length > 0 ? `, ${errors.length} and more with errors` : ''}`,
  );
  console.log(`saved files that are not found: ${missing.length} of ${team.saved.length}`);
  return dead === 0 && status === 'ready' && done === size.files && missing.length === 0;
}

async function isFoundSoon(saved: Team['saved'][number]): Promise<boolean> {
  for (let turn = 0; turn < 50; turn++) {
    if (await isFound(saved)) return true;
    await sleep(200);
  }
  return false;
}

function countDeadLetters(): number {
  const database = openDatabase(environment.DATA_DIR);
  const row = database
    .prepare("SELECT count(*) AS n FROM messages WHERE queue LIKE '%-dead-letters'")
    .get() as { n: number };
  database.close();
  return row.n;
}
