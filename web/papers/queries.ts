import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { PAPER_SOURCES, type PaperSource } from '../../lib/api-contract/paper-sources.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { BY_CURSOR, itemsOf, takePage } from '../api/page.ts';
import { useChange } from '../api/use-change.ts';

export type Article = Schemas['Article'];
export type BibliographyEntry = Schemas['BibliographyEntry'];
export type KeptPaper = Schemas['KeptPaper'];

export interface PaperSearch {
  q?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Names of sources, separated by commas. */
  sources?: string | undefined;
}

const FOUND = 30;
const KEPT_MS = 15 * 60_000;

export function sourcesOf({ sources }: PaperSearch): PaperSource[] {
  const named = sources?.split(',');
  return PAPER_SOURCES.filter((source) => named === undefined || named.includes(source));
}

/** Returns the keywords; words in quotes are one phrase. */
function keywordsOf(words: string): string[] {
  return [...words.matchAll(/"([^"]+)"|[^\s"]+/g)].map(([word, phrase]) => phrase ?? word).slice(0, 10);
}

export function usePapers(search: PaperSearch) {
  const { q = '', from, to } = search;
  return useQuery({
    queryKey: ['papers', search],
    queryFn: () =>
      take(
        api.POST('/api/paper-study/search', {
          body: {
            keywords: keywordsOf(q),
            maxResults: FOUND,
            sources: sourcesOf(search),
            ...(from && { dateFrom: from }),
            ...(to && { dateTo: to }),
          },
        }),
      ),
    enabled: q.trim() !== '',
    staleTime: KEPT_MS,
    retry: false,
  });
}

export function useKeptPapers(workspaceId: string) {
  return useQuery({
    queryKey: ['kept-papers', workspaceId],
    queryFn: async () => {
      const papers: KeptPaper[] = [];
      let from: string | undefined;
      do {
        const page = await takePage<KeptPaper>(
          (cursor) =>
            api.GET('/api/workspaces/{workspaceId}/papers', {
              params: {
                path: { workspaceId },
                query: { limit: 1000, ...(cursor !== undefined && { cursor }) },
              },
            }),
          from,
        );
        papers.push(...page.items);
        from = page.cursor;
      } while (from !== undefined);
      return papers;
    },
  });
}

/** The entries of the workspace's bibliographies, page by page. */
export function useBibliography(workspaceId: string) {
  return useInfiniteQuery({
    queryKey: ['bibliography', workspaceId],
    queryFn: ({ pageParam }) =>
      takePage<BibliographyEntry>(
        (cursor) =>
          api.GET('/api/workspaces/{workspaceId}/bibliography', {
            params: { path: { workspaceId }, query: { limit: 100, ...(cursor !== undefined && { cursor }) } },
          }),
        pageParam,
      ),
    ...BY_CURSOR,
    select: itemsOf<BibliographyEntry>,
  });
}

export function useKeepPaper(workspaceId: string) {
  return useChange({ rereads: [['kept-papers', workspaceId]] }, (pdfUrl: string) =>
    take(
      api.POST('/api/workspaces/{workspaceId}/papers', {
        params: { path: { workspaceId } },
        body: { pdfUrl },
      }),
    ),
  );
}
