import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { exportName } from '../../lib/api-contract/export-name.ts';
import { api, callApi, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { askedWorkspaces } from '../chat/scope.ts';
import { readAsAddress } from '../chat/use-attachments.ts';
import { saveFile } from '../parts/save-file.ts';
import { type CheckedSentence, type DraftCheck, isOpen } from './draft-check.ts';

/**
 * Milliseconds between fetches of a running check. A long check is fetched less often, because it's large.
 */
const FAST_MS = 2_000;
const SLOW_MS = 10_000;
const LONG = 500;

export const CHECK_FORMATS = ['docx', 'md', 'json'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

export const checkQuery = (runId: string) =>
  queryOptions({
    queryKey: ['draft-check', runId],
    queryFn: () => take(api.GET('/api/verify/{runId}', { params: { path: { runId } } })),
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? paceOf(data) : false),
  });

/** Milliseconds between two fetches of a check. */
function paceOf({ counts }: DraftCheck): number {
  return counts.sentences > LONG ? SLOW_MS : FAST_MS;
}

/** A draft that a person chose: a file on this computer, a file in the workspace, or text. */
export type ChosenDraft = { file: File } | { path: string } | { text: string };

interface WantedCheck {
  draft: ChosenDraft;
  judge: boolean;
  /** True if the entries of the reference list are looked up. */
  references: boolean;
  /** IDs of further workspaces. */
  others: string[];
}

export function useBeginCheck(workspaceId: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ draft, others, ...options }: WantedCheck) => {
      const asked = askedWorkspaces(workspaceId, others);
      return take(api.POST('/api/verify', { body: { ...asked, ...options, ...(await bodyOf(draft)) } }));
    },
    onSuccess: async ({ runId }) => {
      void queries.invalidateQueries({ queryKey: ['runs', workspaceId] });
      await navigate({ to: '/w/$workspaceId/drafts/$runId', params: { workspaceId, runId } });
    },
  });
}

async function bodyOf(draft: ChosenDraft) {
  if (!('file' in draft)) return draft;
  const { name: filename, type: mediaType } = draft.file;
  return { attachment: { url: await readAsAddress(draft.file), filename, mediaType } };
}

export function useExportCheck({ runId, name }: DraftCheck) {
  return useMutation({
    mutationFn: async (format: CheckFormat) => {
      const response = await callApi(`/api/verify/${encodeURIComponent(runId)}/export?format=${format}`);
      const title = name.replace(/\.[^.]*$/, '');
      saveFile(await response.blob(), exportName(`${title} checked`, format, 'draft'));
    },
  });
}

const foundKey = (runId: string, n: number) => ['found-evidence', runId, n];

/** Returns the later check of one sentence, if there is one. */
export function useFoundRun(runId: string, n: number): string | undefined {
  const { data } = useQuery<string | null>({
    queryKey: foundKey(runId, n),
    queryFn: () => null,
    enabled: false,
  });
  return data ?? undefined;
}

/** Checks one sentence again in the current files, excluding its draft. */
export function useFindEvidence({ runId, workspaceIds }: DraftCheck, { n, text }: CheckedSentence) {
  return useChange(
    { rereads: [['runs']], stores: ({ runId: found }: { runId: string }) => [foundKey(runId, n), found] },
    (judge: boolean) => take(api.POST('/api/verify', { body: { workspaceIds, text, partOf: runId, judge } })),
  );
}

/** Deletes a check. Its run is then no longer listed, even if the response was lost. */
export function useDeleteCheck() {
  return useChange({ rereads: [['runs']] }, (runId: string) =>
    take(api.DELETE('/api/verify/{runId}', { params: { path: { runId } } })),
  );
}

export function useSuggest(runId: string, n: number) {
  return useMutation({
    mutationFn: () =>
      take(api.POST('/api/verify/{runId}/sentences/{n}/suggestion', { params: { path: { runId, n } } })),
  });
}
