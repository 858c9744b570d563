import { readdir, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { log } from '../../log.ts';
import { withPathLock } from '../../paths/path-lock.ts';
import { removeTree } from '../../paths/remove-tree.ts';
import { statAll } from '../../paths/stat-all.ts';

/** The name of the workspace's own copy, next to the copies of its runs. */
export const WORKSPACE_COPY = 'workspace';

const GB = 1024 * 1024 * 1024;

export const KEPT_LIMITS = {
  /** The maximum number of paths of one run. */
  paths: 50_000,
  bytes: GB,
  fileBytes: 64 * 1024 * 1024,
  /** The maximum size in bytes of all runs of a workspace. */
  workspaceBytes: 4 * GB,
  /** The divisor of the free space: the runs of a workspace, or its copy, may take at most this fraction. */
  freePart: 10,
};

/** How long a measurement counts, in milliseconds. Runs expire, and other programs use space too. */
const MEASURED_FOR_MS = 60_000;

/** The space that the runs of a workspace take. */
interface Space {
  /** The size of each run in bytes. The run that stored a copy most recently is last. */
  runs: Map<string, number>;
  free: number;
  measuredAt: number;
}

const spaces = new Map<string, Space>();

/**
 * Reserves space for a copy of a run, if necessary by removing copies of the oldest runs of the workspace.
 * Returns whether there is space.
 */
export function takeRoom(runFolder: string, size: number): Promise<boolean> {
  const [folder, run] = [dirname(runFolder), basename(runFolder)];
  return withPathLock(`undo space ${folder}`, async () => {
    const space = await spaceOf(folder);
    const own = space.runs.get(run) ?? 0;
    const isFitting = (bytes: number) => bytes + size <= mostBytes(space);
    if (!isFitting(own)) return false;
    space.runs.delete(run);
    for (const oldest of [...space.runs.keys()])
      if (!isFitting(own + sumOf(space))) await dropCopies(folder, space, oldest);
    space.runs.set(run, own + size);
    space.free -= size;
    return true;
  });
}

function sumOf({ runs }: Space): number {
  return runs.values().reduce((sum, bytes) => sum + bytes, 0);
}

function mostBytes(space: Space): number {
  return Math.min(KEPT_LIMITS.workspaceBytes, (sumOf(space) + space.free) / KEPT_LIMITS.freePart);
}

async function spaceOf(folder: string): Promise<Space> {
  const now = performance.now();
  const known = spaces.get(folder);
  if (known !== undefined && now - known.measuredAt < MEASURED_FOR_MS) return known;
  const { bavail, bsize } = await statfs(folder);
  const space = { runs: await measureRuns(folder), free: bavail * bsize, measuredAt: now };
  spaces.set(folder, space);
  return space;
}

async function measureRuns(folder: string): Promise<Map<string, number>> {
  const runs: { name: string; bytes: number; at: number }[] = [];
  for (const name of await readdir(folder)) {
    const copies = join(folder, name, 'copies');
    const found = await statAll((await readdir(copies).catch(() => [])).map((file) => join(copies, file)));
    const bytes = found.reduce((sum, stats) => sum + (stats?.isFile() ? stats.size : 0), 0);
    const at = found.reduce((latest, stats) => Math.max(latest, stats?.ctimeMs ?? 0), 0);
    if (name !== WORKSPACE_COPY) runs.push({ name, bytes, at });
  }
  runs.sort((one, other) => one.at - other.at);
  return new Map(runs.map(({ name, bytes }) => [name, bytes]));
}

/** The journal of the run stays, so that the creation of files can still be undone. */
async function dropCopies(folder: string, { runs }: Space, run: string): Promise<void> {
  log.info('the copies of an old run were removed, for those of a new one', { runId: run });
  await removeTree(join(folder, run, 'copies'));
  runs.delete(run);
}
