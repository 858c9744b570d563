import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { BY_CURSOR, itemsOf, takePage } from '../api/page.ts';
import { useChange } from '../api/use-change.ts';

export type BrokenCitation = Schemas['BrokenCitation'];
export type Repaired = Schemas['RepairedCitation'];
export type CitationNow = Schemas['CitationNow'];

const NOW = 'citations-now';
/** The maximum that one request accepts. */
const MAX_CHECKED = 500;
/** Maximum characters of a quote. Of a longer one, the service compares only the start. */
const MAX_QUOTE = 500;

interface Quoted {
  /** The workspace of the file, if it isn't that of the text. */
  workspaceId?: string | undefined;
  index: number;
  path: string;
  startLine: number;
  quote: string;
  fileHash?: string | undefined;
}

interface Asked {
  /** The ID of the note made from the text. */
  noteId?: string | null | undefined;
  /** False while the text is being written, or while its state isn't needed. */
  isOver: boolean;
}

/** Returns the current locations of a text's first quotes, in order. */
export function useCitationsNow(
  workspaceId: string,
  quoted: readonly Quoted[],
  { noteId, isOver }: Asked,
): readonly CitationNow[] {
  const citations = quoted.slice(0, MAX_CHECKED).map(({ workspaceId: in_, ...each }) => ({
    workspaceId: in_ ?? workspaceId,
    citation: toChecked(each),
  }));
  const { data } = useQuery({
    queryKey: [NOW, workspaceId, noteId ?? '', citations],
    queryFn: () => checkAll(citations, noteId),
    enabled: isOver && citations.length > 0,
  });
  return data ?? NOTHING;
}

const NOTHING: readonly CitationNow[] = [];

type Checked = ReturnType<typeof toChecked>;

function toChecked({ index, path, startLine, quote, fileHash }: Omit<Quoted, 'workspaceId'>) {
  return {
    ...{ index, path, startLine, quote: quote.slice(0, MAX_QUOTE).toWellFormed() },
    ...(fileHash !== undefined && { fileHash }),
  };
}

/** Asks each workspace about the citations of its files. */
async function checkAll(
  quoted: { workspaceId: string; citation: Checked }[],
  noteId: Asked['noteId'],
): Promise<CitationNow[]> {
  const now = new Map<object, CitationNow | undefined>();
  const all = [...Map.groupBy(quoted, ({ workspaceId }) => workspaceId)];
  await Promise.all(
    all.map(async ([workspaceId, some]) => {
      const states = await take(
        api.POST('/api/workspaces/{workspaceId}/citations/check', {
          params: { path: { workspaceId } },
          body: { citations: some.map(({ citation }) => citation), ...(noteId && { noteId }) },
        }),
      );
      for (const [at, each] of some.entries()) now.set(each, states[at]);
    }),
  );
  return quoted.map((each) => now.get(each) ?? { state: 'unknown' });
}

/** The number of citations for which suggestions are listed. */
const LISTED = 20;

export function useBrokenCitations(workspaceId: string) {
  const path = { workspaceId };
  return useInfiniteQuery({
    queryKey: ['broken-citations', workspaceId],
    queryFn: ({ pageParam }) =>
      takePage(
        (cursor) =>
          api.GET('/api/workspaces/{workspaceId}/broken-citations', {
            params: { path, query: { limit: LISTED, ...(cursor && { cursor }) } },
          }),
        pageParam,
      ),
    ...BY_CURSOR,
    select: itemsOf,
  });
}

/** Returns the latest broken citations of further workspaces that a text cites. */
export function useBrokenIn(workspaceIds: readonly string[]): BrokenCitation[] {
  const found = useQueries({
    queries: workspaceIds.map((workspaceId) => ({
      queryKey: ['broken-citations', workspaceId, 'latest'],
      queryFn: () =>
        take(
          api.GET('/api/workspaces/{workspaceId}/broken-citations', {
            params: { path: { workspaceId }, query: { limit: LISTED } },
          }),
        ),
    })),
  });
  return found.flatMap(({ data }) => data ?? []);
}

/** Returns how many citations depend on a file or folder that is about to be deleted or moved. */
export function useCitationCount(workspaceId: string, path: string) {
  const params = { path: { workspaceId }, query: { path } };
  return useQuery({
    queryKey: ['citation-count', workspaceId, path],
    queryFn: () => take(api.GET('/api/workspaces/{workspaceId}/citations', { params })),
    staleTime: 0,
  }).data;
}

export function useRepair(workspaceId: string, brokenCitationId: string) {
  const rereads = [
    ['broken-citations', workspaceId],
    [NOW, workspaceId],
    ['note'],
    ['notes', workspaceId],
    ['conversation'],
  ];
  return useChange({ rereads, evenIfRefused: true }, () =>
    take(
      api.POST('/api/workspaces/{workspaceId}/broken-citations/{brokenCitationId}/repair', {
        params: { path: { workspaceId, brokenCitationId } },
      }),
    ),
  );
}
