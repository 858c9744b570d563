import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { isTempName } from '../../../../lib/paths/temp-name.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { makeTree, randomFrom, snapshot } from '../../../support/undo-trees.ts';

/** UNDO_RUNS=1000 for a release; UNDO_SEED repeats a run. */
const RUNS = Number(process.env.UNDO_RUNS ?? 8);
const FIRST = Number(process.env.UNDO_SEED ?? 1);
/** A run makes at most this many calls. */
const KILLED_AFTER = 80;
const PROGRAM = join(import.meta.dirname, '../../../support/undo-program.ts');

interface Told {
  calls?: number;
  died?: boolean;
  isSignal?: boolean | undefined;
  left?: string[];
}

/** Every seventh seed runs in separate processes, which a signal kills. */
async function work(data: Record<string, unknown>): Promise<Told> {
  const told = Number(data.seed) % 7 === 0 ? await workInProcess(data) : await workInThread(data);
  await sweep(String(data.root));
  return told;
}

async function workInProcess(data: Record<string, unknown>): Promise<Told> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(data)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [lines, [exitCode, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const told: Told = Object.assign(
    {},
    ...lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  );
  expect([exitCode, signal]).toEqual(told.died ? [null, 'SIGKILL'] : [0, null]);
  return { ...told, isSignal: told.died };
}

async function workInThread(data: Record<string, unknown>): Promise<Told> {
  const told: Told = {};
  const worker = new Worker(PROGRAM, { workerData: data });
  worker.on('message', (message: Told) => Object.assign(told, message));
  await new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve));
  return told;
}

/**
 * Removes unfinished files, as the service does with those of an ended process, because the thread's process
 * lives on.
 */
async function sweep(root: string): Promise<void> {
  for (const path of await readdir(root, { recursive: true }))
    if (isTempName(basename(path))) await rm(join(root, path), { recursive: true, force: true });
}

/**
 * Every third run ends by itself. The other runs are killed at some call, as are the undos of every second
 * one.
 */
async function runAndUndo(base: string, seed: number) {
  const random = randomFrom(seed);
  const [root, folder] = [join(base, `w${seed}`), join(base, `undo${seed}`)];
  mkdirSync(root);
  makeTree(root, random);
  const before = snapshot(root);
  const ran = await work({
    ...{ root, folder, seed, phase: 'run' },
    dieAt: seed % 3 === 0 ? 0 : 1 + random.below(KILLED_AFTER),
  });
  const changed = snapshot(root);
  const kills = [ran];
  let undone: Told = {};
  for (let attempt = 0; undone.left === undefined && attempt < 6; attempt++) {
    const dieAt = attempt < 5 && seed % 2 === 1 ? 1 + random.below(40) : 0;
    undone = await work({ root, folder, seed, phase: 'undo', dieAt });
    kills.push(undone);
  }
  const after = snapshot(root);
  await rm(root, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  return { before, changed, after, left: undone.left, kills: kills.filter(({ died }) => died) };
}

describe('undoing random runs', () => {
  it(`restores ${RUNS} workspaces exactly, whenever the run and its undo are killed`, async () => {
    const base = await tempFolder();
    let changing = 0;
    const kills: Told[] = [];
    for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
      const done = await runAndUndo(base, seed);
      expect({ seed, left: done.left, tree: done.after }).toEqual({ seed, left: [], tree: done.before });
      kills.push(...done.kills);
      if (!isDeepStrictEqual(done.changed, done.before)) changing += 1;
    }
    expect(changing).toBeGreaterThan(RUNS / 2);
    if (RUNS > 100)
      console.info(
        `${RUNS} runs, ${changing} with changes, ${kills.length} kills, ${kills.filter(({ isSignal }) => isSignal).length} by SIGKILL`,
      );
  }, 7_200_000);
});
