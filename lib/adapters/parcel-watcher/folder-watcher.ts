import { relative, sep } from 'node:path';
import { subscribe } from '@parcel/watcher';
import { type FolderWatcher, Unwatchable } from '../../ports/folder-watcher.ts';

/** macOS and Windows report changes of whole trees. The library's Linux part loses those of moved folders (ADR 0072). */
export function parcelWatcher(): FolderWatcher {
  return {
    whyNot: async () => undefined,
    async watch(root, _tree, { changed, lost }) {
      const subscription = await subscribe(root, (error, events) => {
        if (error !== null) return lost(); // as when FSEvents dropped some
        for (const { path } of events) changed(relative(root, path).split(sep).join('/'));
      }).catch((error: unknown) => {
        throw new Unwatchable('system', error);
      });
      return {
        unreportedSince: () => undefined,
        refresh: async () => {},
        close: () => subscription.unsubscribe(),
      };
    },
  };
}
