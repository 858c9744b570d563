import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processCommands } from '../../lib/adapters/process/commands.ts';
import { unsandboxed } from '../../lib/adapters/process/unsandboxed.ts';
import type { Command } from '../../lib/ports/commands.ts';
import { startBroughtCommands } from '../support/brought-commands.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type BenchRow, ms } from './table.ts';

const FILES = 10_000;
const FOLDERS = 100;
const BYTES = 4_000;
const CHANGE = (count: number) =>
  `for n in $(seq ${count}); do echo changed > folder-$((n % 100))/$n.txt; done`;

const STEPS: [string, string, number][] = [
  ['first command', 'ls | wc -l', 30_000],
  ['second command', 'ls | wc -l', 3_000],
  ['it reads all files', 'grep -r needle . | wc -l', 5_000],
  ['it changes one file', CHANGE(1), 3_000],
  ['it changes 1,000 files', CHANGE(1000), 15_000],
  ['the command after that', 'ls | wc -l', 3_000],
];

/**
 * Compares a workspace of 10,000 files that is copied to its command with the same command where the files
 * are.
 */
export async function benchBroughtCommands(): Promise<BenchRow[]> {
  const { commands, store, lambda } = await startBroughtCommands({ lookEveryMs: 1000 });
  const [there, here] = [await makeFiles(), await makeFiles()];
  const baseline = processCommands(unsandboxed);
  const rows: BenchRow[] = [];
  for (const [name, script, aimMs] of STEPS) {
    store.forget();
    const calls = lambda.payloads.length;
    const ours = await timed(() => commands.run(commandIn(there, script)));
    const invoked = lambda.payloads.slice(calls);
    const sent = invoked.reduce((sum, payload) => sum + payload.length, 0);
    const bytes = `${((sent + store.use.bytes) / 1e6).toFixed(2)} MB`;
    const requests = `${invoked.length} invocations, ${store.use.requests} requests to the bucket`;
    const theirs = await timed(() => baseline.run(commandIn(here, script)));
    rows.push({
      measure: `10,000 files: ${name}`,
      ours: `${ms(ours)}, ${bytes}, ${requests}`,
      baseline: `${ms(theirs)} where the files lie`,
      aim: `under ${ms(aimMs)}`,
      met: ours < aimMs,
    });
  }
  return rows;
}

function commandIn(root: string, script: string): Command {
  return { script, workspaceId: 'one', cwd: root, writable: [root], timeoutMs: 60_000, maxOutputBytes: 1e6 };
}

async function makeFiles(): Promise<string> {
  const root = await tempFolder();
  for (let folder = 0; folder < FOLDERS; folder++) await mkdir(join(root, `folder-${folder}`));
  for (let file = 0; file < FILES; file++)
    await writeFile(join(root, `folder-${file % FOLDERS}/${file}.txt`), `${file} `.padEnd(BYTES, 'text '));
  return root;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
