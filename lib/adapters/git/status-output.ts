import { compareNames } from '../../api-contract/compare-names.ts';
import {
  type FileStatus,
  type GitFile,
  MAX_MODIFIED,
  type RepositoryStatus,
} from '../../ports/repositories.ts';

/** Reads `git status --porcelain=v2 --branch -z`. */
export function readStatusOutput(text: string): Omit<RepositoryStatus, 'branch' | 'branches'> {
  const found = new Map<string, GitFile>();
  let [hasUpstream, ahead, behind] = [false, 0, 0];
  for (const entry of text.split('\0')) {
    const counts = /^# branch\.ab \+(\d+) -(\d+)$/.exec(entry);
    if (counts !== null) [hasUpstream, ahead, behind] = [true, Number(counts[1]), Number(counts[2])];
    const file = readEntry(entry);
    if (file === undefined) continue;
    // Git lists a file twice if it was removed from the index but still exists.
    const twice = found.get(file.path)?.status === 'deleted' && file.status === 'untracked';
    found.set(file.path, twice ? { ...file, status: 'modified', staged: true } : file);
  }
  return { modified: sortModified([...found.values()]), hasUpstream, ahead, behind };
}

export function sortModified(modified: GitFile[]): GitFile[] {
  return modified.sort((a, b) => compareNames(a.path, b.path)).slice(0, MAX_MODIFIED);
}

/** Reads a line such as `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path` or `? path`. */
function readEntry(entry: string): GitFile | undefined {
  if (entry.startsWith('? '))
    return { path: entry.slice(2), status: 'untracked', staged: false, unstaged: true };
  const unmerged = /^u (?:\S+ ){9}(.+)$/s.exec(entry);
  if (unmerged?.[1] !== undefined)
    return { path: unmerged[1], status: 'conflicted', staged: false, unstaged: true };
  const [, change = '', path] = /^1 (\S+) (?:\S+ ){6}(.+)$/s.exec(entry) ?? [];
  if (path === undefined) return undefined;
  return { path, status: readChange(change), staged: change[0] !== '.', unstaged: change[1] !== '.' };
}

function readChange(change: string): FileStatus {
  if (change.startsWith('A')) return 'added';
  return change.includes('D') ? 'deleted' : 'modified';
}
