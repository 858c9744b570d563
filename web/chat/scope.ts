import type { UIMessage } from 'ai';
import { useState } from 'react';

export const MAX_PATHS = 100;

export interface Scope {
  /** Files and folders; none: all files. */
  paths: string[];
  toggle(path: string): void;
  clear(): void;
}

/** What the next question is about: what the latest one was, until it is changed. */
export function useScope(messages: readonly UIMessage[]): Scope {
  const [paths, setPaths] = useState(() => pathsOf(messages.findLast(({ role }) => role === 'user')));
  return {
    paths,
    toggle: (path) => setPaths((before) => togglePath(before, path)),
    clear: () => setPaths([]),
  };
}

/** The files and folders that a question was limited to, as the service keeps them. */
export function pathsOf(question: Pick<UIMessage, 'metadata'> | undefined): string[] {
  const { paths } = (question?.metadata ?? {}) as { paths?: unknown };
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}

/** A folder takes the place of what is in it. */
export function togglePath(paths: readonly string[], path: string): string[] {
  if (paths.includes(path)) return paths.filter((each) => each !== path);
  if (coveredBy(paths, path) !== undefined) return [...paths];
  const left = paths.filter((each) => !each.startsWith(`${path}/`));
  return left.length < MAX_PATHS ? [...left, path] : left;
}

/** The chosen folder that a path is in. */
function coveredBy(paths: readonly string[], path: string): string | undefined {
  return paths.find((each) => path.startsWith(`${each}/`));
}

export type Checked = boolean | 'mixed';

/** How the box of a file or folder is shown. */
export function checkedState(paths: readonly string[], path: string): Checked {
  if (paths.includes(path) || coveredBy(paths, path) !== undefined) return true;
  return paths.some((each) => each.startsWith(`${path}/`)) ? 'mixed' : false;
}
