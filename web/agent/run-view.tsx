import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { followFrames, resumeStreams } from '../api/event-stream.ts';
import { CitationList, nthOf, sourceOf } from '../chat/citations.tsx';
import { citingSentences } from '../chat/cited-sentence.ts';
import { useFollowEnd } from '../chat/follow-end.ts';
import { GivenPassages } from '../chat/given-passages.tsx';
import { type Citation, givenSourceOf, readGiven, viewOfMessage } from '../chat/message-view.ts';
import { SourcePanel } from '../chat/source-panel.tsx';
import { Waiting } from '../chat/thoughts.tsx';
import { useCitations } from '../chat/use-lost.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Button } from '../parts/button.tsx';
import { changeFormDraft } from '../parts/draft.ts';
import { prependToDraft } from '../parts/kept-draft.ts';
import { Problem } from '../parts/problem.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { fitsTitle, PageHead } from '../shell/page-head.tsx';
import { ApprovalList } from './approval-list.tsx';
import { type Run, runPace, runQuery, useStopRun } from './queries.ts';
import { RunChanges } from './run-changes.tsx';
import { kindOf, pageOf } from './run-kind.ts';
import { RunStatus } from './run-status.tsx';
import {
  addPart,
  NO_STEPS,
  type RunSteps,
  type Step,
  textsBefore,
  withAnswers,
  withFound,
} from './run-steps.ts';
import { StepView } from './step-view.tsx';

/** A run from its first step, live. A reload reads it from the start, and continues. */
export function RunView() {
  const { runId } = useParams({ from: '/w/$workspaceId/agent/$runId' });
  return <RunPage key={runId} runId={runId} />;
}

