import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type IndexState = Schemas['IndexState'];
export type ListedWorkspace = Schemas['ListedWorkspace'];

const SYNC_POLL_MS = 700;
/**
 * Milliseconds between polls, because files are also indexed for other reasons, such as an agent that writes, or
 * another tab.
 */
const REST_POLL_MS = 5_000;

/** Maximum number of listed workspaces. */
export const WORKSPACES = 1000;

export function useWorkspaces(isWanted = true) {
  return useQuery({
    enabled: isWanted,
    queryKey: ['workspaces'],
    queryFn: () => take(api.GET('/api/workspaces', { params: { query: { limit: WORKSPACES } } })),
  });
}

/** The number of workspaces whose state is requested. Each needs its own reads. */
const STATES = 8;

/** Returns the newest workspaces with their state, in one request; polls faster while files are indexed. */
export function useStates() {
  return useQuery({
    queryKey: ['workspaces', 'states'],
    queryFn: () => take(api.GET('/api/workspaces', { params: { query: { with: 'state', limit: STATES } } })),
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ state }) => state && isRunning(state.index)) ? 2_000 : 30_000,
  });
}

export function useWorkspace(workspaceId: string) {
  return useQuery({
    queryKey: ['workspaces', workspaceId],
    queryFn: () => take(api.GET('/api/workspaces/{workspaceId}', { params: { path: { workspaceId } } })),
    staleTime: 60_000,
  });
}

/** Refetched while a sync runs, so that the numbers change visibly. */
export const syncQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['sync', workspaceId],
    queryFn: () => take(api.GET('/api/workspaces/{workspaceId}/sync', { params: { path: { workspaceId } } })),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? SYNC_POLL_MS : REST_POLL_MS),
  });

export function isRunning({ status, recognizing }: Pick<IndexState, 'status' | 'recognizing'>): boolean {
  return status === 'scanning' || status === 'indexing' || recognizing !== undefined;
}

export function useStartSync(workspaceId: string) {
  return useChange({ rereads: [['sync', workspaceId]] }, () =>
    take(api.POST('/api/workspaces/{workspaceId}/sync', { params: { path: { workspaceId } } })),
  );
}

/** The mode of permission rules for workspaces created in the console: the agent asks before it changes anything. */
export const FIRST_ASK = 'changes';

interface NewWorkspace {
  path: string;
  name?: string;
  create?: boolean;
}

/**
 * Creates a workspace from a folder; all parts of the console use this function. `isNew` is false if the
 * folder was already a workspace.
 */
export async function createWorkspace(body: NewWorkspace) {
  const { data, response } = await api.POST('/api/workspaces', { body: { ...body, ask: FIRST_ASK } });
  return { workspace: data as Schemas['Workspace'], isNew: response.status === 201 };
}

export function useCreateWorkspace() {
  return useChange({ rereads: [['workspaces'], ['folders']] }, async (body: NewWorkspace) => {
    const { workspace } = await createWorkspace(body);
    // Makes the folder's files searchable. A failure here isn't an error, because the index shows its progress.
    await api.POST('/api/workspaces/{workspaceId}/sync', { params: { path: { workspaceId: workspace.id } } });
    return workspace;
  });
}

export type Folders = Schemas['Folders'];
export type Folder = Schemas['Folder'];

/** Returns the folders in a folder that can be chosen for a workspace; for the empty path, the roots. */
export function useFolders(path: string) {
  return useQuery({
    queryKey: ['folders', path],
    queryFn: () => take(api.GET('/api/system/folders', { params: { query: { path } } })),
    retry: false,
    staleTime: 0,
  });
}

/** Returns the roots in which workspaces can be; undefined until they are known. */
export function useRoots(): string[] | undefined {
  return useFolders('').data?.folders.map(({ path }) => path);
}

export function useRenameWorkspace(workspaceId: string) {
  return useChange({ rereads: [['workspaces']] }, (name: string) =>
    take(api.PATCH('/api/workspaces/{workspaceId}', { params: { path: { workspaceId } }, body: { name } })),
  );
}

const settingsKey = (workspaceId: string) => ['workspace-settings', workspaceId];

export function useWorkspaceSettings(workspaceId: string) {
  const params = { path: { workspaceId } };
  return useQuery({
    queryKey: settingsKey(workspaceId),
    queryFn: () => take(api.GET('/api/workspaces/{workspaceId}/settings', { params })),
    staleTime: 30_000,
  });
}

export function useChangeWorkspaceSettings(workspaceId: string) {
  const params = { path: { workspaceId } };
  return useChange(
    { stores: (settings: Schemas['WorkspaceSettings']) => [settingsKey(workspaceId), settings] },
    (body: { citationJudge: 'on' | 'off' | null }) =>
      take(api.PUT('/api/workspaces/{workspaceId}/settings', { params, body })),
  );
}

export function useDeleteWorkspace() {
  return useChange({ rereads: [['workspaces']] }, (workspaceId: string) =>
    take(api.DELETE('/api/workspaces/{workspaceId}', { params: { path: { workspaceId } } })),
  );
}

/** Maximum number of listed files of one state. */
export const LISTED_FILES = 1000;

/** Returns the files in one state; skipped and failed files have a reason. */
export function useListedFiles(workspaceId: string, state: Schemas['ListedFile']['state']) {
  return useQuery({
    queryKey: ['listed', workspaceId, state],
    queryFn: () =>
      take(
        api.GET('/api/workspaces/{workspaceId}/files', {
          params: { path: { workspaceId }, query: { state, limit: LISTED_FILES } },
        }),
      ),
    // Refetched when it's shown again, because a file may have been added since. Other lists are cached for
    // some seconds.
    staleTime: 0,
  });
}
