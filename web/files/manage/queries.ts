import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../../api/client.ts';

/** Changes files, and reloads the lists of them. */
function useChange<Input>(workspaceId: string, mutationFn: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['folder', workspaceId] }),
  });
}

/** Empty, and over nothing that is there. */
export function useMakeFile(workspaceId: string) {
  return useChange(workspaceId, (path: string) =>
    take(api.POST('/api/files/write', { body: { workspaceId, path, content: '', expectedHash: null } })),
  );
}

export function useMakeFolder(workspaceId: string) {
  return useChange(workspaceId, (path: string) =>
    take(api.POST('/api/files/mkdir', { body: { workspaceId, path } })),
  );
}

export function useMoveEntry(workspaceId: string) {
  return useChange(workspaceId, (body: { oldPath: string; newPath: string }) =>
    take(api.POST('/api/files/rename', { body: { workspaceId, ...body } })),
  );
}

export function useDeleteEntry(workspaceId: string) {
  return useChange(workspaceId, (path: string) =>
    take(api.DELETE('/api/files/delete', { body: { workspaceId, path } })),
  );
}
