import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { mkdir, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Service, startService } from './service.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

const LAUNCHER =
  'mount -t tmpfs -o size="$1" tmpfs "$2" && mkdir "$2/workspaces" "$2/tmp" && shift 2 && exec "$@"';
const MEGABYTE = Buffer.alloc(1024 * 1024, 1);
const PAGE = 4096;
const UNCOUNTED = /^(service\.|vectors\/|filler$)/;

/** A separate file system needs root and Linux's `unshare` and `mount`. */
export function canMount(): boolean {
  try {
    const options = ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', '/mnt'];
    execFileSync('unshare', options, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface SmallDisk {
  /**
   * Returns the path of the service as the test sees it. The disk is mounted only for the service, and
   * disappears with it.
   */
  at(path: string): string;
  /** Uses up every remaining byte. */
  fill(): void;
  /** Frees this many bytes, or everything that `fill` used. */
  free(bytes?: number): void;
  freeBytes(): Promise<number>;
  /**
   * Returns files and workspace folders, except the database, the vectors, and the files that `fill` created.
   */
  entries(): Promise<string[]>;
}

/**
 * Starts the real host with its data folder, workspaces, and temporary folder on a disk of this many
 * megabytes.
 */
export async function startOnSmallDisk(
  megabytes: number,
  env: Record<string, string> = {},
): Promise<{ service: Service; disk: SmallDisk }> {
  const dataDir = join(await tempFolder(), 'data');
  await mkdir(dataDir);
  const launcher = ['unshare', '--mount', 'sh', '-ec', LAUNCHER, 'sh', `${megabytes}m`, dataDir];
  const service = await startService({ ...env, TMPDIR: `${dataDir}/tmp`, DATA_DIR: dataDir }, [], launcher);
  return { service, disk: smallDisk((path) => `/proc/${service.pid}/root${path}`, dataDir) };
}

function smallDisk(at: SmallDisk['at'], dataDir: string): SmallDisk {
  const filler = at(`${dataDir}/filler`);
  let size = 0;
  return {
    at,
    fill() {
      const file = openSync(filler, 'a');
      for (const piece of [MEGABYTE, MEGABYTE.subarray(0, PAGE)])
        for (let written = write(file, piece); written > 0; written = write(file, piece)) size += written;
      closeSync(file);
    },
    free(bytes = size) {
      size = Math.max(0, size - bytes);
      if (size === 0) rmSync(filler, { force: true });
      else truncateSync(filler, size);
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(at(dataDir));
      return bavail * bsize;
    },
    async entries() {
      const found = await readdir(at(dataDir), { recursive: true, withFileTypes: true });
      const here = found.map((entry) => ({
        entry,
        path: join(entry.parentPath, entry.name).slice(at(dataDir).length + 1),
      }));
      const isOwn = (path: string) => path.startsWith('workspaces/');
      const counts = here.filter(({ entry, path }) => !entry.isDirectory() || isOwn(path));
      return counts
        .map(({ path }) => path)
        .filter((path) => !UNCOUNTED.test(path))
        .sort();
    },
  };
}

/** Returns 0 if there is no free space. */
function write(file: number, bytes: Buffer): number {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 0;
    throw error;
  }
}

/** A program on the service's disk: SQLite follows the link in `at` to the system disk. */
function onDisk({ pid, dataDir }: Service, script: string): [string, string[]] {
  const [mounts, file] = [`--mount=/proc/${pid}/ns/mnt`, join(dataDir, 'service.sqlite')];
  return ['nsenter', [mounts, process.execPath, '-e', `${OPEN}\n${script}`, file]];
}

const OPEN = `const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1], { timeout: 10000 });`;
const HOLD = `const [{ busy }] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
database.exec('BEGIN');
database.prepare('SELECT count(*) FROM messages').get();
console.log(busy === 0 ? 'held' : 'busy');
setInterval(() => {}, 1000);`;
const DEAD = `const dead = "SELECT queue, body FROM messages WHERE queue LIKE '%dead%'";
console.log(JSON.stringify(database.prepare(dead).all()));`;

/**
 * Keeps SQLite's log from restarting, as a backup does while it reads. Until this is released, every write
 * needs space. Otherwise, small writes fit into the existing log.
 */
export async function holdLog(service: Service): Promise<() => void> {
  const holder = spawn(...onDisk(service, HOLD), { stdio: ['ignore', 'pipe', 'inherit'] });
  const release = () => void holder.kill('SIGKILL');
  whenDone(async () => release());
  const [said] = (await once(holder.stdout, 'data')) as [Buffer];
  if (said.toString().trim() !== 'held') throw new Error(`the log is not held: ${said.toString()}`);
  return release;
}

/** Returns the messages in the dead-letter queues. */
export function deadLetters(service: Service): unknown[] {
  const [program, args] = onDisk(service, DEAD);
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8' })) as unknown[];
}
