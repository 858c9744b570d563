import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, callApi, take } from '../api/client.ts';
import type { Schemas } from '../api/schema.ts';
import { saveFile } from '../parts/save-file.ts';
import { setTitle } from '../shell/title.ts';

export type Run = Schemas['AgentRun'];
export type Mode = Run['mode'];

const POLL_MS = 10_000;

export function useRuns(workspaceId: string) {
  return useQuery({
    queryKey: ['runs', workspaceId],
    queryFn: () => take(api.GET('/api/agent/runs', { params: { query: { workspaceId, limit: 50 } } })),
    refetchInterval: POLL_MS,
  });
}

/** Runs that wait for a person: their number stands in the title of the tab. */
export function useWaitingRuns(workspaceId: string): number {
  const waiting = useQuery({
    queryKey: ['runs', workspaceId, 'waiting'],
    queryFn: () =>
      take(api.GET('/api/agent/runs', { params: { query: { workspaceId, status: 'waiting', limit: 50 } } })),
    refetchInterval: POLL_MS,
  });
  const count = waiting.data?.length ?? 0;
  useEffect(() => setTitle({ waiting: count }), [count]);
  return count;
}

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['run', runId],
    queryFn: () => take(api.GET('/api/agent/runs/{runId}', { params: { path: { runId } } })),
  });

interface NewRun {
  text: string;
  mode: Mode;
  skillId?: string;
  paramValues?: Record<string, string | number | boolean>;
}

/** The run goes on by itself: what it says is read from its own stream. */
export function useStartRun(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ text, ...options }: NewRun) => {
      const messages = [{ role: 'user', content: text }];
      const body = JSON.stringify({ workspaceId, cwd: '', messages, ...options });
      const headers = { 'content-type': 'application/json' };
      const response = await callApi('/api/agent', { method: 'POST', body, headers });
      await response.body?.cancel();
      return response.headers.get('x-run-id') ?? '';
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['runs', workspaceId] }),
  });
}

export function useStopRun(runId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => take(api.POST('/api/agent/runs/{runId}/stop', { params: { path: { runId } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', runId] }),
  });
}

export interface Decision {
  approvalId: string;
  approved: boolean;
}

export function useDecide(runId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ approvalId, approved }: Decision) =>
      take(
        api.POST('/api/agent/runs/{runId}/approvals/{approvalId}', {
          params: { path: { runId, approvalId } },
          body: { approved },
        }),
      ),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['run', runId] });
      await queries.invalidateQueries({ queryKey: ['runs'] });
    },
  });
}

/** The whole report with its quotes: a run's own view has the summary alone. */
export function useSaveReport(runId: string) {
  return useMutation({
    mutationFn: async () => {
      const response = await callApi(`/api/research/${runId}/export?format=docx`);
      saveFile(await response.blob(), 'report.docx');
    },
  });
}
