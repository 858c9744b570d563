import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type McpServer = Schemas['McpServer'];
export type RemoteTool = Schemas['RemoteTool'];

export function useMcpServers(workspaceId: string) {
  return useQuery({
    queryKey: ['mcp', workspaceId],
    queryFn: () =>
      take(api.GET('/api/workspaces/{workspaceId}/mcp-servers', { params: { path: { workspaceId } } })),
  });
}

/**
 * Returns a server's tools. They are fetched when the list is opened, because the service must then call the
 * server, unless it has just done so. `askAgain` always calls the server.
 */
export function useServerTools({ workspaceId, name }: McpServer) {
  const isFresh = useRef(false);
  const query = useQuery({
    queryKey: ['mcp', workspaceId, 'tools', name],
    queryFn: () =>
      take(
        api.GET('/api/workspaces/{workspaceId}/mcp-servers/{name}/tools', {
          params: {
            path: { workspaceId, name },
            query: { fresh: isFresh.current ? 'true' : 'false' },
          },
        }),
      ),
    retry: false,
  });
  const askAgain = async () => {
    isFresh.current = true;
    await query.refetch();
    isFresh.current = false;
  };
  return { ...query, askAgain };
}

export function useAddMcpServer(workspaceId: string) {
  return useChange(
    { rereads: [['mcp', workspaceId]], holdsSecret: true },
    (body: Schemas['CreateMcpServer']) =>
      take(
        api.POST('/api/workspaces/{workspaceId}/mcp-servers', { params: { path: { workspaceId } }, body }),
      ),
  );
}

export function useRemoveMcpServer(workspaceId: string) {
  return useChange({ rereads: [['mcp', workspaceId]] }, (name: string) =>
    take(
      api.DELETE('/api/workspaces/{workspaceId}/mcp-servers', {
        params: { path: { workspaceId }, query: { name } },
      }),
    ),
  );
}
