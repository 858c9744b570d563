import { dirname, normalize } from 'node:path';

/** Users may put links into their workspaces; the service never follows these out of a workspace. */
const WORKSPACES = 'workspaces/';

/**
 * Returns why a link is left out of a backup or restore: the service would write and remove files at its
 * target. Returns undefined for a link in a workspace, and for a link that stays within its own top-level
 * entry of the data folder.
 */
export function leadsOut({ path, target }: { path: string; target: string }): string | undefined {
  if (path.startsWith(WORKSPACES) || staysIn(path, target)) return undefined;
  return `a link that leads outside: ${target}`;
}

/** `..` is allowed only at the start, because after a name it may start from another link's target. */
function staysIn(path: string, target: string): boolean {
  const climbs = target.split('/').filter((name) => name === '..').length;
  const depth = dirname(path).split('/').length - (path.includes('/') ? 0 : 1);
  return !target.startsWith('/') && normalize(target) === target && climbs < depth;
}
