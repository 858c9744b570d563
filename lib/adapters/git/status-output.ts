import { compareNames } from '../../api-contract/compare-names.ts';
import { type FileStatus, MAX_MODIFIED, type RepositoryStatus } from '../../ports/repositories.ts';

/** Reads `git status --porcelain=v2 --branch -z`. */
export function readStatusOutput(text: string): Omit<RepositoryStatus, 'branch'> {
  const found = new Map<string, FileStatus>();
  let [hasUpstream, ahead, behind] = [false, 0, 0];
  for (const entry of text.split('\0')) {
    const counts = /^# branch\.ab \+(\d+) -(\d+)$/.exec(entry);
    if (counts !== null) [hasUpstream, ahead, behind] = [true, Number(counts[1]), Number(counts[2])];
    const file = readEntry(entry);
    if (file === undefined) continue;
    // Git lists a file twice if it was removed from the index but still exists.
    const twice = found.get(file.path) === 'deleted' && file.status === 'untracked';
    found.set(file.path, twice ? 'modified' : file.status);
  }
  return { modified: sortModified(found), hasUpstream, ahead, behind };
}

export function sortModified(found: Map<string, FileStatus>): RepositoryStatus['modified'] {
  const modified = [...found].map(([path, status]) => ({ path, status }));
  return modified.sort((a, b) => compareNames(a.path, b.path)).slice(0, MAX_MODIFIED);
}

/** Reads a line such as `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path` or `? path`. */
function readEntry(entry: string): { path: string; status: FileStatus } | undefined {
  if (entry.startsWith('? ')) return { path: entry.slice(2), status: 'untracked' };
  const unmerged = /^u (?:\S+ ){9}(.+)$/s.exec(entry);
  if (unmerged?.[1] !== undefined) return { path: unmerged[1], status: 'conflicted' };
  const [, change = '', path] = /^1 (\S+) (?:\S+ ){6}(.+)$/s.exec(entry) ?? [];
  return path === undefined ? undefined : { path, status: readChange(change) };
}

function readChange(change: string): FileStatus {
  if (change.startsWith('A')) return 'added';
  return change.includes('D') ? 'deleted' : 'modified';
}
