import type { Config } from '../../lib/config.ts';
import { openFolderWatcher } from '../../lib/wiring/folder-watcher.ts';
import { type Finding, note, ok } from './finding.ts';

/** Checks whether workspace folders can be watched. A mount below a root only affects the workspaces around it. */
export async function checkWatching({ watches, workspaceRoots }: Config): Promise<Finding> {
  if (!watches) return note('off (WATCH=off). Changes of other programs need a sync.');
  const watcher = await openFolderWatcher();
  for (const root of workspaceRoots)
    if ((await watcher.whyNot(root)) !== undefined)
      return note(
        `${root} is on, or contains, a network or FUSE file system. Workspaces around that are polled.`,
      );
  const { limit } = watcher;
  if (limit === undefined) return ok('folders are watched');
  return ok(`folders are watched, up to ${limit.folders} of them (${limit.setting})`);
}
