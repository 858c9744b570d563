import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lambda has no way to end an invocation that somebody waits for. Caller and function share the file system of the
 * workspaces, and no network: so a file says that somebody waits, and the function ends the command when it is gone.
 * Beside the workspaces, where a command in its sandbox does not see it.
 */
const FOLDER = '.wrs-commands';
const LOOK_EVERY_MS = 1000;
/** Longer than any command: its caller was killed. */
const ABANDONED_MS = 60 * 60 * 1000;

let sweptAt = 0;

/** Says that somebody waits; `id` goes with the command. Until `end` is called, which is harmless twice. */
export async function awaitCommand(root: string): Promise<{ id: string; end(): Promise<void> }> {
  const id = randomUUID();
  await mkdir(join(root, FOLDER), { recursive: true, mode: 0o700 });
  await writeFile(placeOf(root, id), '', { flag: 'wx' });
  sweepOnceAnHour(root);
  return { id, end: () => rm(placeOf(root, id), { force: true }) };
}

/**
 * Calls `gone` once nobody waits for the command any more; answers what ends the watch. The file is opened anew each time:
 * only that makes NFS ask the server, a stat may be answered from what it knew before.
 */
export function watchAwaited(
  root: string,
  id: string,
  gone: () => void,
  everyMs = LOOK_EVERY_MS,
): () => void {
  const timer = setInterval(async () => {
    if (await isAwaited(placeOf(root, id))) return;
    clearInterval(timer);
    gone();
  }, everyMs);
  return () => clearInterval(timer);
}

async function isAwaited(place: string): Promise<boolean> {
  try {
    await (await open(place)).close();
    return true;
  } catch (error) {
    // A file system that is away for a moment ends no command.
    return !['ENOENT', 'ESTALE'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

function sweepOnceAnHour(root: string, now = Date.now()): void {
  if (now - sweptAt < ABANDONED_MS) return;
  sweptAt = now;
  sweepAbandoned(root, now).catch(() => undefined); // another sweeps, or the next will
}

/** Removes what callers that were killed have left. */
export async function sweepAbandoned(root: string, now: number): Promise<void> {
  for (const name of await readdir(join(root, FOLDER))) {
    const place = placeOf(root, name);
    if (now - (await stat(place)).mtimeMs > ABANDONED_MS) await rm(place, { force: true });
  }
}

function placeOf(root: string, id: string): string {
  return join(root, FOLDER, id);
}
