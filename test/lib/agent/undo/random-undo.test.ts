import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { tempFolder } from '../../../support/temp-folder.ts';
import { makeTree, randomFrom, snapshot } from '../../../support/undo-trees.ts';

/** UNDO_RUNS=1000 for a release; UNDO_SEED repeats one. */
const RUNS = Number(process.env.UNDO_RUNS ?? 12);
const FIRST = Number(process.env.UNDO_SEED ?? 1);
const PROGRAM = join(import.meta.dirname, '../../../support/undo-program.ts');

interface Told {
  calls?: number;
  died?: boolean;
  left?: string[];
}

async function work(data: Record<string, unknown>): Promise<Told> {
  const told: Told = {};
  const worker = new Worker(PROGRAM, { workerData: data });
  worker.on('message', (message: Told) => Object.assign(told, message));
  await new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve));
  return told;
}

describe('undoing random runs', () => {
  it(`gives ${RUNS} workspaces back exactly, whenever the run and its undo are killed`, async () => {
    const base = await tempFolder();
    let kills = 0;
    for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
      const random = randomFrom(seed);
      const [root, folder] = [join(base, `w${seed}`), join(base, `undo${seed}`)];
      mkdirSync(root);
      makeTree(root, random);
      const before = snapshot(root);
      // Every third run ends by itself; the others are killed at some call.
      const ran = await work({
        root,
        folder,
        seed,
        phase: 'run',
        dieAt: seed % 3 === 0 ? 0 : 1 + random.below(120),
      });
      if (ran.died) kills += 1;
      const changed = snapshot(root);
      let undone: Told = {};
      for (let attempt = 0; attempt < 6 && undone.left === undefined; attempt++) {
        const dieAt = attempt < 5 && seed % 2 === 1 ? 1 + random.below(40) : 0;
        undone = await work({ root, folder, seed, phase: 'undo', dieAt });
        if (undone.died) kills += 1;
      }
      const about = { seed, left: undone.left };
      expect({ ...about, tree: snapshot(root) }).toEqual({ seed, left: [], tree: before });
      expect(Object.keys(changed).length).toBeGreaterThan(0);
      await rm(root, { recursive: true });
      await rm(folder, { recursive: true, force: true });
    }
    console.info(`${RUNS} runs, ${kills} kills`);
  }, 3_600_000);
});
