import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { connect, Index } from '@lancedb/lancedb';
import { sizeOf } from '../../lanes/soak/measure.ts';
import { measureLoad, percentile, timed, timedEach } from '../load.ts';
import { questionOf, shortText } from './texts.ts';

/** Numbers of one engine, measured with the same texts and questions. */
export interface Figures {
  buildMs: number;
  diskBytes: number;
  p50: number;
  p95: number;
  perSecond: number;
}

const QUESTIONS = 200;
const WARM_UP = 20;
const CLIENTS = 10;
const LOAD_SECONDS = 5;
/** The number of results, as a search of the service returns by default. */
const RESULTS = 8;
const AT_ONCE = 20_000;

type Ask = (question: string) => Promise<unknown>;

/** Measures questions from one client, then from ten. */
export async function measureSearch(
  files: number,
  ask: Ask,
): Promise<Pick<Figures, 'p50' | 'p95' | 'perSecond'>> {
  const work = (index: number) => ask(questionOf(index, files));
  await timedEach(WARM_UP, (index) => work(QUESTIONS + index));
  const times = await timedEach(QUESTIONS, work);
  let next = 0;
  const load = () => work(next++ % QUESTIONS).then(() => {});
  const { perSecond } = await measureLoad(load, { concurrency: CLIENTS, seconds: LOAD_SECONDS });
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), perSecond };
}

/** Measures LanceDB as its documentation shows it: one table of the texts with a full-text index. */
export async function measureLance(folder: string, files: number): Promise<Figures> {
  const connection = await connect(folder);
  const table = await connection.createTable('texts', [{ ...shortText(0) }], { mode: 'overwrite' });
  const buildMs = await timed(async () => {
    for (let first = 1; first < files; first += AT_ONCE) {
      const count = Math.min(AT_ONCE, files - first);
      await table.add(Array.from({ length: count }, (_, offset) => ({ ...shortText(first + offset) })));
    }
    await table.createIndex('text', { config: Index.fts() });
  });
  const ask = (question: string) =>
    table
      .query()
      .fullTextSearch(question, { columns: ['text'] })
      .select(['path', 'text', '_score'])
      .limit(RESULTS)
      .toArray();
  return { buildMs, diskBytes: (await sizeOf(folder)).bytes, ...(await measureSearch(files, ask)) };
}

/** Measures SQLite's own index, in the SQLite of Node. */
export async function measureFts5(folder: string, files: number): Promise<Figures> {
  await mkdir(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'texts.sqlite'));
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(path UNINDEXED, text, tokenize = 'porter unicode61')");
  const buildMs = await timed(async () => {
    const insert = database.prepare('INSERT INTO texts VALUES (?, ?)');
    database.exec('BEGIN');
    for (let index = 0; index < files; index++) insert.run(...Object.values(shortText(index)));
    database.exec('COMMIT');
  });
  const search = database.prepare(
    `SELECT path, text FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ${RESULTS}`,
  );
  const ask = async (question: string) => search.all(question.split(' ').join(' OR '));
  const figures = { buildMs, diskBytes: (await sizeOf(folder)).bytes, ...(await measureSearch(files, ask)) };
  database.close();
  return figures;
}

/** The virtual environment that a developer may create for the engines in Python. */
const PYTHON = resolve(import.meta.dirname, '../../../.cache/engines/bin/python');
const PYTHON_MS = 30 * 60_000;

/** Measures the engines in Python; undefined if they aren't installed. */
export async function measurePython(
  folder: string,
  files: number,
): Promise<Record<string, Figures> | undefined> {
  if (!existsSync(PYTHON)) return undefined;
  await mkdir(folder, { recursive: true });
  const lines = Array.from({ length: files }, (_, index) => JSON.stringify(shortText(index)));
  await writeFile(join(folder, 'texts.jsonl'), lines.join('\n'));
  const questions = Array.from({ length: QUESTIONS + WARM_UP }, (_, index) => questionOf(index, files));
  await writeFile(join(folder, 'questions.json'), JSON.stringify(questions));
  const program = join(import.meta.dirname, 'engines.py');
  const { stdout } = await promisify(execFile)(PYTHON, [program, folder, String(RESULTS)], {
    timeout: PYTHON_MS,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, Figures>;
}
