import { useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CitationList, nthOf, sourceOf } from '../chat/citations.tsx';
import { citingSentences } from '../chat/cited-sentence.ts';
import { GivenPassages } from '../chat/given-passages.tsx';
import { type Citation, givenSourceOf, readGiven, viewOfMessage } from '../chat/message-view.ts';
import { SourcePanel } from '../chat/source-panel.tsx';
import { Waiting } from '../chat/thoughts.tsx';
import { useCitations } from '../chat/use-lost.ts';
import { UsedFacts } from '../memories/used-facts.tsx';
import { Problem } from '../parts/problem.tsx';
import { ApprovalList } from './approval-list.tsx';
import { isOpen, type Run, useStopCall } from './queries.ts';
import { RunChanges } from './run-changes.tsx';
import { type RunSteps, type Step, textsBefore, withAnswers, withFound } from './run-steps.ts';
import { StepView } from './step-view.tsx';

interface Props {
  runId: string;
  steps: RunSteps;
  /** Undefined for a run whose stream isn't read, because its stored answer contains everything. */
  run: Run | undefined;
  /** Actions for a run that has ended. */
  children?: ReactNode;
}

/** One run: its steps, live or stored, its citations, and what it waits for. */
export function RunTurn({ runId, steps: streamed, run, children }: Props) {
  const { steps, citing } = useTurn({ runId, steps: streamed, run });
  const { metadata, error, isOver, waiting } = streamed;
  const approvals = run?.status === 'waiting' ? (run.approvals ?? []) : [];
  const isAtWork = run !== undefined && isOpen(run);
  const stop = useStopCall(runId);
  return (
    <>
      <Steps
        steps={steps}
        citing={citing}
        isOver={isOver}
        onStop={isAtWork ? (toolCallId) => stop.mutate(toolCallId) : undefined}
      />
      <Problem error={stop.error} />
      <Waiting tokens={waiting} />
      <CitationList {...citing} text={isAtWork ? undefined : textsBefore(steps)} headingLevel={2} />
      <GivenPassages messageId={runId} metadata={metadata} isCiting={citing.citations.length > 0} />
      <UsedFacts metadata={metadata} />
      <Problem error={error} />
      {!isAtWork && children}
      <WaitingCalls steps={steps} open={approvals.length} />
      <ApprovalList runId={runId} approvals={approvals} />
      {run && !isAtWork && run.mode === 'agent' && <RunChanges runId={runId} steps={steps} />}
    </>
  );
}

/** Returns the steps with their answers and citations. */
export function useTurn({ runId, steps: { steps: streamed, sources }, run }: Omit<Props, 'children'>) {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const answered = run?.status === 'waiting' ? run.answered : undefined;
  const view = useMemo(() => viewOfMessage(sources), [sources]);
  const steps = useMemo(
    () => withFound(withAnswers(streamed, answered), view.citations),
    [streamed, answered, view.citations],
  );
  const citations = useCitations(workspaceId, view.citations, { isOver: run === undefined || !isOpen(run) });
  const citing = useMemo(() => ({ citations, messageId: runId }), [citations, runId]);
  return { steps, citing };
}

interface StepsProps {
  steps: readonly Step[];
  citing: { citations: Citation[]; messageId: string };
  isOver: boolean;
  onStop: ((toolCallId: string) => void) | undefined;
}

function Steps({ steps, citing, isOver, onStop }: StepsProps) {
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
          onStop={onStop}
        />
      ))}
    </div>
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

/** The source that is open next to the run, if it is the run's. */
export function OpenSource({ runId, text, citations, metadata }: OpenSourceProps) {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { source, nth } = useSearch({ strict: false });
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
