import type { FolderWatcher } from '../ports/folder-watcher.ts';

/**
 * Opens the watcher for this operating system. Only the watching thread calls this, because the functions
 * don't include the native package.
 */
export async function openFolderWatcher(
  platform: NodeJS.Platform = process.platform,
): Promise<FolderWatcher> {
  if (platform === 'linux') return (await import('../adapters/inotify/folder-watcher.ts')).inotifyWatcher();
  return (await import('../adapters/parcel-watcher/folder-watcher.ts')).parcelWatcher();
}
