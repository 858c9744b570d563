import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { nextSlot } from '../../../lib/tasks/schedule.ts';
import {
  type StoredTask,
  type TaskRun,
  taskRuns,
  taskRunsPartition,
  tasks,
} from '../../../lib/tasks/schema.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { HOME } from '../../support/tasks.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

/** `npm run test:long` uses 3,000 slots and 200 kills. */
const SLOTS = Number(process.env.TASK_SLOTS ?? 120);
const KILLS = Number(process.env.TASK_KILLS ?? 8);
const TICKERS = 4;
const WORKERS = 8;
const PROGRAM = resolve(import.meta.dirname, '../../support/processes/task-process.ts');

interface Note {
  what: 'begin' | 'effect';
  id: string;
  pid: number;
  at: number;
}

const dataDir = await tempFolder();
const journal = join(dataDir, 'journal');
const database = openDatabase(dataDir);
whenDone(async () => database.close());
const records = sqliteRecords(database);

/** Adds tasks with one slot each, a minute ago. The next slot is a year away. */
async function addTasks(): Promise<StoredTask[]> {
  const slot = new Date(Date.now() - 60_000).toISOString();
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000);
  const schedule = `0 0 ${yesterday.getUTCDate()} ${yesterday.getUTCMonth() + 1} *`;
  expect(nextSlot(schedule, 'UTC', Date.now())).toBeGreaterThan(Date.now() + 24 * 60 * 60_000);
  const all = Array.from(
    { length: SLOTS },
    (_, index): StoredTask => ({
      id: `01a1fcf8-a7e2-778b-8bd9-${String(index).padStart(12, '0')}`,
      name: 't',
      taskType: 'source_sync',
      schedule,
      timezone: 'UTC',
      workspaceId: HOME,
      config: {},
      isEnabled: true,
      nextRunAt: slot,
      lastRunAt: null,
      lastRunStatus: null,
      lastRunError: null,
      activeRunId: null,
      savedBy: { id: 'a', role: 'admin', workspaceIds: null },
      createdAt: slot,
      updatedAt: slot,
    }),
  );
  await tasks.putMany(records, all);
  return all;
}

const living = new Set<ChildProcess>();
whenDone(async () => {
  const ended = [...living].map((child) => once(child, 'exit'));
  for (const child of living) child.kill('SIGKILL');
  await Promise.all(ended);
});

function start(part: 'tick' | 'work'): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, part, dataDir, journal], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  living.add(child);
  return child;
}

/** A death between these two times. */
interface Death {
  pid: number;
  from: number;
  to: number;
}

/** Kills a worker, preferably an active one, and replaces it. */
async function killOne(workers: ChildProcess[]): Promise<Death> {
  const place = await findPlaceToKill(workers);
  const child = workers[place] as ChildProcess;
  const from = Date.now();
  child.kill('SIGKILL');
  await once(child, 'exit');
  living.delete(child);
  workers[place] = start('work');
  return { pid: child.pid ?? 0, from, to: Date.now() };
}

/** Waits for a worker that has started something without its effect, or for any worker once all is done. */
async function findPlaceToKill(workers: ChildProcess[]): Promise<number> {
  const random = Math.floor(Math.random() * workers.length);
  for (;;) {
    const notes = await readJournal();
    const latest = new Map(notes.map(({ pid, what }) => [pid, what]));
    const isAtWork = ({ pid = 0 }: ChildProcess) => latest.get(pid) === 'begin';
    const places = workers.map((_, n) => (random + n) % workers.length);
    const found = places.find((place) => isAtWork(workers[place] as ChildProcess));
    if (found !== undefined) return found;
    if (new Set(notes.map(({ id }) => id)).size === SLOTS) return random;
    await sleep(5);
  }
}

async function readJournal(): Promise<Note[]> {
  const lines = (await readFile(journal, 'utf8')).trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Note);
}

async function runsOf(all: StoredTask[]): Promise<TaskRun[][]> {
  const pages = all.map(({ id }) => taskRuns.list(records, { partition: taskRunsPartition(id) }));
  return (await Promise.all(pages)).map(({ items }) => items);
}

/**
 * The lease of a run is removed last, after its task was notified. So the runs, which take longer to read,
 * are checked last.
 */
async function untilAllRan(all: StoredTask[]): Promise<void> {
  for (const until = Date.now() + 100_000 + SLOTS * 50; Date.now() < until; await sleep(200)) {
    const done = await tasks.getMany(records, all);
    if (!done.every(({ lastRunStatus }) => lastRunStatus === 'success')) continue;
    const runs = (await runsOf(all)).flat();
    if (runs.every(({ leaseUntil }) => leaseUntil === null)) return;
  }
  throw new Error('not every slot ran');
}

describe('four schedulers and eight workers that are killed at random', () => {
  it(
    `run each of ${SLOTS} slots once (${KILLS} kills)`,
    async () => {
      createQueues(database, [{ name: 'task', fifo: false, visibilityTimeoutSeconds: 5400 }]);
      await writeFile(journal, '');
      await workspaces.create(records, {
        id: HOME,
        name: 'home',
        rootPath: '/home-of-tasks',
        createdAt: new Date().toISOString(),
      });
      const all = await addTasks();
      const workers = Array.from({ length: WORKERS }, () => start('work'));
      for (let ticker = 0; ticker < TICKERS; ticker++) start('tick');
      while ((await readJournal()).length === 0) await sleep(20);
      const killed: Death[] = [];
      while (killed.length < KILLS) {
        await sleep(Math.random() * 250);
        killed.push(await killOne(workers));
      }
      await untilAllRan(all);
      const runs = await runsOf(all);
      expectOneRunEach(runs);
      // Otherwise the kills hit no running work.
      expect(runs.flat().some(({ attempts }) => attempts > 1)).toBe(true);
      expectOneEffectEach(await readJournal(), killed);
    },
    180_000 + KILLS * 1000 + SLOTS * 50,
  );
});

function expectOneRunEach(runs: TaskRun[][]): void {
  for (const ofTask of runs) expect(ofTask).toMatchObject([{ status: 'success', leaseUntil: null }]);
}

/**
 * An effect outside the store is only known once it is recorded here. So a worker that is killed between the
 * two has its run repeated; any other run has started and taken effect once. That is the only gap: no two
 * processes ever work on the same run, and every second start follows a kill during the first.
 */
function expectOneEffectEach(notes: Note[], killed: Death[]): void {
  const byRun = Map.groupBy(notes, ({ id }) => id);
  expect(byRun.size).toBe(SLOTS);
  for (const ofRun of byRun.values()) {
    const begins = ofRun.filter(({ what }) => what === 'begin');
    const effects = ofRun.filter(({ what }) => what === 'effect');
    expect(effects.at(-1)?.pid).toBe(begins.at(-1)?.pid);
    for (const [index, begin] of begins.slice(0, -1).entries()) {
      const death = killed.find(({ pid }) => pid === begin.pid);
      expect(death?.to).toBeGreaterThanOrEqual(begin.at);
      expect(death?.from).toBeLessThanOrEqual(begins[index + 1]?.at ?? 0);
    }
    expect(effects.length).toBeLessThanOrEqual(begins.length);
  }
}
