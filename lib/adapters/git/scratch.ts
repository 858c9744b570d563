import { mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'wrs-git-';
/** What a killed process left behind is removed after this. */
const STALE_MS = 60 * 60 * 1000;

/** Runs `work` with an empty folder of its own, for this user's eyes only, which is gone afterwards. */
export async function withScratch<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  await sweep();
  const folder = await realpath(await mkdtemp(join(tmpdir(), PREFIX)));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sweep(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const folder = join(tmpdir(), name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > STALE_MS) await rm(folder, { recursive: true, force: true }).catch(() => {}); // another user's
  }
}
