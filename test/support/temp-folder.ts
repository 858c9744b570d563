import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

type Task = () => Promise<unknown>;
const tasks: Task[] = [];

/** Runs when the test file is over, the latest first. Outside jest (the bench) the caller runs `cleanUp` itself. */
export function whenDone(task: Task): void {
  tasks.push(task);
}

/** All of them, also after one that fails; then throws what failed first. */
export async function cleanUp(): Promise<void> {
  const failures: unknown[] = [];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop())
    await task().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

// Not imported from @jest/globals: that module throws outside jest. Registered as this module loads, for a hook may not
// be added from within another one.
const { afterAll, expect } = globalThis as {
  afterAll?: (task: Task, timeoutMs: number) => void;
  expect?: { getState(): { testPath?: string } };
};
afterAll?.(cleanUp, 120_000);
// For environment.ts, where a file fails before any hook can run.
Object.assign(globalThis, { cleanUpTests: cleanUp });
/** Part of the name of each folder, so that one that is left says whose it is. */
const owner = basename(expect?.getState().testPath ?? 'bench', '.test.ts');

/** An empty folder with a real path (no links in it), removed after the test file. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `wrs-test-${owner}-`));
  whenDone(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
