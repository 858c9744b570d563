import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import measured from '../../infra/costs/measured.json' with { type: 'json' };
import { createGateway } from '../../infra/local/gateway.ts';
import { type Handler, installRuntime, invoke } from '../../infra/local/lambda-runtime.ts';
import { deliver } from '../../infra/local/poller.ts';
import { readServiceFile } from '../../infra/local/service-file.ts';
import { OPERATOR } from '../../infra/operator.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { readConfig } from '../../lib/config.ts';
import { setLogLevel } from '../../lib/log.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import type { RecordKey, Records, StoredRecord } from '../../lib/ports/records.ts';
import { createToken } from '../../lib/tokens/tokens.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { type FakeAnswer, type FakeOpenai, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { BenchRow } from './table.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const READ_UNIT = 4096;
const WRITE_UNIT = 1024;
/** Number of model calls in the measured agent run. Each call except the last requests a tool. */
const AGENT_STEPS = 12;
const COMMANDS = 8;
/**
 * Long enough for the checks that run several times per second; permissions are checked every five seconds.
 */
const WAIT_MS = 2000;
const FILES = 30;
/** The queues' clock, with which a message that is delayed by some seconds is received immediately. */
const LATER = { now: () => Date.now() + 10_000 };

/** Counts one operation's requests to other services, without those during waits for a model. */
interface OperationCalls {
  /** Requests to DynamoDB. */
  reads: number;
  writes: number;
  /** Capacity units of these requests: 4 KB read consistently, or 1 KB written, including the index. */
  readUnits: number;
  writeUnits: number;
  /** Messages sent to queues. */
  messages: number;
  /** Calls of each function, including the authorizer. */
  functions: Record<string, number>;
  /** Units by partition, without IDs, because the keys that many callers share are the hot ones. */
  read: Record<string, number>;
  written: Record<string, number>;
}

/**
 * Requests per second while the operation waits for the model: it checks whether to stop, and whether there
 * is more to send.
 */
type Waiting = Pick<OperationCalls, 'reads' | 'writes' | 'readUnits' | 'writeUnits'>;

export interface MeasuredCalls {
  calls: Record<Operation, OperationCalls>;
  perSecond: Record<'chat' | 'run', Waiting>;
}

export type Operation = 'chat' | 'search' | 'run' | 'saved' | 'other' | 'tick';

/** Compares the calls of each operation with those that the costs and limits in the docs assume. */
export async function benchCalls(): Promise<BenchRow[]> {
  const { calls } = await measureCalls();
  return (Object.keys(calls) as Operation[]).map((operation) => {
    const [now, then] = [calls[operation], measured.calls[operation]];
    const shown = ({ reads, writes, messages }: Pick<OperationCalls, 'reads' | 'writes' | 'messages'>) =>
      `${reads} reads, ${writes} writes, ${messages} messages`;
    return {
      measure: `calls of one ${operation}`,
      ours: shown(now),
      baseline: `measured.json: ${shown(then)}`,
      aim: 'a quarter apart at most',
      met: Math.abs(now.reads + now.writes - then.reads - then.writes) <= 0.25 * (then.reads + then.writes),
    };
  });
}

/**
 * Runs the functions themselves in this process, behind the gateway of a single host, and counts the requests
 * of each operation. Each comes from a caller with a token, in an indexed workspace, after a first request to
 * each function.
 */
export async function measureCalls(): Promise<MeasuredCalls> {
  const provider = await startFakeOpenai();
  const stop: (() => Promise<unknown>)[] = [() => provider.stop()];
  try {
    const { counter, call, tick, work, close, workspaceId } = await start(provider);
    stop.unshift(close);
    const ask = (content: string) => ({
      workspaceId,
      id: randomUUID(),
      messages: [{ role: 'user', content }],
    });
    const chat = () => call('POST', '/api/chat', ask('What is in note 7?'));
    const search = () => call('GET', `/api/workspaces/${workspaceId}/search?q=note`);
    const other = () => call('GET', `/api/files/browse?workspaceId=${workspaceId}`);
    let saved = 0;
    const save = async () => {
      const content = `# Another note\n\nIts number is ${saved++}.\n`;
      await call('POST', '/api/files/write', { workspaceId, path: 'saved.md', content });
      await work();
    };
    const { answer } = provider;
    const runWith = (answers: typeof answer) => async () => {
      provider.answer = answers;
      await call('POST', '/api/agent', { cwd: '', ...ask('Look around, and run some commands.') });
      await work();
      provider.answer = answer;
    };
    const measure = async (operation: () => Promise<unknown>) => {
      await counter.during(operation);
      return counter.during(operation);
    };
    const perSecondOf = async (operation: () => Promise<unknown>) => {
      const quick = await measure(operation);
      provider.delayMs = WAIT_MS;
      const slow = await counter.during(operation);
      provider.delayMs = 0;
      return waitingOf(quick, slow);
    };
    const perSecond = {
      chat: await perSecondOf(chat),
      run: await perSecondOf(runWith(() => 'That is all.')),
    };
    const run = async () => runWith(agentAnswers())();
    return {
      calls: {
        chat: withoutWaiting(await measure(chat), perSecond.chat),
        search: await measure(search),
        saved: await measure(save),
        run: withoutWaiting(await measure(run), perSecond.run),
        other: await measure(other),
        tick: await measure(tick),
      },
      perSecond,
    };
  } finally {
    for (const end of stop) await end();
  }
}

