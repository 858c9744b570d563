import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Secrets } from '../../ports/secrets.ts';
import { openDatabase } from '../sqlite/database.ts';

/** Secrets in one JSON file that only the service's user can read. */
export function diskSecrets(file: string): Secrets {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const read = changedReader(file);
  return {
    get: async (name) => read().get(name),
    async set(name, value) {
      change(file, (all) => (value === null ? all.delete(name) : all.set(name, value)));
    },
  };
}

/** Returns the secret, and creates it at the first call. Concurrent callers in all processes get the same secret. */
export function ensureSecret(file: string, name: string, make: () => string): string {
  const known = readAll(file).get(name);
  if (known !== undefined) return known;
  return change(file, (all) => {
    const value = all.get(name) ?? make();
    all.set(name, value);
    return value;
  });
}

/**
 * Changes the file, one writer at a time across all threads and processes. The lock is the write lock of the
 * folder's database, which the kernel releases when a process dies. A lock file would outlive its creator,
 * and breaking old lock files would lose writes.
 */
function change<Result>(file: string, work: (all: Map<string, string>) => Result): Result {
  return openDatabase(dirname(file)).transaction(() => {
    removeUnfinished(file);
    const all = readAll(file);
    const result = work(all);
    replace(file, JSON.stringify(Object.fromEntries(all)));
    return result;
  });
}

/** Removes the files of killed writers. Only the holder of the lock writes. */
function removeUnfinished(file: string): void {
  const start = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(start) && name.endsWith('.tmp')) rmSync(join(dirname(file), name), { force: true });
}

function replace(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Returns a reader that rereads the file only if its stat has changed, because every request needs several
 * secrets.
 */
function changedReader(file: string): () => Map<string, string> {
  let known: { version: string; all: Map<string, string> } | undefined;
  return () => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return new Map();
    const version = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
    if (known?.version !== version) known = { version, all: readAll(file) };
    return known.all;
  };
}

function readAll(file: string): Map<string, string> {
  const text = readText(file);
  try {
    return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  } catch {
    throw new Error(
      'The secrets file is not valid JSON. Restore it from a backup, or delete it and set the secrets again.',
    ); // the parser's message would quote the file
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  }
}