function RunPage({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const run = useQuery({
    ...runQuery(runId),
    refetchInterval: ({ state }) => runPace(state.data),
  });
  const isRunning = run.data?.status === 'running';
  useEffect(() => {
    if (isRunning) resumeStreams();
  }, [isRunning]);
  const { steps: streamed, sources, metadata, error, isOver, waiting } = useRunSteps(runId);
  const answered = run.data?.status === 'waiting' ? run.data.answered : undefined;
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const view = useMemo(() => viewOfMessage(sources), [sources]);
  const steps = useMemo(
    () => withFound(withAnswers(streamed, answered), view.citations),
    [streamed, answered, view.citations],
  );
  const citations = useCitations(workspaceId, view.citations, {
    isOver: run.data !== undefined && !isOpen(run.data),
  });
  const citing = useMemo(() => ({ citations, messageId: runId }), [citations, runId]);
  const { pane, content } = useFollowEnd();
  if (run.data !== undefined && run.data.kind !== 'agent')
    return <Navigate to={pageOf(run.data)} params={{ workspaceId, runId }} replace />;
  const approvals = run.data?.status === 'waiting' ? (run.data.approvals ?? []) : [];
  return (
    <div className="flex h-full">
      <div className="flex min-w-0 flex-1 flex-col">
        <ScrollRegion ref={pane} label={t('agent.stepsOf')} className="min-h-0 flex-1 overflow-y-auto">
          <div ref={content} className="mx-auto w-full max-w-3xl space-y-4 px-5 py-8">
            <RunHead runId={runId} run={run.data} />
            <Problem error={run.error} onRetry={() => run.refetch()} />
            {run.data && <WholeRequest request={run.data.request} />}
            <Steps steps={steps} citing={citing} isOver={isOver} />
            <Waiting tokens={waiting} />
            <CitationList
              {...citing}
              text={run.data && isOpen(run.data) ? undefined : textsBefore(steps)}
              headingLevel={2}
            />
            <GivenPassages messageId={runId} metadata={metadata} isCiting={citations.length > 0} />
            <Problem error={error} />
            {run.data?.status === 'failed' && <TryAgain run={run.data} />}
            <WaitingCalls steps={steps} open={approvals.length} />
            <ApprovalList runId={runId} approvals={approvals} />
            {run.data && !isOpen(run.data) && run.data.mode === 'agent' && (
              <RunChanges runId={runId} steps={steps} />
            )}
          </div>
        </ScrollRegion>
        <p role="status" className="sr-only">
          {run.data && t(`agent.status.${run.data.status}`)}
        </p>
      </div>
      <OpenSource runId={runId} text={textsBefore(steps)} citations={citing.citations} metadata={metadata} />
    </div>
  );
}

/** The complete request, if the heading shows only its start. */
function WholeRequest({ request }: Pick<Run, 'request'>) {
  if (fitsTitle(request)) return null;
  return (
    <p data-user-content className="rounded-lg bg-accent-soft px-4 py-2.5 break-words whitespace-pre-wrap">
      {request}
    </p>
  );
}

interface StepsProps {
  steps: readonly Step[];
  citing: { citations: Citation[]; messageId: string };
  isOver: boolean;
}

function Steps({ steps, citing, isOver }: StepsProps) {
  const isCiting = citing.citations.length > 0;
  return (
    <div className="space-y-4 [&>details+details]:-mt-2">
      {steps.map((step, at) => (
        <StepView
          key={step.id}
          step={step}
          citing={citing}
          before={isCiting ? textsBefore(steps, at) : ''}
          isThinking={!isOver && at === steps.length - 1}
        />
      ))}
    </div>
  );
}

/** Opens the form with the same request, after a key was replaced or another model was chosen. */
function TryAgain({ run: { workspaceId, request, mode } }: { run: Run }) {
  const { t } = useTranslation();
  const keepRequest = () => {
    prependToDraft(`agent ${workspaceId}`, request);
    changeFormDraft(`new run ${workspaceId}`, { mode });
  };
  return (
    <Link
      to="/w/$workspaceId/agent"
      params={{ workspaceId }}
      onClick={keepRequest}
      className="inline-flex min-h-9 items-center text-sm text-accent underline"
    >
      {t('parts.tryAgain')}
    </Link>
  );
}

/** Explains why an allowed call doesn't run yet. */
function WaitingCalls({ steps, open }: { steps: readonly Step[]; open: number }) {
  const { t } = useTranslation();
  const isWaiting = open > 0 && steps.some((step) => step.kind === 'call' && step.call.state === 'allowed');
  return (
    <p role="status" className="text-sm text-muted empty:sr-only">
      {isWaiting && t('agent.startsAfter', { count: open })}
    </p>
  );
}

interface OpenSourceProps {
  runId: string;
  text: string;
  citations: Citation[];
  metadata: unknown;
}

function OpenSource({ runId, text, citations, metadata }: OpenSourceProps) {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { source, nth } = useSearch({ from: '/w/$workspaceId/agent/$runId' });
  const given = useMemo(() => readGiven(metadata), [metadata]);
  const isGiven = given.some((each) => givenSourceOf(runId, each) === source);
  const [all, nameSource] = isGiven ? ([given, givenSourceOf] as const) : ([citations, sourceOf] as const);
  const citation = all.find((each) => nameSource(runId, each) === source);
  if (source === undefined || citation === undefined) return null;
  return (
    <SourcePanel
      workspaceId={workspaceId}
      citation={citation}
      source={source}
      among={all.map((each) => nameSource(runId, each))}
      sentences={isGiven ? [] : citingSentences(text, citation)}
      nth={nthOf(nth)}
    />
  );
}

function isOpen(run: Run | undefined): boolean {
  return run?.status === 'running' || run?.status === 'waiting';
}

function noteOf(run: Run, t: TFunction): string {
  const failed = run.failedCalls > 0 && t('agent.failedCalls', { count: run.failedCalls });
  return [t(kindOf(run)), failed].filter(Boolean).join(' · ');
}

function RunHead({ runId, run }: { runId: string; run: Run | undefined }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const stop = useStopRun(runId);
  return (
    <>
      <BackLink to="/w/$workspaceId/agent" params={{ workspaceId }}>
        {t('agent.runs')}
      </BackLink>
      <PageHead
        title={run?.request || t('agent.untitled')}
        isContent
        note={run && noteOf(run, t)}
        actions={
          run && (
            <>
              <RunStatus status={run.status} />
              {isOpen(run) && (
                <Button icon="stop" disabled={stop.isPending} onClick={() => stop.mutate()}>
                  {t('agent.stop')}
                </Button>
              )}
            </>
          )
        }
      />
      <Problem error={stop.error} />
    </>
  );
}

/** Returns the steps of a run from its start, and live. Renders once per frame, however many parts arrive. */
function useRunSteps(runId: string): RunSteps {
  const queries = useQueryClient();
  const [run, setRun] = useState(NO_STEPS);
  useEffect(() => {
    const leaving = new AbortController();
    let latest = NO_STEPS;
    let drawing = 0;
    const draw = () => {
      drawing = 0;
      setRun(latest);
    };
    const follow = async () => {
      const address = (after: number) => `/api/agent/runs/${encodeURIComponent(runId)}/stream?after=${after}`;
      for await (const { part } of followFrames(address, 0, leaving.signal)) {
        latest = addPart(latest, part);
        drawing ||= requestAnimationFrame(draw);
        if (part.type === 'tool-approval-request')
          void queries.invalidateQueries({ queryKey: ['run', runId] });
      }
      latest = { ...latest, isOver: true };
      setRun(latest);
    };
    follow()
      .catch((error: Error) => error.name !== 'AbortError' && setRun({ ...latest, error, isOver: true }))
      .finally(() => {
        if (leaving.signal.aborted) return;
        for (const queryKey of [['run', runId], ['conversations']])
          void queries.invalidateQueries({ queryKey });
      });
    return () => {
      leaving.abort();
      cancelAnimationFrame(drawing);
    };
  }, [runId, queries]);
  return run;
}
