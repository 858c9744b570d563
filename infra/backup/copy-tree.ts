import type { Dirent } from 'node:fs';
import { mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { withHeld } from '../../lib/paths/confine.ts';
import { hasCode } from '../../lib/paths/file-errors.ts';
import { copyFile } from './copy-file.ts';
import { leadsOut } from './leads-out.ts';
import type { Entry, Manifest } from './manifest.ts';

export interface Copying {
  /** The folder that the paths of the entries are relative to. */
  to: string;
  entries: Entry[];
  leftOut: Manifest['leftOut'];
  signal: AbortSignal;
  /** Called with each path, to show progress. */
  tell(path: string): void;
  /** Returns true for paths that aren't copied. */
  isLeft?(path: string): boolean;
}

/**
 * Copies a folder recursively, and lists its entries. Opens each folder by its name in its open parent, so replacing a
 * folder with a link in the meantime has no effect; copies a link as a link. Ignores entries deleted before they are
 * read; lists unreadable entries separately.
 */
export async function copyTree(from: string, path: string, copying: Copying): Promise<void> {
  await withHeld(from, async (directory) => {
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (copying.isLeft?.(inside)) continue;
      copying.signal.throwIfAborted();
      await copyEntry(join(directory, entry.name), entry, inside, copying).catch((error) =>
        leaveOut(error, inside, copying),
      );
    }
  });
}

async function copyEntry(from: string, entry: Dirent, path: string, copying: Copying): Promise<void> {
  const { to, entries, signal, tell } = copying;
  const target = join(to, path);
  if (entry.isDirectory()) return copyFolder(from, path, copying);
  if (entry.isSymbolicLink()) return copyLink(from, path, copying);
  if (!entry.isFile()) return;
  tell(path);
  const copied = await copyFile(from, target, signal);
  if (copied !== undefined) entries.push({ type: 'file', path, ...copied });
}

async function copyLink(from: string, path: string, { to, entries, leftOut }: Copying): Promise<void> {
  const link = { path, target: await readlink(from) };
  const reason = leadsOut(link);
  if (reason !== undefined) return void leftOut.push({ path, reason });
  await symlink(link.target, join(to, path));
  entries.push({ type: 'link', ...link });
}

/** The folder stays writable until it is complete; its own mode is in the list. */
async function copyFolder(from: string, path: string, copying: Copying): Promise<void> {
  const { mode } = await stat(from);
  await mkdir(join(copying.to, path), { mode: 0o700 });
  copying.entries.push({ type: 'folder', path, mode: mode & 0o7777 });
  await copyTree(from, path, copying);
}

/**
 * Records a file that can't be copied, for example because its name isn't UTF-8 (ENOENT), or its path is too long in
 * the backup's folder.
 */
function leaveOut(error: unknown, path: string, { leftOut, signal }: Copying): void {
  if (signal.aborted) throw error;
  if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP') && !path.includes('\uFFFD')) return;
  if (!hasCode(error, 'EACCES', 'EPERM', 'EIO', 'ENOENT', 'ENAMETOOLONG', 'EMFILE')) throw error;
  leftOut.push({ path, reason: (error as NodeJS.ErrnoException).code ?? '' });
}
