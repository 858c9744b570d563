import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ApprovalScope, Mode } from '../../lib/api-contract/runs.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, callApi, take } from '../api/client.ts';
import { resumeStreams } from '../api/event-stream.ts';
import { useChange } from '../api/use-change.ts';
import type { ModelChoice } from '../chat/model-choice.tsx';
import { setTitle } from '../shell/title.ts';

export type Run = Schemas['AgentRun'];

const POLL_MS = 10_000;
const RUNNING_POLL_MS = 3_000;
const LISTED = 100;

/** Returns the runs that wait for a person. The tab's title shows their number. */
export function useWaitingRuns(workspaceId: string): Run[] {
  const query = { workspaceId, status: 'waiting', limit: LISTED } as const;
  const waiting = useQuery({
    queryKey: ['runs', workspaceId, 'waiting'],
    queryFn: () => take(api.GET('/api/agent/runs', { params: { query } })),
    refetchInterval: POLL_MS,
  });
  const count = waiting.data?.length ?? 0;
  useEffect(() => setTitle({ waiting: count }), [count]);
  return waiting.data ?? [];
}

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['run', runId],
    queryFn: () => take(api.GET('/api/agent/runs/{runId}', { params: { path: { runId } } })),
  });

/**
 * Returns the milliseconds until a run is fetched again. A waiting run changes only when a person answers.
 */
export function runPace(run: Run | undefined): number | false {
  if (run?.status === 'running') return RUNNING_POLL_MS;
  return run?.status === 'waiting' ? POLL_MS : false;
}

/**
 * Returns the run. It is fetched again while it works or waits; until it arrives, this returns the previous
 * one.
 */
export function useRun(runId: string | undefined) {
  const run = useQuery({
    ...runQuery(runId ?? ''),
    enabled: runId !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => runPace(state.data),
  });
  const status = run.data?.status;
  useStatusChange(status);
  const isRunning = status === 'running';
  useEffect(() => {
    if (isRunning) resumeStreams();
  }, [isRunning]);
  return run;
}

/**
 * Refetches the lists of runs when a run changes its state, so that the page never shows two states of the
 * same run.
 */
function useStatusChange(status: Run['status'] | undefined): void {
  const queries = useQueryClient();
  const before = useRef(status);
  useEffect(() => {
    const isNew = before.current !== undefined && before.current !== status;
    before.current = status;
    if (isNew) void queries.invalidateQueries({ queryKey: ['runs'] });
  }, [status, queries]);
}

export function isOpen({ status }: Pick<Run, 'status'>): boolean {
  return status === 'running' || status === 'waiting';
}

export interface ChosenSkill {
  skillId: string;
  paramValues: Record<string, string | number | boolean>;
}

export type RunOptions = { mode: Mode; judge?: boolean } & Partial<ChosenSkill & ModelChoice>;

/** Where a request belongs in a conversation. */
interface RequestPlace {
  id: string;
  /** The last message that the page shows, or the message before the edited one. */
  parentId: string | null;
  /** The edited message. */
  messageId?: string | undefined;
}
type NewRun = RunOptions & Partial<RequestPlace> & { text: string };

/** Starts a run, which continues without this request; its output is read from its own stream. */
export function useStartRun(workspaceId: string) {
  return useChange(
    {
      rereads: [
        ['runs', workspaceId],
        ['conversations', workspaceId],
      ],
    },
    async ({ text, messageId, ...how }: NewRun) => {
      const messages = [{ id: messageId, role: 'user', content: text }];
      const body = JSON.stringify({ workspaceId, cwd: '', ...how, messages });
      const headers = { 'content-type': 'application/json' };
      const response = await callApi('/api/agent', { method: 'POST', body, headers });
      await response.body?.cancel();
      return response.headers.get('x-run-id') ?? '';
    },
  );
}

export function useStopRun(runId: string) {
  return useChange({ rereads: [['run', runId]], evenIfRefused: true }, () =>
    take(api.POST('/api/agent/runs/{runId}/stop', { params: { path: { runId } } })).finally(resumeStreams),
  );
}

/** Stops one call of a run, which continues. */
export function useStopCall(runId: string) {
  return useChange({ rereads: [['run', runId]], evenIfRefused: true }, (toolCallId: string) =>
    take(
      api.POST('/api/agent/runs/{runId}/calls/{toolCallId}/stop', {
        params: { path: { runId, toolCallId } },
      }),
    ),
  );
}

/** Sends a message to a run that works or waits. */
export function useSteer(runId: string) {
  return useChange({ rereads: [['run', runId]], evenIfRefused: true }, (text: string) =>
    take(api.POST('/api/agent/runs/{runId}/messages', { params: { path: { runId } }, body: { text } })),
  );
}

/** Returns the messages that the model hasn't got. */
export function useQueued(run: Run | undefined): Schemas['AgentRunMessage'][] {
  const runId = run?.id ?? '';
  const messages = useQuery({
    queryKey: ['run', runId, 'messages'],
    queryFn: () => take(api.GET('/api/agent/runs/{runId}/messages', { params: { path: { runId } } })),
    enabled: run !== undefined,
  });
  return messages.data?.filter(({ state }) => state === 'queued') ?? [];
}

export function useWithdraw(runId: string) {
  return useChange({ rereads: [['run', runId]], evenIfRefused: true }, (messageId: string) =>
    take(
      api.DELETE('/api/agent/runs/{runId}/messages/{messageId}', { params: { path: { runId, messageId } } }),
    ),
  );
}

export interface Decision {
  approvalId: string;
  approved: boolean;
  reason?: string;
  scope?: ApprovalScope;
  /** The pattern of a rule that the answer adds, so that the same call isn't asked about again. */
  always?: string;
}

/** An answer may add a rule, and the choice next to the send button counts rules. */
export function useDecide(runId: string) {
  return useChange(
    { rereads: [['run', runId], ['runs'], ['permissions']], evenIfRefused: true },
    (decision: Decision) => sendDecision(runId, decision).finally(resumeStreams),
  );
}

/** Answers several calls, one after another. Stops at the first one that the service refuses. */
export function useDecideAll(runId: string) {
  return useChange(
    { rereads: [['run', runId], ['runs']], evenIfRefused: true },
    async ({ ids, approved }: { ids: string[]; approved: boolean }) => {
      try {
        for (const approvalId of ids) await sendDecision(runId, { approvalId, approved });
      } finally {
        resumeStreams();
      }
    },
  );
}

function sendDecision(runId: string, { approvalId, ...body }: Decision) {
  const params = { path: { runId, approvalId } };
  return take(api.POST('/api/agent/runs/{runId}/approvals/{approvalId}', { params, body }));
}
