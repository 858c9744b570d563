import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Options, Values } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import type { Place } from './workspace.ts';

/** The options of commands that can be limited to files and folders. */
export const SCOPE_OPTIONS = { in: { type: 'string', multiple: true } } as const satisfies Options;

export const SCOPE_TEXTS = { in: 'file or folder to use, instead of all; can be repeated' };

/**
 * Returns the files and folders of `--in`, as workspace paths; undefined for all. On this host they are relative to the
 * current folder, or to the command's folder. Throws Failure for a path outside the workspace.
 */
export async function readScope(
  { in: given }: Values,
  { workspace, service }: Place,
  folder: string,
): Promise<string[] | undefined> {
  if (!Array.isArray(given)) return undefined;
  if (!service.isHere) return given;
  return Promise.all(given.map((path) => pathInside(workspace.rootPath, folder, path)));
}

async function pathInside(root: string, folder: string, path: string): Promise<string> {
  for (const candidate of [resolve(path), resolve(folder, path), resolve(root, path)]) {
    const location = await realpath(candidate).catch(() => undefined);
    const inside = location === undefined ? '..' : relative(root, location);
    if (inside !== '..' && !inside.startsWith('../')) return inside;
  }
  throw new Failure(`--in: ${path} isn't a file or folder of the workspace ${root}.`, { exit: EXIT.usage });
}
