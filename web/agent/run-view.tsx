import { Link, Navigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFollowEnd } from '../chat/follow-end.ts';
import { useConversation } from '../conversations/queries.ts';
import { changeFormDraft } from '../parts/draft.ts';
import { Skeletons } from '../parts/empty-state.tsx';
import { prependToDraft } from '../parts/kept-draft.ts';
import { Problem } from '../parts/problem.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { fitsTitle } from '../shell/page-head.tsx';
import { type Run, useRun } from './queries.ts';
import { RunHead } from './run-head.tsx';
import { pageOf } from './run-kind.ts';
import { textsBefore } from './run-steps.ts';
import { OpenSource, RunTurn, useTurn } from './run-turn.tsx';
import { Thread } from './thread-view.tsx';
import { useRunSteps } from './use-run-steps.ts';

/** A run from its first step on, live, in its conversation. After a reload, it is read from the start. */
export function RunView() {
  const { runId, workspaceId } = useParams({ from: '/w/$workspaceId/agent/$runId' });
  const run = useRun(runId);
  // A refetch clears an error for a moment. The page stays, because its own reads cause the refetch.
  if (!run.isFetched && run.data === undefined) return <Loading />;
  if (run.data !== undefined && run.data.kind !== 'agent')
    return <Navigate to={pageOf(run.data)} params={{ workspaceId, runId }} replace />;
  const { conversationId = null } = run.data ?? {};
  return conversationId === null ? (
    <SingleRun key={runId} runId={runId} />
  ) : (
    <RunOfConversation key={conversationId} runId={runId} conversationId={conversationId} />
  );
}

function Loading() {
  return (
    <div className="mx-auto w-full max-w-3xl space-y-6 p-6">
      <Skeletons rows={3} className="h-16" />
    </div>
  );
}

/** For a conversation of someone else, and a branch that isn't chosen, only the run is shown. */
function RunOfConversation({ runId, conversationId }: { runId: string; conversationId: string }) {
  const { data, isFetched } = useConversation(conversationId);
  const [isShown, setShown] = useState(false);
  const isThere = data?.run?.id === runId || data?.messages.some(({ id }) => id === runId);
  if (isThere && !isShown) setShown(true); // stays while the person looks at other branches
  if (!isFetched) return <Loading />;
  return data && (isThere || isShown) ? <Thread kept={data} /> : <SingleRun key={runId} runId={runId} />;
}

/** A run alone: of a task, of a bot, or of someone else. */
function SingleRun({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const run = useRun(runId);
  const streamed = useRunSteps(runId);
  const turn = { runId, steps: streamed, run: run.data };
  const { steps, citing } = useTurn(turn);
  const { pane, content } = useFollowEnd();
  return (
    <div className="flex h-full">
      <div className="flex min-w-0 flex-1 flex-col">
        <ScrollRegion ref={pane} label={t('agent.stepsOf')} className="min-h-0 flex-1 overflow-y-auto">
          <div ref={content} className="mx-auto w-full max-w-3xl space-y-4 px-5 py-8">
            <RunHead run={run.data} />
            <Problem error={run.error} onRetry={() => run.refetch()} />
            {run.data && <WholeRequest request={run.data.request} />}
            <RunTurn {...turn}>{run.data?.status === 'failed' && <TryAgain run={run.data} />}</RunTurn>
          </div>
        </ScrollRegion>
        <p role="status" className="sr-only">
          {run.data && t(`agent.status.${run.data.status}`)}
        </p>
      </div>
      <OpenSource
        runId={runId}
        text={textsBefore(steps)}
        citations={citing.citations}
        metadata={streamed.metadata}
      />
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

/** Opens the form with the same request, for a retry after a key was replaced or another model was chosen. */
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
