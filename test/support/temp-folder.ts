import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

type Task = () => Promise<unknown>;
const tasks: Task[] = [];

/**
 * Runs after the test file, last registered first. Outside Jest (in the benchmarks), the caller runs
 * `cleanUp`.
 */
export function whenDone(task: Task): void {
  tasks.push(task);
}

/** Runs all of them, even after a failure, and then throws the first failure. */
export async function cleanUp(): Promise<void> {
  const failures: unknown[] = [];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop())
    await task().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

// Not imported from @jest/globals: that module throws outside Jest. Registered when this module loads,
// because a hook can't be added within another one.
const { afterAll, expect } = globalThis as {
  afterAll?: (task: Task, timeoutMs: number) => void;
  expect?: { getState(): { testPath?: string } };
};
afterAll?.(cleanUp, 120_000);
// For environment.ts, if a file fails before any hook can run.
Object.assign(globalThis, { cleanUpTests: cleanUp });
/** Part of the name of each folder, so that a leftover folder names its test. */
const owner = basename(expect?.getState().testPath ?? 'bench', '.test.ts');

/** Returns an empty folder with a real path (no links in it), removed after the test file. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `wrs-test-${owner}-`));
  whenDone(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