function waitingOf(quick: OperationCalls & Timed, slow: OperationCalls & Timed): Waiting {
  const of = (name: keyof Waiting) => (slow[name] - quick[name]) / (slow.seconds - quick.seconds);
  return {
    reads: of('reads'),
    writes: of('writes'),
    readUnits: of('readUnits'),
    writeUnits: of('writeUnits'),
  };
}

function withoutWaiting({ seconds, ...calls }: OperationCalls & Timed, each: Waiting): OperationCalls {
  const of = (name: keyof Waiting) => Math.round(calls[name] - seconds * each[name]);
  const names = ['reads', 'writes', 'readUnits', 'writeUnits'] as const;
  return { ...calls, ...Object.fromEntries(names.map((name) => [name, of(name)])) };
}

interface Timed {
  seconds: number;
}

function agentAnswers(): () => FakeAnswer {
  let step = 0;
  return () => {
    step++;
    if (step >= AGENT_STEPS) return 'That is all.';
    const isCommand = step <= COMMANDS;
    const input = isCommand ? { command: `echo ${step} > command-${step}.txt` } : { path: '' };
    return { calls: [{ name: isCommand ? 'bash' : 'listDirectory', input }] };
  };
}

async function start(provider: FakeOpenai) {
  const dataDir = await tempFolder();
  await mkdir(join(dataDir, 'workspaces/notes'), { recursive: true });
  Object.assign(process.env, {
    DATA_DIR: dataDir,
    AUTH_MODE: 'token',
    WORKSPACE_ROOTS: join(dataDir, 'workspaces'),
    PROVIDER_A_BASE_URL: provider.url,
    EMBEDDING_BASE_URL: provider.url,
    CONVERSATION_TITLES: 'off',
    ALLOW_UNSANDBOXED_COMMANDS: 'true', // the same calls, also where no sandbox can be created
  });
  const definition = readServiceFile(join(ROOT, 'serverless.yml'));
  setLogLevel('error');
  installRuntime();
  const database = openDatabase(dataDir, 'upgrade');
  createQueues(database, definition.queues);
  const records = await openRecords(readConfig());
  const counter = countCalls(records);
  const modules = new Map(definition.functions.map(({ name, module }) => [name, module]));
  const load = async (name: string): Promise<Handler> => {
    const { handler } = await import(join(ROOT, `${modules.get(name)}.ts`));
    counter.countFunction(name);
    return handler;
  };
  const server = createGateway({ definition, load });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { secret } = await createToken({ records, clock: systemClock }, OPERATOR, {
    name: 'bench',
    role: 'admin',
    workspaceIds: null,
    expiresAt: null,
  });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text;
  };
  const work = async () => {
    for (let found = true; found; ) {
      found = false;
      for (const queue of definition.queues.filter(({ worker }) => worker !== undefined)) {
        const source = sqliteQueue(database, queue.name, LATER);
        const messages = await source.receive({ max: queue.worker?.batchSize ?? 1 });
        if (messages.length === 0) continue;
        found = true;
        counter.countMessages(messages.length);
        const handler = await load(queue.worker?.function ?? '');
        const invokeHere = (event: unknown) => invoke(handler, event, 300_000);
        await deliver({ definition: queue, queue: source, concurrency: 1, invoke: invokeHere }, messages);
      }
    }
  };
  for (let file = 0; file < FILES; file++)
    await writeFile(
      join(dataDir, `workspaces/notes/${file}.md`),
      `# Note ${file}\n\nIts number is ${file}.\n`,
    );
  const workspaceId = JSON.parse(await call('POST', '/api/workspaces', { path: 'notes' })).id as string;
  await call('POST', `/api/workspaces/${workspaceId}/sync`);
  await work();
  const tick = async () => invoke(await load('scheduler'), {}, 50_000);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { counter, call, tick, work, close, workspaceId };
}

