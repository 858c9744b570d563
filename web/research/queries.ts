import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { exportName } from '../../lib/api-contract/export-name.ts';
import { api, callApi, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { askedWorkspaces } from '../chat/scope.ts';
import { saveFile } from '../parts/save-file.ts';
import type { PlanAnswer } from './research.ts';
import type { SourceName, Wish } from './start-draft.ts';

/** File extensions of a report's export formats. */
export const FORMATS = {
  ...{ md: 'md', html: 'html', docx: 'docx', bibtex: 'bib', csl: 'json', zip: 'zip' },
} as const;
export type Format = keyof typeof FORMATS;

/** Fetches the estimates for each depth, for the selected sources. */
export function useDepths(workspaceId: string, sources: SourceName[]) {
  return useQuery({
    queryKey: ['depths', workspaceId, sources],
    queryFn: () =>
      take(api.GET('/api/research', { params: { query: { workspaceId, sources: sources.join(',') } } })),
    enabled: sources.length > 0,
    placeholderData: (before) => before,
    staleTime: 60_000,
    retry: false,
  });
}

export const researchQuery = (runId: string) =>
  queryOptions({
    queryKey: ['research', runId],
    queryFn: () => take(api.GET('/api/research/{runId}', { params: { path: { runId } } })),
  });

export function useBegin(workspaceId: string) {
  const open = useOpenReport(workspaceId);
  return useMutation({
    mutationFn: ({ others, ...wish }: Wish) =>
      take(api.POST('/api/research', { body: { ...askedWorkspaces(workspaceId, others), ...wish } })),
    onSuccess: open,
  });
}

/** Asks a follow-up question about the same evidence. Without a question, updates the report. */
export function useGoOn(workspaceId: string, runId: string) {
  const open = useOpenReport(workspaceId);
  const params = { path: { runId } };
  return useMutation({
    mutationFn: (question: string | undefined) =>
      question === undefined
        ? take(api.POST('/api/research/{runId}/refresh', { params, body: {} }))
        : take(api.POST('/api/research/{runId}/continue', { params, body: { question } })),
    onSuccess: open,
  });
}

function useOpenReport(workspaceId: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async ({ runId }: { runId: string }) => {
    void queries.invalidateQueries({ queryKey: ['runs', workspaceId] });
    void queries.invalidateQueries({ queryKey: ['conversations', workspaceId] });
    await navigate({ to: '/w/$workspaceId/research/$runId', params: { workspaceId, runId } });
  };
}

export function useAnswerPlan(runId: string) {
  return useChange(
    { rereads: [['research', runId], ['run', runId], ['runs']], evenIfRefused: true },
    (body: PlanAnswer) => take(api.POST('/api/research/{runId}/plan', { params: { path: { runId } }, body })),
  );
}

export async function readExport(runId: string, format: Format): Promise<Blob> {
  return (await callApi(`/api/research/${runId}/export?format=${format}`)).blob();
}

export function useExport(runId: string, question: string) {
  return useMutation({
    mutationFn: async (format: Format) =>
      saveFile(await readExport(runId, format), exportName(question, FORMATS[format], 'report')),
  });
}
