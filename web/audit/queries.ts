import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, callApi } from '../api/client.ts';
import { BY_CURSOR, itemsOf, takePage } from '../api/page.ts';
import { saveFile } from '../parts/save-file.ts';
import { type AuditFilter, auditQuery, joinCsv } from './filter.ts';

export type AuditEntry = Schemas['AuditEntry'];

const AT_ONCE = 1000;
/** Maximum pages. They have as many entries as a spreadsheet can open and a tab can hold. */
const MOST_PAGES = 200;

export function useAudit(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) =>
      takePage((cursor) => {
        const query = { limit: 100, ...auditQuery(filter), ...(cursor && { cursor }) };
        return api.GET('/api/audit', { params: { query } });
      }, pageParam),
    ...BY_CURSOR,
    select: itemsOf,
  });
}

/** Fetches all matching entries page by page; `pages` is the progress. */
export function useSaveAudit(filter: AuditFilter) {
  const [pages, setPages] = useState(0);
  const save = useMutation({
    mutationFn: async () => {
      const read = await readPages(filter, setPages);
      saveFile(new Blob([joinCsv(read)], { type: 'text/csv' }), 'audit.csv');
    },
  });
  return { save, pages };
}

async function readPages(filter: AuditFilter, told: (pages: number) => void): Promise<string[]> {
  const pages: string[] = [];
  let cursor = '';
  do {
    const query = { limit: String(AT_ONCE), ...auditQuery(filter), ...(cursor !== '' && { cursor }) };
    const response = await callApi(`/api/audit/export?${new URLSearchParams(query)}`);
    told(pages.push(await response.text()));
    cursor = response.headers.get('x-next-cursor') ?? '';
  } while (cursor !== '' && pages.length < MOST_PAGES);
  return pages;
}
