import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import measured from '../../infra/costs/measured.json' with { type: 'json' };
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import type { PassageRow, PassageTable } from '../../lib/ports/vectors.ts';
import { clusteredVector, DIMENSIONS } from './dense-vectors.ts';
import type { BenchRow } from './table.ts';

/** Passages per file, rounded: Debian's documentation has 14.6 (docs/deploy/aws-capacity.md). */
const PASSAGES = 15;
/** With this length, a passage takes 7.5 KB in the table, like passages of real files. */
const CHARACTERS = 1300;
const SPACE = 'churn';
const FILLED_AT_ONCE = 200;

const SHOWN = ['isolated', 'session', 'fifty', 'batch'] as const;
const ROUNDS = { isolated: 30, session: 12, fifty: 5, batch: 8 };

/** Compares the bytes written per byte of new vectors with the assumption in the docs on costs. */
export async function benchChurn(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [place, files] of measured.churn.files.entries()) {
    for (const name of SHOWN) {
      const then = measured.churn[name];
      const now = await measureChurn(
        files,
        { filesAtOnce: then.files / then.commits, commits: then.commits },
        ROUNDS[name],
      );
      const written = now.commit.written + now.maintenance.written;
      const known = (then.commitWritten[place] ?? 0) + (then.maintainWritten[place] ?? 0);
      rows.push({
        measure: `written per byte of vectors, ${files} files, ${name}`,
        ours: (written / now.vectors).toFixed(1),
        baseline: `measured.json: ${(known / now.vectors).toFixed(1)}`,
        aim: 'half as much again at most',
        met: written < 1.5 * known,
      });
    }
  }
  return rows;
}

/** Bytes that one kind of work reads and writes per round, as the kernel counts the process's own calls. */
interface Churn {
  /** Bytes of the new vectors. */
  vectors: number;
  commit: Bytes;
  maintenance: Bytes;
}

interface Bytes {
  read: number;
  written: number;
}

/** How changed files get into a table: files per commit, and commits per maintenance. */
interface Rhythm {
  filesAtOnce: number;
  commits: number;
}

/**
 * Fills a table with this many files, and measures the bytes of changes: the mean of several rounds of
 * commits and a maintenance.
 */
async function measureChurn(files: number, rhythm: Rhythm, rounds: number): Promise<Churn> {
  const folder = await mkdtemp(join(tmpdir(), 'wrs-churn-'));
  try {
    const table = await lancedbVectors(folder, { keepVersionsMs: 0 }).open('w', SPACE);
    await measureRound(
      table,
      { filesAtOnce: FILLED_AT_ONCE, commits: Math.ceil(files / FILLED_AT_ONCE) },
      0,
      files,
    );
    const each: Churn[] = [];
    for (let round = 1; round <= rounds; round++) each.push(await measureRound(table, rhythm, round, files));
    return meanOf(each);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureRound(
  table: PassageTable,
  { filesAtOnce, commits }: Rhythm,
  version: number,
  files: number,
): Promise<Churn> {
  let rows = 0;
  const commit = await bytesOf(async () => {
    for (let index = 0; index < commits; index++) {
      const first = version === 0 ? index * filesAtOnce : (version * 131 + index * 37) % files;
      const count = Math.min(filesAtOnce, version === 0 ? files - first : filesAtOnce);
      const changed = Array.from({ length: count }, (_, offset) => (first + offset) % files);
      rows += changed.length * PASSAGES;
      await table.write(
        changed.flatMap((file) => rowsOf(file, version)),
        [],
      );
    }
  });
  const maintenance = await bytesOf(() => table.maintain());
  return { vectors: rows * DIMENSIONS * Float32Array.BYTES_PER_ELEMENT, commit, maintenance };
}

async function bytesOf(work: () => Promise<unknown>): Promise<Bytes> {
  const count = (name: string) =>
    Number(new RegExp(`${name}: (\\d+)`).exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const before = { read: count('rchar'), written: count('wchar') };
  await work();
  return { read: count('rchar') - before.read, written: count('wchar') - before.written };
}

function rowsOf(file: number, version: number): PassageRow[] {
  const place = { startLine: 1, endLine: 4, startChar: 0, endChar: CHARACTERS };
  return Array.from({ length: PASSAGES }, (_, chunk) => {
    const seed = file * PASSAGES + chunk + version * 1_000_000;
    const from = { path: `folder/${file}.md`, chunk, fileHash: `v${version}`, part: {}, context: '' };
    return { ...from, ...place, text: prose(seed), vector: clusteredVector(seed) };
  });
}

function prose(seed: number): string {
  const words: string[] = [];
  for (let at = 0, length = 0; length < CHARACTERS; at++) {
    const word = `word${((seed + 1) * 7919 + at * at * 131) % 20_011}`;
    words.push(word);
    length += word.length + 1;
  }
  return words.join(' ');
}

function meanOf(rounds: Churn[]): Churn {
  const mean = (of: (churn: Churn) => number) =>
    Math.round(rounds.reduce((sum, round) => sum + of(round), 0) / rounds.length);
  const bytes = (of: (churn: Churn) => Bytes): Bytes => ({
    read: mean((churn) => of(churn).read),
    written: mean((churn) => of(churn).written),
  });
  return {
    vectors: mean(({ vectors }) => vectors),
    commit: bytes(({ commit }) => commit),
    maintenance: bytes(({ maintenance }) => maintenance),
  };
}
