import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { BROUGHT, RESULT_BYTES } from './brought-limits.ts';
import { type FileChange, isRemoval, KEPT } from './command-message.ts';
import { type Mirror, TooManyFiles } from './mirror.ts';
import { frameOf, PACK_END } from './pack.ts';
import { putSigned } from './signed-transfer.ts';

/** Sends a command's changes. Returns whether there were any. `folder` holds the temporary pack. */
export async function sendChanges(
  mirror: Mirror,
  { readOnly, results, folder }: { readOnly: string[]; results: string[]; folder: string },
): Promise<boolean> {
  const file = join(folder, `${randomUUID()}.pack`);
  const pack = openSync(file, 'wx', 0o600);
  try {
    if (!(await writeChanges(pack, mirror, readOnly))) return false;
    writeSync(pack, PACK_END);
    const slot = RESULT_BYTES.findIndex((bytes) => bytes >= fstatSync(pack).size);
    ftruncateSync(pack, RESULT_BYTES[slot] ?? 0);
    await putSigned(results[slot] ?? '', file);
    return true;
  } finally {
    closeSync(pack);
    rmSync(file, { force: true });
  }
}

async function writeChanges(pack: number, mirror: Mirror, readOnly: string[]): Promise<boolean> {
  let bytes = 0;
  let count = 0;
  const write = (change: FileChange, content?: Buffer) => {
    writeSync(pack, frameOf(change, content));
    count += 1;
  };
  try {
    let lost = false;
    for (const { change, bytes: content, isLost = false } of mirror.changes(readOnly)) {
      const size = content?.length ?? 0;
      const isTooMuch = bytes + size > BROUGHT.changedBytes;
      lost ||= isLost || isTooMuch;
      const why = whyNot(change, { isTooMuch, lost });
      if (why !== undefined) write({ kind: 'leftOut', path: change.path, why });
      else write(change, content);
      if (!isTooMuch) bytes += size;
    }
  } catch (error) {
    if (!(error instanceof TooManyFiles)) throw error;
    await mirror.empty();
    write({ kind: 'leftOut', path: '', why: `the command left more than ${BROUGHT.entriesAfter} files` });
  }
  return count > 0;
}

function whyNot(change: FileChange, { isTooMuch, lost }: Record<'isTooMuch' | 'lost', boolean>) {
  if (isTooMuch) return TOO_MUCH;
  return lost && isRemoval(change) ? KEPT : undefined;
}

const TOO_MUCH = `the command changed more than ${BROUGHT.changedBytes / 1024 / 1024} MB`;
