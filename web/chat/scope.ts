import type { UIMessage } from 'ai';
import { useState } from 'react';
import { type Filter, readFilter } from '../search/filter.ts';

export const MAX_PATHS = 100;
/** The maximum number of workspaces of a question, in addition to its own. */
export const MAX_OTHERS = 19;

export interface Scope {
  /** Files and folders; if empty, all files. */
  paths: string[];
  toggle(path: string): void;
  clear(): void;
  /** IDs of other workspaces to search as well. The scope is then all files. */
  others: string[];
  toggleOther(id: string): void;
  /** The facts of the files; undefined for any. */
  filter: Filter | undefined;
  setFilter(filter: Filter | undefined): void;
}

/** Returns the scope of the next question. Until it's changed, it's that of the latest question. */
export function useScope(messages: readonly UIMessage[]): Scope {
  const last = messages.findLast(({ role }) => role === 'user');
  const [paths, setPaths] = useState(() => pathsOf(last));
  const [others, setOthers] = useState(() => othersOf(last));
  const [filter, setFilter] = useState(() => filterOf(last));
  const toggleOther = (id: string) => {
    setPaths([]);
    setOthers((all) => toggled(all, id));
  };
  return {
    others,
    toggleOther,
    filter,
    setFilter,
    paths,
    toggle: (path) => setPaths((before) => togglePath(before, path)),
    clear: () => setPaths([]),
  };
}

/** Adds an ID to a list, or removes it. */
export function toggled(all: readonly string[], id: string): string[] {
  return all.includes(id) ? all.filter((each) => each !== id) : [...all, id];
}

/** Returns the workspaces of a request, in the API's form. */
export function askedWorkspaces(workspaceId: string, others: readonly string[]) {
  return others.length > 0 ? { workspaceIds: [workspaceId, ...others] } : { workspaceId };
}

/** Returns the files and folders that a stored question was limited to. */
export function pathsOf(question: Pick<UIMessage, 'metadata'> | undefined): string[] {
  const { paths } = (question?.metadata ?? {}) as { paths?: unknown };
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}

/** Returns the facts of files that a stored question was limited to. */
export function filterOf(question: Pick<UIMessage, 'metadata'> | undefined): Filter | undefined {
  const { filter } = (question?.metadata ?? {}) as { filter?: unknown };
  return readFilter(filter);
}

/** Returns the other workspaces that a stored question was about. */
function othersOf(question: Pick<UIMessage, 'metadata'> | undefined): string[] {
  const { workspaceIds } = (question?.metadata ?? {}) as { workspaceIds?: unknown };
  return Array.isArray(workspaceIds) ? workspaceIds.slice(1).filter((id) => typeof id === 'string') : [];
}

/** Returns all that a stored question was limited to. */
export function limitsOf(question: Pick<UIMessage, 'metadata'> | undefined) {
  return { paths: pathsOf(question), filter: filterOf(question), others: othersOf(question) };
}

/** Adds or removes a path. A folder replaces its contents in the list. */
export function togglePath(paths: readonly string[], path: string): string[] {
  if (paths.includes(path)) return paths.filter((each) => each !== path);
  if (coveredBy(paths, path) !== undefined) return [...paths];
  const left = paths.filter((each) => !each.startsWith(`${path}/`));
  return left.length < MAX_PATHS ? [...left, path] : left;
}

/** Returns the chosen folder that contains a path. */
function coveredBy(paths: readonly string[], path: string): string | undefined {
  return paths.find((each) => path.startsWith(`${each}/`));
}

export type Checked = boolean | 'mixed';

/** Returns the state of a file's or folder's checkbox. */
export function checkedState(paths: readonly string[], path: string): Checked {
  if (paths.includes(path) || coveredBy(paths, path) !== undefined) return true;
  return paths.some((each) => each.startsWith(`${path}/`)) ? 'mixed' : false;
}
