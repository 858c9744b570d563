import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { fetchPart } from '../api/fetch-part.ts';
import type { Dropped } from '../files/uploads/interrupted-uploads.ts';
import { createWorkspace, type ListedWorkspace } from '../workspaces/queries.ts';

/** Maximum folders to try, because an existing workspace may have the name. */
const MAX_TRIES = 50;

/**
 * Returns a function that creates a workspace for the files, unless they have one, and opens it. The files
 * are uploaded there.
 */
export function useDrop() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async (dropped: Dropped[]) => {
      const [{ freeName, nameDrop }, { handOver, holdsMost }] = await Promise.all([
        fetchPart(() => import('./name-of-drop.ts')),
        fetchPart(() => import('../files/uploads/use-uploads.ts')),
      ]);
      const { folder, isUnnamed, files } = nameDrop(dropped, new Date());
      const listed = queries.getQueryData<ListedWorkspace[]>(['workspaces']) ?? [];
      const taken = listed.map(({ name }) => name);
      const named = isUnnamed ? { name: freeName(t('workspaces.myFiles'), taken) } : {};
      const { id } = await createNamed(folder, named, (found) => holdsMost(queries, found, files));
      handOver(id, files);
      return id;
    },
    onSuccess: async (workspaceId) => {
      void queries.invalidateQueries({ queryKey: ['workspaces'] });
      await navigate({ to: '/w/$workspaceId/files', params: { workspaceId } });
    },
  });
}

/** Creates a workspace. Its folder may already contain files, so the view asks before it replaces any. */
async function createNamed(
  folder: string,
  named: { name?: string },
  isTheirs: (workspaceId: string) => Promise<boolean>,
): Promise<{ id: string }> {
  for (let number = 1; ; number++) {
    const path = number === 1 ? folder : `${folder}-${number}`;
    const made = await createWorkspace({ ...named, path }).catch(undefinedIfTaken);
    if (made?.isNew || (made && (await isTheirs(made.workspace.id)))) return made.workspace;
    if (number === MAX_TRIES) throw new ApiError(409, '', { code: 'workspace_overlap' });
  }
}

/**
 * Returns undefined if the name is taken: by a workspace inside or around the folder, by one that the caller
 * can't access, or by a file.
 */
function undefinedIfTaken(error: unknown): undefined {
  const codes = ['workspace_overlap', 'workspace_access_denied', 'not_a_directory'];
  if (!(error instanceof ApiError) || !codes.includes(error.code ?? '')) throw error;
}
