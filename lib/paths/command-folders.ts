import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { InvalidInput } from '../errors.ts';
import { isInside } from './confine.ts';

export async function realFolder(path: string): Promise<string> {
  const real = isAbsolute(path) ? await realpath(path).catch(() => undefined) : undefined;
  if (real === undefined || !(await stat(real)).isDirectory())
    throw new InvalidInput('not_a_directory', 'cwd must be an existing directory.', { field: 'cwd' });
  return real;
}

/**
 * Throws if a writable folder has become a link since it was selected by name, because the link would show
 * something else.
 */
export async function unlinkedFolder(path: string): Promise<string> {
  if ((await realFolder(path)) !== path)
    throw new InvalidInput('invalid_path', 'cwd is in a directory that was replaced by a link.', {
      field: 'cwd',
    });
  return path;
}

/** Returns the real location of a command's cwd, which must be in one of its folders. */
export async function realCwd(cwd: string, folders: string[]): Promise<string> {
  const real = await realFolder(cwd);
  if (folders.some((folder) => isInside(folder, real))) return real;
  throw new InvalidInput('path_outside_workspace', 'cwd must be inside the directories of the command.', {
    field: 'cwd',
  });
}
