import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { ApiError, api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type Document = Schemas['Document'];
export type DocumentLookup = Schemas['DocumentLookup'];
export type Correction = Schemas['DocumentCorrection'];

const documentQuery = (workspaceId: string, path: string) =>
  queryOptions({
    queryKey: ['document', workspaceId, path],
    queryFn: () => readDocument(workspaceId, path),
    retry: false,
  });

/** Returns null for a file that the index doesn't know. */
async function readDocument(workspaceId: string, path: string): Promise<Document | null> {
  const params = { path: { workspaceId, path } };
  return take(api.GET('/api/workspaces/{workspaceId}/documents/{path}', { params })).catch((error: Error) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}

export function useDocument(workspaceId: string, path: string) {
  return useQuery(documentQuery(workspaceId, path));
}

/** Stores corrections. What shows titles is read again. */
export function useCorrectDocument(workspaceId: string, path: string) {
  return useChange(
    {
      stores: (document) => [documentQuery(workspaceId, path).queryKey, document],
      rereads: [['search', workspaceId], ['bibliography', workspaceId], ['evidence-table']],
    },
    (body: Correction) =>
      take(
        api.PATCH('/api/workspaces/{workspaceId}/documents/{path}', {
          params: { path: { workspaceId, path } },
          body,
        }),
      ),
  );
}

/** Looks up the paper in catalogs, which get the identifier or the title. Changes nothing. */
export function useLookUp(workspaceId: string, path: string) {
  return useMutation({
    mutationFn: (identifier: string) =>
      take(
        api.POST('/api/workspaces/{workspaceId}/documents/{path}/lookup', {
          params: { path: { workspaceId, path } },
          body: identifier === '' ? {} : { identifier },
        }),
      ),
  });
}
