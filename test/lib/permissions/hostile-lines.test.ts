import { chmod, mkdir } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import type { Compared, Comparison } from './compare-lines.ts';

const LINES = Number(process.env.HOSTILE_LINES ?? 8_000);
const SEED = Number(process.env.HOSTILE_SEED ?? 29);
/** Each shard judges while another one waits for its bash. */
const SHARDS = LINES < 10_000 ? 1 : 2 * availableParallelism();
const TIMEOUT_MS = 90 * 60_000;

/** Judges and runs lines in separate threads with consecutive seeds. */
async function compareAll(): Promise<Compared> {
  const folder = await tempFolder();
  // An account without permissions runs bash, and must be able to access the folder.
  for (const above of [dirname(tmpdir()), tmpdir(), folder]) await chmod(above, 0o755);
  const count = Math.ceil(LINES / SHARDS);
  const shards = Array.from({ length: SHARDS }, async (_, shard) => {
    const own = join(folder, String(shard));
    await mkdir(own, { mode: 0o755 });
    return inThread({ count, seed: SEED + shard, folder: own });
  });
  const result = (await Promise.all(shards)).reduce(add);
  const { holes, ...counts } = result;
  process.stdout.write(
    `seed ${SEED}, ${SHARDS} shards of ${count} lines: ${JSON.stringify(counts)}, ${holes.length} holes\n`,
  );
  return result;
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
    ranHooks: one.ranHooks + other.ranHooks,
    holes: [...one.holes, ...other.holes],
  };
}

describe('mutated shell line', () => {
  it(
    'has no effect in bash that was neither shown nor required approval',
    async () => {
      const { judged, ranDenied, ranHooks, holes } = await compareAll();
      expect(holes).toEqual([]);
      // The test is meaningful only if lines are allowed, and if bash did run denied commands and did change
      // hooks.
      expect(judged.allow).toBeGreaterThan(LINES / 10);
      expect(ranDenied).toBeGreaterThan(LINES / 1_000);
      expect(ranHooks).toBeGreaterThan(LINES / 10_000);
    },
    TIMEOUT_MS,
  );
});
