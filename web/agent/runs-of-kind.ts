import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api } from '../api/client.ts';

type Run = Schemas['AgentRun'];

const POLL_MS = 10_000;
const LISTED = 100;
const MAX_PAGES = 5;

/**
 * Returns the reports of a workspace, its draft checks, or the agent's other runs. Each kind is listed on its own page.
 */
export function useRunsOfKind(workspaceId: string, kind: Run['kind'], status?: Run['status'] | undefined) {
  return useQuery({
    queryKey: ['runs', workspaceId, kind, status],
    queryFn: () => readRunsOfKind(workspaceId, kind, status),
    // Refetched, because bots and tasks also start agent runs.
    refetchInterval: ({ state }) =>
      kind === 'agent' || state.data?.some(({ finishedAt }) => !finishedAt) ? POLL_MS : false,
    placeholderData: (before, query) => (query?.queryKey[1] === workspaceId ? before : undefined),
  });
}

/** Reads runs of a kind. A page may be empty, because the workspace's other runs fill pages too. */
export async function readRunsOfKind(
  workspaceId: string,
  kind: Run['kind'],
  status?: Run['status'] | undefined,
): Promise<Run[]> {
  const found: Run[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { workspaceId, kind, limit: LISTED, ...(status && { status }), ...(cursor && { cursor }) };
    const { data, response } = await api.GET('/api/agent/runs', { params: { query } });
    found.push(...(data ?? []));
    cursor = response.headers.get('x-next-cursor') ?? undefined;
    if (cursor === undefined) break;
  }
  return found;
}
