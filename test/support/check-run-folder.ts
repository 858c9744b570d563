import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs after the last test. Fails if a test left files in the temporary folder, or processes that use it. */
// biome-ignore lint/style/noDefaultExport: jest asks for one
export default async function checkRunFolder(): Promise<void> {
  const run = dirname(tmpdir());
  if (!basename(run).startsWith('wrs-run-')) throw new Error(`${run} is no folder of a test run`);
  const files = (await readdir(tmpdir())).filter((name) => !isOfLance(name));
  const processes = await processesLeft(run);
  await rm(run, { recursive: true, force: true, maxRetries: 3 });
  if (files.length > 0) throw new Error(`tests left in the temporary folder: ${files.join(', ')}`);
  if (processes.length > 0) throw new Error(`tests left processes running: ${processes.join('; ')}`);
}

/**
 * LanceDB keeps an empty folder until its process ends, which is after this check if Jest runs the tests in
 * this process.
 */
function isOfLance(name: string): boolean {
  return /^\.tmp\w{6}$/.test(name);
}

/** A process that got its signal may need a moment. */
async function processesLeft(folder: string): Promise<string[]> {
  for (const until = Date.now() + 10_000; ; await sleep(100)) {
    const processes = await processesOf(folder);
    if (processes.length === 0 || Date.now() > until) return processes;
  }
}

/** Returns the processes with the folder in their arguments or environment; none on systems without /proc. */
async function processesOf(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const others = ids.filter((id) => Number(id) !== process.pid);
  const found = (await Promise.all(others.map((id) => processIn(id, folder)))).filter(
    (it) => it !== undefined,
  );
  const known = new Set(['1', String(process.pid), ...found.map(({ id }) => id)]);
  // Another program ends its own children: a lane's emulator runs the functions that tests deploy to it.
  return found.filter(({ parent }) => known.has(parent)).map(({ id, command }) => `${id} ${command}`);
}

async function processIn(id: string, folder: string) {
  const read = (name: string) => readFile(`/proc/${id}/${name}`, 'latin1').catch(() => '');
  const [command, environment, status] = await Promise.all([
    read('cmdline'),
    read('environ'),
    read('status'),
  ]);
  if (![command, environment].some((text) => text.includes(folder))) return undefined;
  const parent = /^PPid:\t(\d+)$/m.exec(status)?.[1] ?? '1';
  return { id, parent, command: command.replaceAll('\0', ' ').trim() };
}
