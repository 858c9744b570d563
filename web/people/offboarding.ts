import { useMutation, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { ApiError } from '../api/api-error.ts';
import { api, callApi, take } from '../api/client.ts';
import { takePage } from '../api/page.ts';
import { useChange } from '../api/use-change.ts';
import { saveFile } from '../parts/save-file.ts';

export type Holding = Schemas['Holding'];
export type Offboarding = Schemas['Offboarding'];
export type OwnedKind = Offboarding['kinds'][number];

const POLL_MS = 2_000;

/** Returns everything that a person owns, page by page. */
export function useHoldings(personId: string, isChanging: boolean) {
  return useQuery({
    queryKey: ['holdings', personId],
    queryFn: async () => {
      const found: Holding[] = [];
      let from: string | undefined;
      do {
        const page = await takePage(
          (cursor) =>
            api.GET('/api/people/holdings', {
              params: { query: { personId, limit: 100, ...(cursor && { cursor }) } },
            }),
          from,
        );
        found.push(...page.items);
        from = page.cursor;
      } while (from !== undefined);
      return found;
    },
    refetchInterval: isChanging ? POLL_MS : false,
  });
}

/** Returns the latest handover or erasure; null if there was none. */
export function useOffboarding(personId: string) {
  return useQuery({
    queryKey: ['offboarding', personId],
    queryFn: async (): Promise<Offboarding | null> => {
      try {
        return await take(api.GET('/api/people/offboarding', { params: { query: { personId } } }));
      } catch (error) {
        if (error instanceof ApiError && error.code === 'offboarding_not_found') return null;
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data?.finishedAt === null ? POLL_MS : false),
  });
}

function rereads(personId: string) {
  return { rereads: [['holdings', personId], ['offboarding', personId], ['people'], ['tokens'], ['tasks']] };
}

export function useHandOver(personId: string) {
  return useChange(rereads(personId), (change: { to: string; kinds: OwnedKind[] }) =>
    take(api.POST('/api/people/hand-over', { body: { personId, ...change } })),
  );
}

export function useErasePerson(personId: string) {
  return useChange(rereads(personId), () => take(api.POST('/api/people/erase', { body: { personId } })));
}

/** Saves everything as one file, even if the service returns it in parts. */
export function useExportPerson(personId: string) {
  return useMutation({
    mutationFn: async () => {
      const parts: string[] = [];
      let cursor: string | undefined;
      do {
        const query = new URLSearchParams({ personId, ...(cursor && { cursor }) });
        const text = await (await callApi(`/api/people/export?${query}`)).text();
        parts.push(text);
        cursor = cursorAfter(text);
      } while (cursor !== undefined);
      saveFile(new Blob(parts, { type: 'application/x-ndjson' }), 'person.jsonl');
    },
  });
}

/** Throws if the connection was cut. A complete part ends with its last line. */
function cursorAfter(text: string): string | undefined {
  const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { type: string; cursor?: string };
  if (last.type !== 'end' && last.type !== 'more') throw new Error('the export is incomplete');
  return last.cursor;
}
