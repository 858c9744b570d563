import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Conflict } from '../../errors.ts';
import { hasCode } from '../../paths/file-errors.ts';
import type { ChangeKeeper } from '../../ports/commands.ts';
import type { Objects } from '../../ports/objects.ts';
import { type Applied, applyChanges } from './apply-changes.ts';

/** Milliseconds after which both a command and its caller have ended. */
const OVER_MS = 25 * 60 * 1000;

/** Maximum attempts to write a note. */
const ATTEMPTS = 20;

const noteSchema = z.object({
  root: z.string(),
  readOnly: z.array(z.string()),
  begunAt: z.number(),
  /** ID of the keeper that stores replaced files. */
  keeperId: z.string().optional(),
});

/** A command that has started. Only one of those who find it can fetch its changes. */
export interface BegunCommand {
  id: string;
  end(): Promise<void>;
}

/** The key of a command's changes until they are applied. */
export function resultKey(workspace: string, id: string): string {
  return `commands/${workspace}/${id}/result`;
}

/**
 * Records in the workspace's folder that a command has started. If its caller is killed, the next command
 * finds the note and applies the changes that were sent.
 */
export async function noteCommand(
  folder: string,
  { root, readOnly, keeperId }: { root: string; readOnly: string[]; keeperId?: string | undefined },
): Promise<BegunCommand> {
  const id = randomUUID();
  const note = JSON.stringify({ root, readOnly, begunAt: Date.now(), keeperId });
  for (let attempt = 1; !(await isWritten(folder, id, note)); attempt++)
    if (attempt === ATTEMPTS)
      throw new Conflict(
        'concurrent_changes',
        'Too many commands start and end in this workspace. Try again.',
      );
  return { id, end: () => endNote(folder, id) };
}

/** Writes a note. Returns false if another command has removed the folder, because it was empty. */
async function isWritten(folder: string, id: string, note: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, id), note, { flag: 'wx' });
    return true;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return false;
  }
}

async function endNote(folder: string, id: string): Promise<void> {
  await rm(join(folder, id), { force: true });
  await rmdir(folder).catch(() => {}); // another command has a note there
}

/**
 * Applies changes that were sent but never applied, because the caller was killed or stopped waiting. Safe
 * while a caller is still applying them.
 */
export async function finishOthers(
  objects: Objects,
  { folder, workspace, root }: { folder: string; workspace: string; root: string },
  keeper?: ChangeKeeper,
): Promise<Applied & { finished: number }> {
  let all: Applied = { undone: [], changed: [] };
  let finished = 0;
  for (const id of await readdir(folder).catch(() => [])) {
    const note = await readNote(join(folder, id));
    if (note === undefined || note.root !== root) continue;
    const key = resultKey(workspace, id);
    const result = await objects.get(key);
    if (result !== undefined) {
      const other = note.keeperId === undefined ? undefined : keeper?.other(note.keeperId);
      all = joined(all, await applyChanges(root, result.body, note.readOnly, other));
      finished += 1;
      await objects.delete(key);
    }
    if (result !== undefined || Date.now() - note.begunAt > OVER_MS) await endNote(folder, id);
  }
  return { ...all, finished };
}

/** Merges the changes of two commands. */
export function joined(one: Applied, other: Applied): Applied {
  const undone = [...one.undone, ...other.undone];
  if (one.changed === undefined || other.changed === undefined) return { undone, changed: undefined };
  return { undone, changed: [...new Set([...one.changed, ...other.changed])] };
}

/** Reads a note; undefined if it's still being written, or has just been removed. */
async function readNote(place: string): Promise<z.infer<typeof noteSchema> | undefined> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(place, 'utf8')));
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !(error instanceof SyntaxError) && !(error instanceof z.ZodError))
      throw error;
  }
}
