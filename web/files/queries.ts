import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, callApi, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { openByteRanges } from './byte-ranges.ts';
import type { Entry } from './tree-rows.ts';

/** Maximum entries to list for a folder. A search finds the others. */
const MAX_ENTRIES = 50_000;

export const folderQuery = (workspaceId: string, path: string) =>
  queryOptions({
    queryKey: ['folder', workspaceId, path],
    queryFn: () => readFolder(workspaceId, path),
    staleTime: 10_000,
  });

async function readFolder(workspaceId: string, path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  do {
    const query = { workspaceId, path, ...(cursor !== undefined && { cursor }) };
    const { data, response } = await api.GET('/api/files/browse', { params: { query } });
    entries.push(...(data ?? []));
    cursor = response.headers.get('x-next-cursor') ?? undefined;
  } while (cursor !== undefined && entries.length < MAX_ENTRIES);
  return entries;
}

export function useFileContent(workspaceId: string, path: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['file', workspaceId, path],
    queryFn: () => take(api.GET('/api/files/read', { params: { query: { workspaceId, path } } })),
    retry: false,
  });
}

/** Writes a file. Fails with 409 if the file doesn't match `expectedHash`. */
export function useWriteFile(workspaceId: string, path: string) {
  return useChange(
    {
      rereads: [
        ['file', workspaceId, path],
        ['folder', workspaceId],
      ],
    },
    (body: { content: string; expectedHash: string | null }) =>
      take(api.POST('/api/files/write', { body: { workspaceId, path, ...body } })),
  );
}

/** Returns the index's text of a document. */
export function useIndexedText(workspaceId: string, path: string, enabled = true) {
  const query = { workspaceId, path, as: 'indexed' as const };
  return useQuery({
    enabled,
    queryKey: ['file', workspaceId, path, 'indexed'],
    queryFn: () => take(api.GET('/api/files/read', { params: { query } })),
    retry: false,
  });
}

/** Bytes to read of a file that is too large to read as a whole. */
const BEGINNING = 4 * 1024 * 1024;

/** Returns the first lines of a file. For binary data, the result contains a NUL. */
export function useBeginning(workspaceId: string, path: string, enabled: boolean) {
  return useQuery({
    queryKey: ['file', workspaceId, path, 'beginning'],
    queryFn: async ({ signal }) => {
      const { bytes } = await openByteRanges(workspaceId, path, BEGINNING, signal);
      const text = new TextDecoder().decode(bytes);
      return text.includes('\0') ? '\0' : text.slice(0, text.lastIndexOf('\n') + 1 || text.length);
    },
    enabled,
    retry: false,
  });
}

/** Reads a file with the caller's credential, because a URL in the page can't contain it. */
export async function readBytes(workspaceId: string, path: string, signal?: AbortSignal): Promise<Blob> {
  const query = new URLSearchParams({ workspaceId, path });
  const response = await callApi(`/api/files/raw?${query}`, signal === undefined ? {} : { signal });
  return response.blob();
}
