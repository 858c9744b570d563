import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { exportName } from '../../lib/api-contract/export-name.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, callApi, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { saveFile } from '../parts/save-file.ts';
import { type ColumnInput, isOpen, type TableSummary } from './evidence-table.ts';

/** Milliseconds between two fetches of a table that is being read, per page of it, because each page reads all cells. */
const RUNNING_MS = 4000;
const PAGE = 50;
const LISTED = 100;

export const EXPORT_FORMATS = ['xlsx', 'csv', 'docx', 'md'] as const;

const listKey = (workspaceId: string) => ['evidence-tables', workspaceId];

export function useTables(workspaceId: string) {
  const query = { workspaceId, limit: LISTED };
  return useQuery({
    queryKey: listKey(workspaceId),
    queryFn: () => take(api.GET('/api/evidence-tables', { params: { query } })),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? RUNNING_MS : false),
  });
}

/** Returns a table with the pages of its rows so far, or of those with a cell that a person should look at. */
export function useTable(tableId: string, look: boolean) {
  return useInfiniteQuery({
    queryKey: ['evidence-table', tableId, look],
    queryFn: async ({ pageParam: cursor }) => {
      const query = {
        limit: PAGE,
        ...(cursor !== undefined && { cursor }),
        ...(look && { look: 'true' as const }),
      };
      const call = await api.GET('/api/evidence-tables/{tableId}', { params: { path: { tableId }, query } });
      const table = await take(Promise.resolve(call));
      const { headers } = call.response;
      return {
        table,
        cursor: headers.get('x-next-cursor') ?? undefined,
        etag: headers.get('etag') ?? undefined,
      };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      return pages[0] && isOpen(pages[0].table) ? RUNNING_MS * pages.length : false;
    },
  });
}

export type NewTable = Omit<Schemas['EvidenceRows'], never> & {
  name: string;
  columns: ColumnInput[];
  pilot: number;
  followNew: boolean;
};

export function useCreateTable(workspaceId: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ paths, glob, ...rest }: NewTable) => {
      const rows = paths === undefined ? { glob: glob ?? '' } : { paths };
      return take(api.POST('/api/evidence-tables', { body: { workspaceId, rows, ...rest } }));
    },
    onSuccess: async ({ tableId }) => {
      void queries.invalidateQueries({ queryKey: listKey(workspaceId) });
      await navigate({ to: '/w/$workspaceId/tables/$tableId', params: { workspaceId, tableId } });
    },
  });
}

export function useSuggestColumns(workspaceId: string) {
  return useMutation({
    mutationFn: (question: string) =>
      take(api.POST('/api/evidence-tables/columns', { body: { workspaceId, question } })),
  });
}

const rereads = (tableId: string) => ({
  rereads: [['evidence-table', tableId], ['evidence-tables'], ['runs']],
});

/** Changes a table. `etag` is of the columns that the person saw, for a change of columns. */
export function useChangeTable(tableId: string, etag?: string) {
  const headers = etag === undefined ? {} : { 'if-match': etag };
  return useChange({ ...rereads(tableId), evenIfRefused: true }, (body: Schemas['EvidenceTableChange']) =>
    take(api.PATCH('/api/evidence-tables/{tableId}', { params: { path: { tableId } }, headers, body })),
  );
}

export function useResumeTable(tableId: string) {
  return useChange(rereads(tableId), (scope: 'pilot' | 'all') =>
    take(
      api.POST('/api/evidence-tables/{tableId}/resume', { params: { path: { tableId } }, body: { scope } }),
    ),
  );
}

export function useStopTable(tableId: string) {
  return useChange({ ...rereads(tableId), evenIfRefused: true }, () =>
    take(api.POST('/api/evidence-tables/{tableId}/stop', { params: { path: { tableId } } })),
  );
}

export function useDeleteTable() {
  return useChange({ rereads: [['evidence-tables']] }, (tableId: string) =>
    take(api.DELETE('/api/evidence-tables/{tableId}', { params: { path: { tableId } } })),
  );
}

export function useExportTable({ id, name }: TableSummary) {
  return useMutation({
    mutationFn: async (format: (typeof EXPORT_FORMATS)[number]) => {
      const response = await callApi(
        `/api/evidence-tables/${encodeURIComponent(id)}/export?format=${format}`,
      );
      saveFile(await response.blob(), exportName(name, format, 'table'));
    },
  });
}
