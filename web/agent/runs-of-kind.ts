import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api } from '../api/client.ts';

const POLL_MS = 10_000;
const LISTED = 100;
const MAX_PAGES = 5;

/** The reports of a workspace, or its checks of drafts. */
export function useRunsOfKind(workspaceId: string, kind: 'research' | 'verify') {
  return useQuery({
    queryKey: ['runs', workspaceId, kind],
    queryFn: () => readRunsOfKind(workspaceId, kind),
    refetchInterval: ({ state }) => (state.data?.some(({ finishedAt }) => !finishedAt) ? POLL_MS : false),
  });
}

/** Other runs of the workspace fill pages, too: a page may hold none. */
export async function readRunsOfKind(
  workspaceId: string,
  kind: 'research' | 'verify',
): Promise<Schemas['AgentRun'][]> {
  const found: Schemas['AgentRun'][] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { workspaceId, kind, limit: LISTED, ...(cursor && { cursor }) };
    const { data, response } = await api.GET('/api/agent/runs', { params: { query } });
    found.push(...(data ?? []));
    cursor = response.headers.get('x-next-cursor') ?? undefined;
    if (cursor === undefined) break;
  }
  return found;
}
