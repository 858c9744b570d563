import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, noneIfMissing } from '../../lib/paths/file-errors.ts';

/** Hard-links every file of a folder, for files that are only created and removed. Copies where links aren't possible. */
export async function linkTree(from: string, to: string): Promise<void> {
  // Removed since it was listed, together with its workspace.
  const entries = (await readdir(from, { withFileTypes: true }).catch(noneIfMissing)) ?? [];
  await mkdir(to, { mode: 0o700 });
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else await link(source, target).catch((error) => copyInstead(error, source, target));
  }
}

async function copyInstead(error: unknown, source: string, target: string): Promise<void> {
  if (hasCode(error, 'ENOENT')) return;
  if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV')) throw error;
  await copyFile(source, target);
}
