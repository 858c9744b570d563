import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { isTempName } from '../../../../lib/paths/temp-name.ts';
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
  await sweep(String(data.root));
  return told;
}

/** Removes unfinished files, as the service does with those of a process that has ended; the thread's process lives on. */
async function sweep(root: string): Promise<void> {
  for (const path of await readdir(root, { recursive: true }))
    if (isTempName(basename(path))) await rm(join(root, path), { recursive: true, force: true });
}

/** Every third run ends by itself; the others are killed at some call, and so are the undos of every second. */
async function runAndUndo(base: string, seed: number) {
  const random = randomFrom(seed);
  const [root, folder] = [join(base, `w${seed}`), join(base, `undo${seed}`)];
  mkdirSync(root);
  makeTree(root, random);
  const before = snapshot(root);
  const ran = await work({
    ...{ root, folder, seed, phase: 'run' },
    dieAt: seed % 3 === 0 ? 0 : 1 + random.below(120),
  });
  const changed = snapshot(root);
  let kills = ran.died ? 1 : 0;
  let undone: Told = {};
  for (let attempt = 0; undone.left === undefined && attempt < 6; attempt++) {
    const dieAt = attempt < 5 && seed % 2 === 1 ? 1 + random.below(40) : 0;
    undone = await work({ root, folder, seed, phase: 'undo', dieAt });
    if (undone.died) kills += 1;
  }
  const after = snapshot(root);
  await rm(root, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  return { before, changed, after, left: undone.left, kills };
}

describe('undoing random runs', () => {
  it(`gives ${RUNS} workspaces back exactly, whenever the run and its undo are killed`, async () => {
    const base = await tempFolder();
    let [kills, changing] = [0, 0];
    for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
      const done = await runAndUndo(base, seed);
      expect({ seed, left: done.left, tree: done.after }).toEqual({ seed, left: [], tree: done.before });
      kills += done.kills;
      if (!isDeepStrictEqual(done.changed, done.before)) changing += 1;
    }
    expect(changing).toBeGreaterThan(RUNS / 2);
    if (RUNS > 100) console.info(`${RUNS} runs, ${changing} with changes, ${kills} kills`);
  }, 7_200_000);
});
