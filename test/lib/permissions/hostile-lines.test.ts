import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import type { Compared, Comparison } from './compare-lines.ts';

const LINES = Number(process.env.HOSTILE_LINES ?? 4_000);
const SEED = Number(process.env.HOSTILE_SEED ?? 29);
/** Each judges while another waits for its bash. */
const SHARDS = LINES < 10_000 ? 1 : 2 * availableParallelism();
const TIMEOUT_MS = 90 * 60_000;

/** Judges and runs lines in threads of their own, whose seeds follow each other. */
async function compareAll(kind: Comparison['kind'], lines: number): Promise<Compared> {
  const folder = await tempFolder();
  const count = Math.ceil(lines / SHARDS);
  const shards = Array.from({ length: SHARDS }, async (_, shard) => {
    const own = join(folder, String(shard));
    await mkdir(own);
    return inThread({ kind, count, seed: SEED + shard, folder: own });
  });
  const results = await Promise.all(shards);
  process.stdout.write(`${kind}, seed ${SEED}, ${SHARDS} shards of ${count} lines: ${sayAll(results)}\n`);
  return results.reduce(add);
}

function inThread(comparison: Comparison): Promise<Compared> {
  const worker = new Worker(join(import.meta.dirname, 'compare-lines.ts'), { workerData: comparison });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.on('message', ({ result }: { result?: Compared }) => {
      if (result !== undefined) resolve(result);
    });
  });
}

function add(one: Compared, other: Compared): Compared {
  const { allow, ask, deny } = other.judged;
  return {
    judged: { allow: one.judged.allow + allow, ask: one.judged.ask + ask, deny: one.judged.deny + deny },
    ran: one.ran + other.ran,
    ranDenied: one.ranDenied + other.ranDenied,
    wrong: [...one.wrong, ...other.wrong],
  };
}

function sayAll(results: Compared[]): string {
  const { judged, ran, ranDenied } = results.reduce(add);
  return `${JSON.stringify(judged)}, ${ran} run, ${ranDenied} of them ran what is denied`;
}

describe('a line made to deceive', () => {
  it(
    'is not allowed when bash runs a denied command by it',
    async () => {
      const { judged, ranDenied, wrong } = await compareAll('hostile', LINES);
      expect(wrong).toEqual([]);
      // The test means something only where lines are allowed, and where bash did run what is denied.
      expect(judged.allow).toBeGreaterThan(LINES / 10);
      expect(ranDenied).toBeGreaterThan(LINES / 1_000);
    },
    TIMEOUT_MS,
  );

  it(
    'is asked about when it writes into a folder of git that it names',
    async () => {
      const { ranDenied, wrong } = await compareAll('planting', LINES / 4);
      expect(wrong).toEqual([]);
      expect(ranDenied).toBeGreaterThan(LINES / 4_000);
    },
    TIMEOUT_MS,
  );
});
