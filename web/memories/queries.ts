import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type Fact = Schemas['Memory'];

/** The workspace whose facts are meant; undefined for the reader's own. */
export type FactsOf = string | undefined;

const MEMORIES = 'memories';
const queryOf = (workspaceId: FactsOf) =>
  workspaceId === undefined ? { scope: 'person' as const } : { scope: 'workspace' as const, workspaceId };

export function useFacts(workspaceId: FactsOf) {
  return useQuery({
    queryKey: [MEMORIES, workspaceId],
    queryFn: () => take(api.GET('/api/memories', { params: { query: queryOf(workspaceId) } })),
  });
}

export interface FactInput {
  text: string;
  /** Undefined for the default of the service. */
  shared?: boolean | undefined;
}

export function useAddFact(workspaceId: FactsOf) {
  return useChange({ rereads: [[MEMORIES, workspaceId]] }, ({ text, shared }: FactInput) =>
    take(
      api.POST('/api/memories', {
        params: { query: queryOf(workspaceId) },
        body: { text, ...(shared !== undefined && { shared }) },
      }),
    ),
  );
}

export function useChangeFact({ id, workspaceId, updatedAt }: Fact) {
  const rereads = [[MEMORIES, workspaceId ?? undefined]];
  return useChange({ rereads, evenIfRefused: true }, ({ text, shared }: FactInput) =>
    take(
      api.PATCH('/api/memories/{memoryId}', {
        params: { path: { memoryId: id } },
        body: { text, ...(shared !== undefined && { shared }), ifUpdatedAt: updatedAt },
      }),
    ),
  );
}

export function useDeleteFact({ id, workspaceId }: Fact) {
  return useChange({ rereads: [[MEMORIES, workspaceId ?? undefined]], evenIfRefused: true }, () =>
    take(api.DELETE('/api/memories/{memoryId}', { params: { path: { memoryId: id } } })),
  );
}
