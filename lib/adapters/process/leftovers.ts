import { readdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Maximum rounds of killing. A single round misses a command that forks faster than it is killed. */
const ROUNDS = 20;

/**
 * Returns a function for a host that only runs commands, one after another. The function ends every process
 * that has started since this call, and empties the folders except for the `kept` entries.
 */
export function cleanerOf(folders: string[], kept: string[] = []): () => Promise<void> {
  const own = new Set(processes());
  return async () => {
    for (let round = 0; round < ROUNDS && killOthers(own) > 0; round++);
    for (const folder of folders) await empty(folder, kept);
  };
}

function processes(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function killOthers(own: Set<number>): number {
  const others = processes().filter((pid) => !own.has(pid) && pid !== process.pid);
  for (const pid of others) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has ended, or belongs to another user
    }
  }
  return others.length;
}

async function empty(folder: string, kept: string[]): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(
    names
      .map((name) => join(folder, name))
      .filter((place) => !kept.includes(place))
      .map((place) => rm(place, { recursive: true, force: true }).catch(() => {})),
  );
}
