import { posix } from 'node:path';
import * as z from 'zod';
import { isInside, outsideWorkspace } from '../../paths/confine.ts';
import type { ToolContext } from './tool.ts';

/** A path as the model writes it. The schema limits characters, whereas lib/files counts bytes. */
export const toolPath = z
  .string()
  .max(4096)
  .describe('Path relative to the working directory, or absolute. It must be inside the workspace.');

type Place = Pick<ToolContext, 'workspace' | 'cwd'>;

/**
 * Returns a path from the model, relative to the workspace. `..` may lead out of the working directory but
 * not of the workspace. Throws InvalidInput. lib/files checks that no link leads outside, as for every path.
 */
export function workspacePath({ workspace, cwd }: Place, path: string): string {
  const plain = path.startsWith('/')
    ? belowRoot(workspace.rootPath, posix.normalize(path))
    : posix.join(cwd, path);
  if (plain === '..' || plain.startsWith('../')) throw outsideWorkspace();
  return plain === '.' ? '' : plain;
}

function belowRoot(rootPath: string, path: string): string {
  if (!isInside(rootPath, path.replace(/(?<=.)\/$/, ''))) throw outsideWorkspace();
  return path.slice(rootPath.length).replace(/^\//, '');
}

/** Returns a path as the model sees it. The model may send the same path back. */
export function shownPath({ cwd }: Pick<ToolContext, 'cwd'>, path: string): string {
  return posix.relative(`/${cwd}`, `/${path}`) || '.';
}
