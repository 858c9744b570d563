import { mkdirSync } from 'node:fs';
import { mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Secrets } from '../../ports/secrets.ts';
import { writeFileAtomically } from './atomic-file.ts';

/** A writer that died holding the lock is taken for dead after this. */
const LOCK_PATIENCE_MS = 5_000;

/** Secrets in one JSON file that only the service's user can read. */
export function diskSecrets(file: string): Secrets {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return {
    get: async (name) => (await readAll(file))[name],
    set: (name, value) =>
      withLock(`${file}.lock`, async () => {
        const { [name]: _old, ...rest } = await readAll(file);
        const all = value === null ? rest : { ...rest, [name]: value };
        await writeFileAtomically(file, Buffer.from(JSON.stringify(all)), 0o600);
      }),
  };
}

async function readAll(file: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** A folder is the lock: making one is atomic, among processes too. */
async function withLock(lock: string, work: () => Promise<void>): Promise<void> {
  const since = Date.now();
  while (!(await tryMake(lock))) {
    if (Date.now() - since > LOCK_PATIENCE_MS) await rm(lock, { recursive: true, force: true });
    await sleep(10);
  }
  try {
    await work();
  } finally {
    await rmdir(lock).catch(() => {});
  }
}

async function tryMake(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
