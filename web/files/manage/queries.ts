import { api, take } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';

/** Creates an empty file, never over an existing entry. */
export function useMakeFile(workspaceId: string) {
  return useChange({ rereads: [['folder', workspaceId]] }, (path: string) =>
    take(api.POST('/api/files/write', { body: { workspaceId, path, content: '', expectedHash: null } })),
  );
}

export function useMakeFolder(workspaceId: string) {
  return useChange({ rereads: [['folder', workspaceId]] }, (path: string) =>
    take(api.POST('/api/files/mkdir', { body: { workspaceId, path } })),
  );
}

export function useMoveEntry(workspaceId: string) {
  return useChange({ rereads: [['folder', workspaceId]] }, (body: { oldPath: string; newPath: string }) =>
    take(api.POST('/api/files/rename', { body: { workspaceId, ...body } })),
  );
}

export function useDeleteEntry(workspaceId: string) {
  // Refetches even after a failure, because a deletion that fails midway has already deleted some files.
  return useChange({ rereads: [['folder', workspaceId]], evenIfRefused: true }, (path: string) =>
    take(api.DELETE('/api/files/delete', { body: { workspaceId, path } })),
  );
}
