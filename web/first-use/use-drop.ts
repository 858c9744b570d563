import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { fetchPart } from '../api/fetch-part.ts';
import type { Dropped } from '../files/uploads/interrupted-uploads.ts';
import { createWorkspace } from '../workspaces/queries.ts';

/** Folders that are tried: an existing workspace may have the name. */
const MAX_TRIES = 50;

/** Creates a workspace for the files, and opens it, where they are uploaded. */
export function useDrop() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (dropped: Dropped[]) => {
      const [{ nameDrop }, { handOver }] = await Promise.all([
        fetchPart(() => import('./name-of-drop.ts')),
        fetchPart(() => import('../files/uploads/use-uploads.ts')),
      ]);
      const { folder, files } = nameDrop(dropped, new Date());
      const { id } = await createNamed(folder);
      handOver(id, files);
      return id;
    },
    onSuccess: async (workspaceId) => {
      void queries.invalidateQueries({ queryKey: ['workspaces'] });
      await navigate({ to: '/w/$workspaceId/files', params: { workspaceId } });
    },
  });
}

/** Other files may be in the folder, which then is a workspace with both: the view asks before it replaces any. */
async function createNamed(folder: string): Promise<{ id: string }> {
  for (let number = 1; ; number++) {
    const path = number === 1 ? folder : `${folder}-${number}`;
    try {
      const { workspace, isNew } = await createWorkspace({ path });
      if (isNew) return workspace;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    if (number === MAX_TRIES) throw new ApiError(409, '', { code: 'workspace_overlap' });
  }
}

/** By a workspace that is inside, around, or not the caller's, or by a file. */
function isTaken(error: unknown): boolean {
  const codes = ['workspace_overlap', 'workspace_access_denied', 'not_a_directory'];
  return error instanceof ApiError && codes.includes(error.code ?? '');
}
