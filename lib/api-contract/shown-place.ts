import { hasLines } from './file-kinds.ts';

/** Returns the path with its lines, as in `a.md:3-5`, or the path alone for a file without lines. */
export function pathWithLines({
  path,
  startLine,
  endLine,
}: {
  path: string;
  startLine: number;
  endLine: number;
}): string {
  if (!hasLines(path)) return path;
  return `${path}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
}
