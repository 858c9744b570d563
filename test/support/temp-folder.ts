import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Task = () => Promise<unknown>;
const tasks: Task[] = [];

/** Runs when the test file is over, the latest first. Outside jest (the bench) the caller runs `cleanUp` itself. */
export function whenDone(task: Task): void {
  tasks.push(task);
}

export async function cleanUp(): Promise<void> {
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) await task();
}

// Not imported from @jest/globals: that module throws outside jest. Registered as this module loads, for a hook may not
// be added from within another one.
const { afterAll } = globalThis as { afterAll?: (task: Task, timeoutMs: number) => void };
afterAll?.(cleanUp, 30_000);

/** An empty folder with a real path (no links in it), removed after the test file. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wrs-test-'));
  whenDone(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