/**
 * Each process caches these for a while, so the number of reads depends on the time, not on the operation.
 */
const KEPT = ['BUDGETS', 'SETTINGS'];

/** Replaces the methods of the store that all functions of this process share. */
function countCalls(records: Records) {
  let now = nothing();
  const units = (bytes: number, unit: number) => Math.max(1, Math.ceil(bytes / unit));
  const sizeOf = (value: unknown) => (value === undefined ? 0 : JSON.stringify(value).length);
  const read = (key: Pick<RecordKey, 'partition'>, amount: number) => {
    now.readUnits += amount;
    add(now.read, familyOf(key.partition), amount);
  };
  const write = (key: RecordKey, bytes: number, isIndexed: boolean) => {
    const amount = units(bytes, WRITE_UNIT) * (isIndexed ? 2 : 1);
    now.writeUnits += amount;
    add(now.written, familyOf(key.partition), amount);
  };
  const writeRecord = ({ key, value, index }: StoredRecord) => write(key, sizeOf(value), index !== undefined);
  const original = { ...records };
  const counted: Records = {
    async get(key) {
      const value = await original.get(key);
      if (KEPT.includes(key.partition)) return value;
      now.reads++;
      read(key, units(sizeOf(value), READ_UNIT));
      return value;
    },
    async getMany(keys) {
      const found = await original.getMany(keys);
      now.reads += Math.ceil(keys.length / 100);
      for (const key of keys) read(key, 1);
      return found;
    },
    async put(record, expect) {
      now.writes++;
      writeRecord(record);
      return original.put(record, expect);
    },
    async update(key, change, expect) {
      now.writes++;
      const value = await original.update(key, change, expect);
      write(key, sizeOf(value), change.index !== undefined);
      return value;
    },
    async delete(key, expect) {
      now.writes++;
      write(key, 0, false);
      return original.delete(key, expect);
    },
    async putMany(many) {
      now.writes += Math.ceil(many.length / 25);
      for (const record of many) writeRecord(record);
      return original.putMany(many);
    },
    async deleteMany(keys) {
      now.writes += Math.ceil(keys.length / 25);
      for (const key of keys) write(key, 0, false);
      return original.deleteMany(keys);
    },
    async addMany(additions) {
      now.writes += additions.length;
      for (const { record } of additions) writeRecord(record);
      return original.addMany(additions);
    },
    async query(query) {
      now.reads++;
      const page = await original.query(query);
      const size = page.records.reduce((sum, record) => sum + sizeOf(record), 0);
      read(query, units(size, READ_UNIT) * (query.byIndex ? 0.5 : 1));
      return page;
    },
    async count(query) {
      now.reads++;
      read(query, 1);
      return original.count(query);
    },
  };
  Object.assign(records, counted);
  return {
    countFunction: (name: string) => add(now.functions, name, 1),
    countMessages(amount: number) {
      now.messages += amount;
    },
    /** Includes work after the response, because usage and activities are stored then. */
    async during(operation: () => Promise<unknown>): Promise<OperationCalls & Timed> {
      now = nothing();
      const started = performance.now();
      await operation();
      const seconds = (performance.now() - started) / 1000;
      await new Promise((done) => setTimeout(done, 200));
      const counted = { ...now, seconds };
      now = nothing();
      return counted;
    },
  };
}

function nothing(): OperationCalls {
  return {
    reads: 0,
    writes: 0,
    readUnits: 0,
    writeUnits: 0,
    messages: 0,
    functions: {},
    read: {},
    written: {},
  };
}

function add(sums: Record<string, number>, name: string, amount: number): void {
  sums[name] = (sums[name] ?? 0) + amount;
}

/** `USE#2026-11-26` → `USE#day`, `FILE#<id>` → `FILE#id`. */
function familyOf(partition: string): string {
  return partition
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, 'day')
    .replaceAll(/\d{4}-\d{2}(?=#|$)/g, 'month')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|(?<=#)[\w-]{43}$/g, 'id');
}
